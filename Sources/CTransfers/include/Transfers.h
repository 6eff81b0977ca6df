#ifndef C_TRANSFERS_TRANSFERS_H
#define C_TRANSFERS_TRANSFERS_H

#include <stddef.h>
#include <stdint.h>

/// Many HTTP transfers on one thread, with the connections that they share. libcurl's options are set by functions with
/// variable arguments, which Swift does not import.
///
/// Except `ctransfers_wake`, do not call functions with a `ctransfers` or a `ctransfer` on two threads at once.
typedef struct ctransfers ctransfers;

/// One request and its answer.
typedef struct ctransfer ctransfer;

/// Called on the thread of `ctransfers_run`, with the owner of the transfer.
typedef struct ctransfers_events {
  /// The request is about to be sent over a connection, for the first time or again; the result 0 ends the transfer.
  int (*begins)(void *owner);
  /// A line of the answer's head, with its line break; the result 0 ends the transfer.
  int (*receives_head)(void *owner, const uint8_t *line, size_t length);
  /// The next bytes of the answer's body; the result 0 ends the transfer.
  int (*receives)(void *owner, const uint8_t *bytes, size_t length);
  /// Copies the next bytes of the request's body, and returns their number; a negative result ends the transfer.
  ptrdiff_t (*sends)(void *owner, uint8_t *buffer, size_t capacity);
  /// Starts the request's body again: the next call of `sends` copies its first bytes.
  void (*rewinds)(void *owner);
} ctransfers_events;

/// Initializes libcurl, at the first call.
void ctransfers_prepare(void);

/// Starts a detached thread with all signals blocked, including SIGPIPE. Returns 0 or an errno.
int ctransfers_start_thread(void *(*body)(void *), void *argument);

/// Returns NULL if there is no memory or no file descriptor left.
///
/// The caller must limit the number of transfers. libcurl 7.88 can limit connections and streams itself, but with
/// HTTP/2 it forgets some transfers that wait for a free connection or stream.
ctransfers *ctransfers_new(long kept_connections, ctransfers_events events);
/// Closes all connections. Must be called after every transfer has ended.
void ctransfers_free(ctransfers *all);
/// Sends and receives without waiting.
void ctransfers_run(ctransfers *all);
/// Returns the owner of a transfer that libcurl has finished, and sets `code` to libcurl's result; NULL if there is
/// none. Each transfer is returned once.
void *ctransfers_next_ended(ctransfers *all, int *code);
/// Waits until there is something to send or to receive, `ctransfers_wake` was called, or the time has passed.
void ctransfers_wait(ctransfers *all, int milliseconds);
/// Ends the current or the next wait. May be called on any thread, until `ctransfers_free`.
void ctransfers_wake(ctransfers *all);

/// Prepares a request; returns NULL if there is no memory. If a setting fails, `ctransfer_begin` returns 0.
ctransfer *ctransfer_new(ctransfers *all, void *owner, const char *method, const char *url);
/// Adds a header field: `Name: value`, or `Name;` for an empty value.
void ctransfer_add_header(ctransfer *transfer, const char *line);
/// Sets a short body, of which libcurl makes a copy.
void ctransfer_copy_body(ctransfer *transfer, const uint8_t *bytes, size_t length);
/// Sets the length of a body that `sends` provides.
void ctransfer_stream_body(ctransfer *transfer, int64_t length);
/// Starts sending. Returns 0 if a setting has failed, or if libcurl does not accept the transfer.
int ctransfer_begin(ctransfer *transfer, long connect_milliseconds, int accepts_compressed);
/// Ends and frees a transfer at any time. The connection stays open only if the answer was complete.
void ctransfer_end(ctransfer *transfer);
/// The number of bytes that the system has accepted and the other side has not confirmed yet; 0 if the number is
/// unknown, as on all systems but Linux.
long ctransfer_unconfirmed(const ctransfer *transfer);

/// A sentence for one of libcurl's codes.
const char *ctransfer_describe(int code);

#endif
