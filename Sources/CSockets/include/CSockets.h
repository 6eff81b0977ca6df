#ifndef C_SOCKETS_H
#define C_SOCKETS_H

#if defined(__linux__)

#include <libwebsockets.h>
#include <stddef.h>
#include <stdint.h>

/// One libwebsockets context, the libev loop it runs on, and the means to wake that loop.
///
/// Everything but `csockets_service_wake` belongs to the thread that runs the loop.
typedef struct csockets_service csockets_service;

typedef struct csockets_callbacks {
  /// A libwebsockets callback. `id` is the connection's, 0 where there is none yet. Nonzero closes the connection.
  int (*event)(void *owner, struct lws *wsi, uintptr_t id, int reason, void *in, size_t length);
  /// After `csockets_service_wake`, once for any number of calls.
  void (*woken)(void *owner);
  /// Every so often, for deadlines.
  void (*ticked)(void *owner);
  /// What `csockets_watch` waited for: the peer has gone, or else the connection takes bytes again.
  void (*watched)(void *owner, uintptr_t id, int has_gone);
} csockets_callbacks;

typedef struct csockets_options {
  /// NULL: no listener.
  const char *host;
  int port;
  int maximum_header_size;
  double tick_seconds;
} csockets_options;

/// NULL when it can't be; then `error` holds why.
csockets_service *csockets_service_create(
    const csockets_options *options, csockets_callbacks callbacks, void *owner, char *error, size_t error_size);
int csockets_service_port(const csockets_service *service);
/// Runs the loop until `csockets_service_stop`.
void csockets_service_run(csockets_service *service);
/// Closes every connection, with the callbacks that belong to it, and frees the service.
void csockets_service_destroy(csockets_service *service);
void csockets_service_wake(csockets_service *service);
void csockets_service_stop(csockets_service *service);

/// Starts a thread on which no signal is handled. Returns 0 or an errno.
int csockets_thread_start(void *(*body)(void *), void *argument, unsigned long *thread);
void csockets_thread_join(unsigned long thread);
int csockets_thread_is_current(unsigned long thread);

void csockets_set_id(struct lws *wsi, uintptr_t id);

/// Tells `watched` once, for a connection that the library is not to read for now.
///
/// Needed since 4.1 neither notices that such a peer has gone nor writes to it: where it is asked to write, it spins.
void csockets_watch(csockets_service *service, struct lws *wsi, uintptr_t id, int wants_writable);
void csockets_unwatch(csockets_service *service, struct lws *wsi);
/// Sends without the library. Returns how much was taken, 0 when nothing is for now, <0 when the connection has failed.
long csockets_send(struct lws *wsi, const void *bytes, size_t length);

/// How many bytes must be free before what is given to the write functions.
size_t csockets_headroom(void);
/// One fragment of a message, or a whole one. Returns <0 when the connection has failed.
int csockets_write_message(struct lws *wsi, uint8_t *bytes, size_t length, int is_text, int is_first, int is_last);
int csockets_write_ping(struct lws *wsi, uint8_t *bytes, size_t length);
void csockets_set_close_reason(struct lws *wsi, uint16_t code, uint8_t *reason, size_t length);
/// Closes at once, whatever state the connection is in; not from within its own callback.
void csockets_kill(struct lws *wsi);
void csockets_clear_timeout(struct lws *wsi);
/// Ends what is sent, and lets the peer read what was.
void csockets_end_sending(struct lws *wsi);
/// Ends a request, ready for the next. Nonzero: close the connection.
///
/// That is also so when the client has sent the next request before this answer and the library has read some of it:
/// 4.1 takes the fields of such a request for its body.
int csockets_end_transaction(struct lws *wsi);

int csockets_method(struct lws *wsi, char **path, int *length);
const char *csockets_header_name(int token);
int csockets_header_count(void);
/// Writes the numeric address of the peer.
void csockets_peer_address(struct lws *wsi, char *address, size_t size);

/// Writes the time as the `Date` field wants it, in English whatever the locale.
void csockets_date(char *date, size_t size);

/// Starts a connection; `event` tells how it goes, possibly before this returns. Returns 0 when there is none.
int csockets_connect(
    csockets_service *service, uintptr_t id, const char *address, int port, int is_tls, const char *path,
    const char *host);
/// In `LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER`: adds a field. Nonzero when there is no room.
int csockets_append_header(
    struct lws *wsi, void *in, size_t length, const char *name_with_colon, const char *value, int value_length);

#endif
#endif
