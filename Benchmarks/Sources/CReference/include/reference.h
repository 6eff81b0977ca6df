#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

/// Commits `count` rows to a new database, one row at a time, each commit synchronized with the disk, and writes the
/// nanoseconds of each commit to `times`. Returns 0, or SQLite's error code.
int reference_commits(const char *path, int count, int64_t *times);

/// Copies the messages of a client's database into a new database with the same tables, indexes and search index, in
/// transactions of `batch` messages. Returns the nanoseconds of the inserts and commits; -1 after an error.
int64_t reference_copy(const char *source, const char *path, int batch);

/// Posts `each` messages on each of `connections` connections to a server of the reference protocol on this machine,
/// one after the other on each connection. The connections take turns with the chats. Returns the nanoseconds of all
/// requests; -1 if an answer is not of 2xx.
int64_t load_posts(
    int port, const char *token, const char *const *chats, int chat_count, int connections, int each,
    const char *prefix);

/// Requests `GET /v1/health` in the same way, without chats.
int64_t load_health(int port, int connections, int each);

/// Raises this process's limit of open files, up to 32,768. Returns the limit; -1 after an error.
int raise_open_files(void);

/// WebSockets to a server of the reference protocol on this machine. The sockets send no messages.
struct sockets;

/// Starts without sockets; NULL after an error.
struct sockets *sockets_make(int port);

/// Opens `count` further sockets, which use the tokens in turn, and returns once each socket has received its `hello`.
/// Returns 0; -1 after an error, for example if the server refuses a socket.
int sockets_open(struct sockets *sockets, const char *const *tokens, int token_count, int count);

/// Sends an unrequested pong on each socket, so that the server sends no ping for half a minute, and reads until nothing
/// arrives for a while. Returns 0; -1 if a socket was closed, or if data still arrives after 20 s.
int sockets_settle(struct sockets *sockets);

/// Posts a text to a chat for which the server pokes `members` of the sockets. Writes the nanoseconds until the post
/// was answered to `returned`, and until the last of these sockets was poked to `last`. Returns 0; -1 after an error.
int sockets_post(
    struct sockets *sockets, const char *token, const char *chat, const char *id, int members, int64_t *returned,
    int64_t *last);

/// Closes the sockets and frees them.
void sockets_close(struct sockets *sockets);

/// Writes a file to the disk, and removes it from the system's page cache. Returns 0, or -1.
int forget_file(const char *path);

/// Requests an address `count` times with libcurl, one request after the other on one connection. Returns the nanoseconds;
/// -1 if an answer is not 200.
int64_t curl_one(const char *url, int count);

/// The same with `parallel` requests at a time, on one thread.
int64_t curl_many(const char *url, int parallel, int count);

#endif
