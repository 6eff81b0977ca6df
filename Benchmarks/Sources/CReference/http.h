#ifndef HTTP_H
#define HTTP_H

/// Connects to a port of this machine. Returns the socket, or -1.
int http_connected(int port);

/// Sends the request that posts a text. Returns 0, or -1.
int http_post(int socket_, const char *token, const char *chat, const char *id);

/// Sends `GET /v1/health`. Returns 0, or -1.
int http_health(int socket_);

/// Reads one answer with a `Content-Length`; returns its status, or -1.
int http_answer(int socket_);

#endif
