#include "http.h"
#include "reference.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/// The requests of one connection.
struct connection {
  int port, each, number, failed;
  const char *token, *chat, *prefix;
};

static void *request(void *argument) {
  struct connection *own = argument;
  int socket_ = http_connected(own->port);
  own->failed = socket_ < 0;
  for (int index = 0; index < own->each && !own->failed; index++) {
    char id[128];
    snprintf(id, sizeof id, "%s-%d-%d", own->prefix ? own->prefix : "", own->number, index);
    int sent = own->chat ? http_post(socket_, own->token, own->chat, id) : http_health(socket_);
    own->failed = sent || http_answer(socket_) / 100 != 2;
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
