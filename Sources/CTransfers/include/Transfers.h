#ifndef C_TRANSFERS_TRANSFERS_H
#define C_TRANSFERS_TRANSFERS_H

#include <stddef.h>
#include <stdint.h>

/// Many HTTP transfers on one thread, with the connections that they share. Functions with variable arguments are not
/// imported into Swift, and libcurl's settings are such functions.
///
/// Call everything but `ctransfers_wake` on the thread that made the transfers.
typedef struct ctransfers ctransfers;

/// One request and its answer.
typedef struct ctransfer ctransfer;

/// Called on the thread of `ctransfers_run`, with the owner of the transfer.
typedef struct ctransfers_events {
  /// The request is about to be sent over a connection, for the first time or again; 0 ends the transfer.
  int (*begins)(void *owner);
  /// A line of the answer's head, with its line break; 0 ends the transfer.
  int (*receives_head)(void *owner, const uint8_t *line, size_t length);
  /// The next bytes of the answer's body; 0 ends the transfer.
  int (*receives)(void *owner, const uint8_t *bytes, size_t length);
  /// Copies the next bytes of the request's body, and returns their number; a negative number ends the transfer.
  ptrdiff_t (*sends)(void *owner, uint8_t *buffer, size_t capacity);
  /// Continues the request's body from its start.
  void (*rewinds)(void *owner);
} ctransfers_events;

/// Initializes libcurl, at the first call.
void ctransfers_prepare(void);

/// Starts a detached thread with all signals blocked, also the one of a connection closed by the other side. Returns 0
/// or an errno.
int ctransfers_start_thread(void *(*body)(void *), void *argument);

/// Returns NULL if there is no memory or no file descriptor left.
///
/// The caller limits the number of transfers. libcurl 7.88 has limits of its own, for connections and for streams, and with
/// HTTP/2 it forgets some of the transfers that had to wait for them.
ctransfers *ctransfers_new(long kept_connections, ctransfers_events events);
/// Closes all connections. Every transfer has ended before.
void ctransfers_free(ctransfers *all);
/// Sends and receives without waiting.
void ctransfers_run(ctransfers *all);
/// Returns the owner of a transfer that has nothing more to send or receive, and libcurl's code for its end; NULL if
/// there is none.
void *ctransfers_next_ended(ctransfers *all, int *code);
/// Waits until there is something to send or to receive, `ctransfers_wake` was called, or the time has passed.
void ctransfers_wait(ctransfers *all, int milliseconds);
/// Ends the current or the next wait. May be called on any thread, until `ctransfers_free`.
void ctransfers_wake(ctransfers *all);

/// Prepares a request; NULL if there is no memory. A setting that fails is noticed by `ctransfer_begin`.
ctransfer *ctransfer_new(ctransfers *all, void *owner, const char *method, const char *url);
/// Adds a header field: `Name: value`, or `Name;` for an empty value.
void ctransfer_add_header(ctransfer *transfer, const char *line);
/// Sets a short body, of which libcurl makes a copy.
void ctransfer_copy_body(ctransfer *transfer, const uint8_t *bytes, size_t length);
/// Sets the length of a body that `sends` provides.
void ctransfer_stream_body(ctransfer *transfer, int64_t length);
/// Starts sending. Returns 0 if libcurl refuses one of the settings.
int ctransfer_begin(ctransfer *transfer, long connect_milliseconds, int accepts_compressed);
/// Ends and frees a transfer at any time. The connection stays open only if the answer was complete.
void ctransfer_end(ctransfer *transfer);
/// The number of bytes that the system has accepted and the other side has not confirmed yet.
long ctransfer_unconfirmed(const ctransfer *transfer);

/// A sentence for one of libcurl's codes.
const char *ctransfer_describe(int code);

#endif
