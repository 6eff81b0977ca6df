#include "http.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

int http_connected(int port) {
  int one = 1;
  int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(socket_, (struct sockaddr *)&address, sizeof address) == 0) return socket_;
  close(socket_);
  return -1;
}

int http_answer(int socket_) {
  char buffer[8192];
  size_t length = 0;
  for (;;) {
    ssize_t count = read(socket_, buffer + length, sizeof buffer - 1 - length);
    if (count <= 0) return -1;
    length += (size_t)count;
    buffer[length] = 0;
    char *end = strstr(buffer, "\r\n\r\n");
    if (!end) continue;
    char *field = strcasestr(buffer, "content-length:");
    if (!field || field > end) return -1;
    if (length >= (size_t)(end + 4 - buffer) + strtoul(field + 15, NULL, 10)) return atoi(buffer + 9);
    if (length == sizeof buffer - 1) return -1;
  }
}

int http_post(int socket_, const char *token, const char *chat, const char *id) {
  char body[256], text[1024];
  int size = snprintf(
      body, sizeof body, "{\"id\":\"%s\",\"kind\":\"text\",\"content\":\"{\\\"text\\\":\\\"message %s\\\"}\"}", id, id);
  int length = snprintf(
      text, sizeof text,
      "POST /v1/conversations/%s/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
      "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
      chat, token, size, body);
  return write(socket_, text, (size_t)length) == length ? 0 : -1;
}

int http_health(int socket_) {
  static const char text[] = "GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n";
  return write(socket_, text, sizeof text - 1) == sizeof text - 1 ? 0 : -1;
}
