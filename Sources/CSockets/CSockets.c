#define _GNU_SOURCE
#include "CSockets.h"

#if defined(__linux__)

#include <errno.h>
#include <ev.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct csockets_service {
  struct lws_context *context;
  struct lws_vhost *vhost;
  struct ev_loop *loop;
  struct ev_async wake;
  struct ev_timer tick;
  struct ev_io watch;
  /// libev can't wait for a hang-up alone, so this epoll does, and the loop watches it.
  int watch_epoll;
  int is_stopped;
  struct lws_protocols protocols[2];
  lws_retry_bo_t no_pings;
  csockets_callbacks callbacks;
  void *owner;
};

/// The first error that libwebsockets logs while a context is created.
static _Thread_local char first_error[256];

static void keep_first_error(int level, const char *line) {
  (void)level;
  if (first_error[0]) return;
  strncpy(first_error, line, sizeof first_error - 1);
  first_error[strcspn(first_error, "\r\n")] = 0;
}

static void set_log_level(void) { lws_set_log_level(LLL_ERR, keep_first_error); }

static int on_event(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
  (void)user;
  csockets_service *service = wsi ? lws_context_user(lws_get_context(wsi)) : NULL;
  if (!service) return 0;
  uintptr_t id = (uintptr_t)lws_get_opaque_user_data(wsi);
  return service->callbacks.event(service->owner, wsi, id, (int)reason, in, length);
}

static void on_wake(struct ev_loop *loop, struct ev_async *watcher, int events) {
  (void)loop, (void)events;
  csockets_service *service = watcher->data;
  service->callbacks.woken(service->owner);
}

static void on_tick(struct ev_loop *loop, struct ev_timer *watcher, int events) {
  (void)loop, (void)events;
  csockets_service *service = watcher->data;
  service->callbacks.ticked(service->owner);
  // libwebsockets checks its timers only after an event of its own.
  lws_cancel_service(service->context);
}

static void on_watch(struct ev_loop *loop, struct ev_io *watcher, int events) {
  (void)loop, (void)events;
  csockets_service *service = watcher->data;
  struct epoll_event found[64];
  int count = epoll_wait(service->watch_epoll, found, 64, 0);
  for (int index = 0; index < count; index += 1) {
    int has_gone = (found[index].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
    service->callbacks.watched(service->owner, (uintptr_t)found[index].data.u64, has_gone);
  }
}

void csockets_service_destroy(csockets_service *service) {
  if (service->context) lws_context_destroy(service->context);
  if (service->loop) {
    ev_async_stop(service->loop, &service->wake);
    ev_timer_stop(service->loop, &service->tick);
    ev_io_stop(service->loop, &service->watch);
    ev_loop_destroy(service->loop);
  }
  if (service->watch_epoll >= 0) close(service->watch_epoll);
  free(service);
}

csockets_service *csockets_service_create(
    const csockets_options *options, csockets_callbacks callbacks, void *owner, char *error, size_t error_size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_log_level);
  first_error[0] = 0;

  csockets_service *service = calloc(1, sizeof *service);
  if (!service) return NULL;
  service->callbacks = callbacks;
  service->owner = owner;
  service->watch_epoll = epoll_create1(EPOLL_CLOEXEC);
  service->loop = ev_loop_new(EVBACKEND_EPOLL | EVFLAG_NOENV);
  if (!service->loop || service->watch_epoll < 0) goto failed;

  ev_async_init(&service->wake, on_wake);
  ev_timer_init(&service->tick, on_tick, options->tick_seconds, options->tick_seconds);
  ev_io_init(&service->watch, on_watch, service->watch_epoll, EV_READ);
  service->wake.data = service->tick.data = service->watch.data = service;
  ev_async_start(service->loop, &service->wake);
  ev_timer_start(service->loop, &service->tick);
  ev_io_start(service->loop, &service->watch);

  // Each WebSocket has a buffer of `rx_buffer_size`. Writes beyond `tx_packet_size` are copied first. Only
  // with user data is there a callback when libwebsockets begins to close a connection by itself.
  service->protocols[0] = (struct lws_protocols){
      .name = "", .callback = on_event, .per_session_data_size = 1, .rx_buffer_size = 4096, .tx_packet_size = 32 << 10};
  void *loops[1] = {service->loop};
  struct lws_context_creation_info info = {0};
  info.options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                 LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | LWS_SERVER_OPTION_NO_LWS_SYSTEM_STATES;
  if (!options->host) info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
  if (options->host && !strchr(options->host, ':')) info.options |= LWS_SERVER_OPTION_DISABLE_IPV6;
  info.foreign_loops = loops;
  info.user = service;
  info.gid = info.uid = -1;
  info.pt_serv_buf_size = 32 << 10;
  info.max_http_header_data2 = (unsigned)options->maximum_header_size;
  // The owner enforces time limits; those of libwebsockets only have to be longer.
  info.timeout_secs = 1 << 20;
  info.timeout_secs_ah_idle = 1 << 20;
  info.keepalive_timeout = 1 << 20;
  info.retry_and_idle_policy = &service->no_pings;
  info.protocols = service->protocols;
  info.iface = options->host;
  info.port = options->host ? options->port : CONTEXT_PORT_NO_LISTEN;
  service->context = lws_create_context(&info);
  if (!service->context) goto failed;
  service->vhost = lws_create_vhost(service->context, &info);
  if (!service->vhost) goto failed;
  return service;

failed:
  strncpy(error, first_error[0] ? first_error : strerror(errno), error_size - 1);
  csockets_service_destroy(service);
  return NULL;
}

int csockets_service_port(const csockets_service *service) { return lws_get_vhost_listen_port(service->vhost); }

void csockets_service_run(csockets_service *service) {
  // A break of a loop that isn't running yet has no effect.
  if (!service->is_stopped) ev_run(service->loop, 0);
}

void csockets_service_wake(csockets_service *service) { ev_async_send(service->loop, &service->wake); }

void csockets_service_stop(csockets_service *service) {
  service->is_stopped = 1;
  ev_break(service->loop, EVBREAK_ALL);
}

int csockets_thread_start(void *(*body)(void *), void *argument, unsigned long *thread) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t made = 0;
  int result = pthread_create(&made, NULL, body, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  *thread = made;
  return result;
}

void csockets_thread_join(unsigned long thread) { pthread_join((pthread_t)thread, NULL); }

int csockets_thread_is_current(unsigned long thread) { return pthread_equal(pthread_self(), (pthread_t)thread); }

void csockets_set_id(struct lws *wsi, uintptr_t id) { lws_set_opaque_user_data(wsi, (void *)id); }

void csockets_watch(csockets_service *service, struct lws *wsi, uintptr_t id, int wants_writable) {
  struct epoll_event event = {
      .events = EPOLLRDHUP | EPOLLONESHOT | (wants_writable ? EPOLLOUT : 0), .data.u64 = id};
  int socket = lws_get_socket_fd(wsi);
  if (epoll_ctl(service->watch_epoll, EPOLL_CTL_ADD, socket, &event) < 0 && errno == EEXIST)
    epoll_ctl(service->watch_epoll, EPOLL_CTL_MOD, socket, &event);
}

void csockets_unwatch(csockets_service *service, struct lws *wsi) {
  epoll_ctl(service->watch_epoll, EPOLL_CTL_DEL, lws_get_socket_fd(wsi), NULL);
}

long csockets_send(struct lws *wsi, const void *bytes, size_t length) {
  ssize_t count = send(lws_get_socket_fd(wsi), bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (count >= 0) return count;
  return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

size_t csockets_headroom(void) { return LWS_PRE; }

int csockets_write_message(struct lws *wsi, uint8_t *bytes, size_t length, int is_text, int is_first, int is_last) {
  int kind = is_first ? (is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY) : LWS_WRITE_CONTINUATION;
  return lws_write(wsi, bytes, length, (enum lws_write_protocol)(kind | (is_last ? 0 : LWS_WRITE_NO_FIN)));
}

int csockets_write_ping(struct lws *wsi, uint8_t *bytes, size_t length) {
  return lws_write(wsi, bytes, length, LWS_WRITE_PING);
}

void csockets_set_close_reason(struct lws *wsi, uint16_t code, uint8_t *reason, size_t length) {
  lws_close_reason(wsi, (enum lws_close_status)code, reason, length);
}

void csockets_kill(struct lws *wsi) {
  // Otherwise libwebsockets might wait for the peer to receive buffered data.
  shutdown(lws_get_socket_fd(wsi), SHUT_RDWR);
  lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_SYNC);
}

void csockets_clear_timeout(struct lws *wsi) { lws_set_timeout(wsi, NO_PENDING_TIMEOUT, 0); }

void csockets_end_sending(struct lws *wsi) { shutdown(lws_get_socket_fd(wsi), SHUT_WR); }

int csockets_end_transaction(struct lws *wsi) {
  if (lws_http_transaction_completed(wsi)) return -1;
  // A header table is still attached only if input is left over, and only then does this write to `probe`.
  char probe[2] = {1, 0};
  lws_hdr_custom_copy(wsi, probe, sizeof probe, "", 0);
  return probe[0] ? 0 : -1;
}

int csockets_method(struct lws *wsi, char **path, int *length) {
  return lws_http_get_uri_and_method(wsi, path, length);
}

const char *csockets_header_name(int token) {
  return (const char *)lws_token_to_string((enum lws_token_indexes)token);
}

int csockets_header_count(void) { return WSI_TOKEN_X_AUTH_TOKEN + 1; }

void csockets_peer_address(struct lws *wsi, char *address, size_t size) {
  lws_get_peer_simple(wsi, address, size);
}

void csockets_date(char *date, size_t size) {
  static const char days[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static const char months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  time_t now = time(NULL);
  struct tm parts;
  gmtime_r(&now, &parts);
  snprintf(
      date, size, "%s, %02d %s %d %02d:%02d:%02d GMT", days[parts.tm_wday], parts.tm_mday, months[parts.tm_mon],
      parts.tm_year + 1900, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

int csockets_connect(
    csockets_service *service, uintptr_t id, const char *address, int port, int is_tls, const char *path,
    const char *host) {
  struct lws_client_connect_info info = {0};
  info.context = service->context;
  info.vhost = service->vhost;
  info.address = address;
  info.port = port;
  info.ssl_connection = LCCSCF_HTTP_NO_FOLLOW_REDIRECT | (is_tls ? LCCSCF_USE_SSL : 0);
  info.path = path;
  info.host = host;
  info.alpn = "http/1.1";
  info.ietf_version_or_minus_one = -1;
  info.local_protocol_name = "";
  info.opaque_user_data = (void *)id;
  info.retry_and_idle_policy = &service->no_pings;
  struct lws *wsi = lws_client_connect_via_info(&info);
  // A failure may be pending in a timer of libwebsockets, which are checked only after an event of its own.
  lws_cancel_service(service->context);
  return wsi != NULL;
}

int csockets_append_header(
    struct lws *wsi, void *in, size_t length, const char *name_with_colon, const char *value, int value_length) {
  unsigned char **position = in;
  return lws_add_http_header_by_name(
      wsi, (const unsigned char *)name_with_colon, (const unsigned char *)value, value_length, position,
      *position + length);
}

#endif
