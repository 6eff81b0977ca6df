#include "reference.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// The requests of one connection.
struct connection {
  int port, each, number, failed;
  const char *token, *chat, *prefix;
};

static int connected(int port) {
  int one = 1;
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {0};
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  if (connect(socket_, (struct sockaddr *)&address, sizeof address) == 0) return socket_;
  close(socket_);
  return -1;
}

/// Reads one answer with a `Content-Length`; returns its status, or -1.
static int answer(int socket_) {
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

static void *request(void *argument) {
  struct connection *own = argument;
  int socket_ = connected(own->port);
  own->failed = socket_ < 0;
  for (int index = 0; index < own->each && !own->failed; index++) {
    char body[256] = "", text[1024];
    int length;
    if (own->chat) {
      int size = snprintf(
          body, sizeof body, "{\"id\":\"%s-%d-%d\",\"kind\":\"text\",\"content\":\"{\\\"text\\\":\\\"message %d\\\"}\"}",
          own->prefix, own->number, index, index);
      length = snprintf(
          text, sizeof text,
          "POST /v1/conversations/%s/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"
          "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
          own->chat, own->token, size, body);
    } else {
      length = snprintf(text, sizeof text, "GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    own->failed = write(socket_, text, (size_t)length) != length || answer(socket_) / 100 != 2;
  }
  close(socket_);
  return NULL;
}

static int64_t load(struct connection template, const char *const *chats, int chat_count, int connections) {
  pthread_t threads[1024];
  struct connection own[1024];
  struct timespec start, end;
  if (connections > 1024) return -1;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int index = 0; index < connections; index++) {
    own[index] = template;
    own[index].number = index;
    if (chats) own[index].chat = chats[index % chat_count];
    pthread_create(&threads[index], NULL, request, &own[index]);
  }
  int failed = 0;
  for (int index = 0; index < connections; index++) {
    pthread_join(threads[index], NULL);
    failed |= own[index].failed;
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return failed ? -1 : (int64_t)(end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec;
}

int64_t load_posts(
    int port, const char *token, const char *const *chats, int chat_count, int connections, int each,
    const char *prefix) {
  struct connection template = {port, each, 0, 0, token, NULL, prefix};
  return load(template, chats, chat_count, connections);
}

int64_t load_health(int port, int connections, int each) {
  struct connection template = {port, each, 0, 0, NULL, NULL, NULL};
  return load(template, NULL, 0, connections);
}
