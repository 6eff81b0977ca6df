#ifndef C_SOCKETS_H
#define C_SOCKETS_H

#if defined(__linux__)

#include <libwebsockets.h>
#include <stddef.h>
#include <stdint.h>

/// A libwebsockets context and the libev loop it runs on.
///
/// Except `csockets_service_wake`, call every function with a service or a connection on the thread that runs the loop.
typedef struct csockets_service csockets_service;

typedef struct csockets_callbacks {
  /// A libwebsockets callback. `id` is the id of the connection, 0 if the connection has no id yet. A nonzero result
  /// closes the connection.
  int (*event)(void *owner, struct lws *wsi, uintptr_t id, int reason, void *in, size_t length);
  /// Called after `csockets_service_wake`; several calls may cause only one callback.
  void (*woken)(void *owner);
  /// Called every `tick_seconds`.
  void (*ticked)(void *owner);
  /// Called after `csockets_watch`: the peer has disconnected (`has_gone` is 1), or the socket is writable (0).
  void (*watched)(void *owner, uintptr_t id, int has_gone);
} csockets_callbacks;

typedef struct csockets_options {
  /// NULL for no listener.
  const char *host;
  int port;
  int maximum_header_size;
  double tick_seconds;
} csockets_options;

/// Returns NULL on failure, with the reason in `error`.
csockets_service *csockets_service_create(
    const csockets_options *options, csockets_callbacks callbacks, void *owner, char *error, size_t error_size);
int csockets_service_port(const csockets_service *service);
/// Runs the loop until `csockets_service_stop`.
void csockets_service_run(csockets_service *service);
/// Closes all connections, with their callbacks, and frees the service.
void csockets_service_destroy(csockets_service *service);
void csockets_service_wake(csockets_service *service);
void csockets_service_stop(csockets_service *service);

/// Starts a thread with all signals blocked. Returns 0 or an errno.
int csockets_thread_start(void *(*body)(void *), void *argument, unsigned long *thread);
void csockets_thread_join(unsigned long thread);
int csockets_thread_is_current(unsigned long thread);

void csockets_set_id(struct lws *wsi, uintptr_t id);

/// Watches a connection whose reading is paused, and calls `watched` once: when the peer has disconnected or, if
/// `wants_writable` is not 0, when the socket is writable.
///
/// While reading is paused, libwebsockets 4.1 does not notice that the peer has disconnected. If it has to write to
/// the connection then, its loop spins.
void csockets_watch(csockets_service *service, struct lws *wsi, uintptr_t id, int wants_writable);
void csockets_unwatch(csockets_service *service, struct lws *wsi);
/// Sends bytes to the socket directly, without libwebsockets. Returns the number of bytes accepted, 0 if the socket is
/// full, <0 on failure.
long csockets_send(struct lws *wsi, const void *bytes, size_t length);

/// The number of free bytes that the write functions need in front of `bytes`.
size_t csockets_headroom(void);
/// Writes a fragment of a message. Returns <0 on failure.
int csockets_write_message(struct lws *wsi, uint8_t *bytes, size_t length, int is_text, int is_first, int is_last);
int csockets_write_ping(struct lws *wsi, uint8_t *bytes, size_t length);
void csockets_set_close_reason(struct lws *wsi, uint16_t code, uint8_t *reason, size_t length);
/// Closes a connection at once, in any state. Must not be called in an `event` callback of the same connection.
void csockets_kill(struct lws *wsi);
void csockets_clear_timeout(struct lws *wsi);
/// Shuts down sending; the peer can still read what was sent.
void csockets_end_sending(struct lws *wsi);
/// Ends a request and prepares for the next request. If the result is not 0, close the connection.
///
/// The result is also not 0 if libwebsockets has read a part of the next request: 4.1 would parse the header fields of
/// that request as its body.
int csockets_end_transaction(struct lws *wsi);

int csockets_method(struct lws *wsi, char **path, int *length);
const char *csockets_header_name(int token);
int csockets_header_count(void);
/// Writes the numeric address of the peer.
void csockets_peer_address(struct lws *wsi, char *address, size_t size);

/// Writes the current time in the format of the `Date` field, independent of the locale.
void csockets_date(char *date, size_t size);

/// Starts a connection. `event` may be called before this function returns. Returns 0 on failure.
int csockets_connect(
    csockets_service *service, uintptr_t id, const char *address, int port, int is_tls, const char *path,
    const char *host);
/// Adds a header field, during `LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER`. Returns a nonzero value if there is no
/// room.
int csockets_append_header(
    struct lws *wsi, void *in, size_t length, const char *name_with_colon, const char *value, int value_length);

#endif
#endif
