#ifndef C_TRANSFERS_FETCH_H
#define C_TRANSFERS_FETCH_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/// A request with its limits and callbacks. The callbacks run on the thread that calls `cfetch_run`.
typedef struct cfetch_request {
  const char *url;
  void *owner;
  /// Called for each address before connecting, also after a redirection; the result 0 rejects the address.
  int (*allows)(void *owner, const struct sockaddr *address);
  /// Receives the next bytes of the body; the result 0 ends the fetch.
  int (*receive)(void *owner, const uint8_t *bytes, size_t length);
  int64_t maximum_size;
  /// The total time limit.
  long seconds;
  long redirections;
} cfetch_request;

/// Fetches over HTTP or HTTPS, blocking until the end. Returns 1 for a complete response with status 200, else 0.
int cfetch_run(const cfetch_request *request);

#endif
