#ifndef C_FETCH_H
#define C_FETCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/// What is to be fetched, and who decides about it. Callbacks run on the thread of `cfetch_run`.
typedef struct cfetch_request {
  const char *url;
  void *owner;
  /// Asked for the very address that is about to be connected to, also after a redirection; 0 refuses it.
  int (*allows)(void *owner, const struct sockaddr *address);
  /// Takes the next bytes of the answer; 0 ends the fetch.
  int (*receive)(void *owner, const uint8_t *bytes, size_t length);
  int64_t maximum_size;
  /// In all.
  long seconds;
  long redirections;
} cfetch_request;

/// Prepares the process, once, before the first fetch and on one thread.
void cfetch_start(void);

/// Fetches over HTTP or HTTPS and blocks until the end. 1 if a whole answer with status 200 came, else 0: why not is not told.
int cfetch_run(const cfetch_request *request);

#endif
