#include "http.h"
#include "reference.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/// The largest number of sockets that are being opened at a time, since the server's queue of new connections is short.
static const int most_opening = 64;
static const int patience_ms = 20000;
static const uint32_t post_number = UINT32_MAX;
static const int silence = -2;

struct sockets {
  int port, epoll, post, count, *handles;
  /// Whether each socket has received the awaited word.
  char *has;
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int watch(struct sockets *sockets, int socket_, uint32_t number) {
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = number};
  return epoll_ctl(sockets->epoll, EPOLL_CTL_ADD, socket_, &event);
}

int raise_open_files(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit)) return -1;
  // Some libraries reserve memory for each file that may be opened.
  rlim_t wanted = limit.rlim_max < 32768 ? limit.rlim_max : 32768;
  if (limit.rlim_cur < wanted) {
    limit.rlim_cur = wanted;
    if (setrlimit(RLIMIT_NOFILE, &limit)) return -1;
  }
  return limit.rlim_cur < 1 << 30 ? (int)limit.rlim_cur : 1 << 30;
}

struct sockets *sockets_make(int port) {
  struct sockets *sockets = calloc(1, sizeof *sockets);
  if (!sockets) return NULL;
  sockets->port = port;
  sockets->epoll = epoll_create1(EPOLL_CLOEXEC);
  sockets->post = -1;
  if (sockets->epoll >= 0) return sockets;
  sockets_close(sockets);
  return NULL;
}

/// Reads what has arrived, and marks the sockets that received this word for the first time. Returns the number of
/// newly marked sockets; -1 if a socket was closed or the post was refused; `silence` if nothing arrived in time. Sets
/// `answered` to the time at which the post was answered.
static int turn(struct sockets *sockets, const char *word, int timeout, int64_t *answered) {
  struct epoll_event events[64];
  char buffer[16384];
  int found = 0;
  int count = epoll_wait(sockets->epoll, events, 64, timeout);
  if (count == 0) return silence;
  for (int index = 0; index < count; index++) {
    uint32_t number = events[index].data.u32;
    if (number == post_number) {
      if (http_answer(sockets->post) / 100 != 2) return -1;
      if (answered) *answered = now();
      continue;
    }
    ssize_t length = recv(sockets->handles[number], buffer, sizeof buffer, MSG_DONTWAIT);
    if (length == 0 || (length < 0 && errno != EAGAIN)) return -1;
    if (length < 0 || sockets->has[number] || !memmem(buffer, (size_t)length, word, strlen(word))) continue;
    sockets->has[number] = 1;
    found++;
  }
  return found;
}

static int opened(struct sockets *sockets, const char *token) {
  char text[1024];
  int length = snprintf(
      text, sizeof text,
      "GET /v1/socket HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nConnection: Upgrade\r\n"
      "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      token);
  int socket_ = http_connected(sockets->port);
  if (socket_ < 0) return -1;
  sockets->has[sockets->count] = 0;
  sockets->handles[sockets->count] = socket_;
  sockets->count += 1;
  if (write(socket_, text, (size_t)length) != length) return -1;
  return watch(sockets, socket_, (uint32_t)sockets->count - 1);
}

int sockets_open(struct sockets *sockets, const char *const *tokens, int token_count, int count) {
  size_t size = (size_t)(sockets->count + count);
  int *handles = realloc(sockets->handles, size * sizeof *handles);
  if (handles) sockets->handles = handles;
  char *has = realloc(sockets->has, size);
  if (has) sockets->has = has;
  if (!handles || !has) return -1;
  for (int started = 0, greeted = 0; greeted < count;) {
    for (; started < count && started - greeted < most_opening; started++)
      if (opened(sockets, tokens[started % token_count])) return -1;
    int found = turn(sockets, "\"hello\"", patience_ms, NULL);
    if (found < 0) return -1;
    greeted += found;
  }
  return 0;
}

int sockets_settle(struct sockets *sockets) {
  // One byte, masked with zeros. The server does not notice an empty pong.
  static const char pong[] = {(char)0x8a, (char)0x81, 0, 0, 0, 0, 0};
  for (int index = 0; index < sockets->count; index++)
    if (send(sockets->handles[index], pong, sizeof pong, MSG_NOSIGNAL) != sizeof pong) return -1;
  int64_t limit = now() + (int64_t)patience_ms * 1000000;
  while (now() < limit) {
    int found = turn(sockets, "", 300, NULL);
    if (found < 0) return found == silence ? 0 : -1;
  }
  return -1;
}

int sockets_post(
    struct sockets *sockets, const char *token, const char *chat, const char *id, int members, int64_t *returned,
    int64_t *last) {
  if (sockets->post < 0) {
    sockets->post = http_connected(sockets->port);
    if (sockets->post < 0 || watch(sockets, sockets->post, post_number)) return -1;
  }
  memset(sockets->has, 0, (size_t)sockets->count);
  int64_t start = now(), answered = 0;
  if (http_post(sockets->post, token, chat, id)) return -1;
  for (int poked = 0; poked < members || !answered;) {
    int found = turn(sockets, "\"poke\"", patience_ms, &answered);
    if (found < 0) return -1;
    poked += found;
    if (found && poked == members) *last = now() - start;
  }
  *returned = answered - start;
  return 0;
}

void sockets_close(struct sockets *sockets) {
  for (int index = 0; index < sockets->count; index++) close(sockets->handles[index]);
  if (sockets->post >= 0) close(sockets->post);
  if (sockets->epoll >= 0) close(sockets->epoll);
  free(sockets->handles);
  free(sockets->has);
  free(sockets);
}
