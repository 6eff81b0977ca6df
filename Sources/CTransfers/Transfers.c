#include "Transfers.h"

#include <curl/curl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <strings.h>

#if defined(__linux__)
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#endif

/// Handles that are kept for later transfers.
#define SPARE_HANDLES 8

struct ctransfers {
  CURLM *multi;
  ctransfers_events events;
  CURL *spare[SPARE_HANDLES];
  int spare_count;
};

struct ctransfer {
  ctransfers *all;
  CURL *curl;
  void *owner;
  struct curl_slist *headers;
  CURLcode failed;
  int is_secure;
  int is_added;
};

#define SET(transfer, option, value) \
  if ((transfer)->failed == CURLE_OK) (transfer)->failed = curl_easy_setopt((transfer)->curl, option, value)

static pthread_once_t prepared = PTHREAD_ONCE_INIT;

static void prepare(void) { curl_global_init(CURL_GLOBAL_DEFAULT); }

void ctransfers_prepare(void) { pthread_once(&prepared, prepare); }

int ctransfers_start_thread(void *(*body)(void *), void *argument) {
  sigset_t all, before;
  pthread_t thread;
  sigfillset(&all);
  int failed = pthread_sigmask(SIG_SETMASK, &all, &before);
  if (failed) return failed;
  failed = pthread_create(&thread, NULL, body, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!failed) pthread_detach(thread);
  return failed;
}

ctransfers *ctransfers_new(long kept_connections, ctransfers_events events) {
  ctransfers_prepare();
  ctransfers *all = calloc(1, sizeof *all);
  if (!all) return NULL;
  all->events = events;
  all->multi = curl_multi_init();
  if (!all->multi) {
    free(all);
    return NULL;
  }
  // By default libcurl keeps fewer connections after a busy moment than it had opened for it.
  curl_multi_setopt(all->multi, CURLMOPT_MAXCONNECTS, kept_connections);
  return all;
}

void ctransfers_free(ctransfers *all) {
  while (all->spare_count > 0) curl_easy_cleanup(all->spare[--all->spare_count]);
  curl_multi_cleanup(all->multi);
  free(all);
}

void ctransfers_run(ctransfers *all) {
  int running;
  curl_multi_perform(all->multi, &running);
}

void *ctransfers_next_ended(ctransfers *all, int *code) {
  int left;
  CURLMsg *message;
  while ((message = curl_multi_info_read(all->multi, &left))) {
    ctransfer *transfer = NULL;
    if (message->msg != CURLMSG_DONE) continue;
    *code = (int)message->data.result;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    return transfer->owner;
  }
  return NULL;
}

void ctransfers_wait(ctransfers *all, int milliseconds) {
  int count;
  curl_multi_poll(all->multi, NULL, 0, milliseconds, &count);
}

void ctransfers_wake(ctransfers *all) { curl_multi_wakeup(all->multi); }

static int begins(void *data, char *own, char *other, int own_port, int other_port) {
  (void)own, (void)other, (void)own_port, (void)other_port;
  const ctransfer *transfer = data;
  return transfer->all->events.begins(transfer->owner) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

static size_t receive_head(char *bytes, size_t size, size_t count, void *data) {
  const ctransfer *transfer = data;
  size_t length = size * count;
  return transfer->all->events.receives_head(transfer->owner, (const uint8_t *)bytes, length) ? length : 0;
}

static size_t receive(char *bytes, size_t size, size_t count, void *data) {
  const ctransfer *transfer = data;
  size_t length = size * count;
  return transfer->all->events.receives(transfer->owner, (const uint8_t *)bytes, length) ? length : 0;
}

static size_t send_body(char *buffer, size_t size, size_t count, void *data) {
  const ctransfer *transfer = data;
  ptrdiff_t length = transfer->all->events.sends(transfer->owner, (uint8_t *)buffer, size * count);
  return length < 0 ? CURL_READFUNC_ABORT : (size_t)length;
}

static int rewind_body(void *data, curl_off_t offset, int origin) {
  const ctransfer *transfer = data;
  if (offset != 0 || origin != SEEK_SET) return CURL_SEEKFUNC_FAIL;
  transfer->all->events.rewinds(transfer->owner);
  return CURL_SEEKFUNC_OK;
}

ctransfer *ctransfer_new(ctransfers *all, void *owner, const char *method, const char *url) {
  ctransfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->all = all;
  transfer->owner = owner;
  transfer->curl = all->spare_count > 0 ? all->spare[--all->spare_count] : curl_easy_init();
  if (!transfer->curl) {
    free(transfer);
    return NULL;
  }
  transfer->is_secure = strncasecmp(url, "https:", 6) == 0;
  SET(transfer, CURLOPT_PRIVATE, (void *)transfer);
  SET(transfer, CURLOPT_URL, url);
  if (strcasecmp(method, "HEAD") == 0) {
    SET(transfer, CURLOPT_NOBODY, 1L);
  } else {
    SET(transfer, CURLOPT_CUSTOMREQUEST, method);
  }
  return transfer;
}

void ctransfer_add_header(ctransfer *transfer, const char *line) {
  struct curl_slist *headers = curl_slist_append(transfer->headers, line);
  if (headers) {
    transfer->headers = headers;
  } else {
    transfer->failed = CURLE_OUT_OF_MEMORY;
  }
}

void ctransfer_copy_body(ctransfer *transfer, const uint8_t *bytes, size_t length) {
  SET(transfer, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
  SET(transfer, CURLOPT_COPYPOSTFIELDS, length > 0 ? (const char *)bytes : "");
}

void ctransfer_stream_body(ctransfer *transfer, int64_t length) {
  SET(transfer, CURLOPT_POST, 1L);
  SET(transfer, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length);
  SET(transfer, CURLOPT_READFUNCTION, send_body);
  SET(transfer, CURLOPT_READDATA, (void *)transfer);
  SET(transfer, CURLOPT_SEEKFUNCTION, rewind_body);
  SET(transfer, CURLOPT_SEEKDATA, (void *)transfer);
}

#if defined(__linux__)
/// The time after which a connection is broken if the other side has not confirmed what was sent. After a change of the
/// network, the system would wait for 15 minutes, and libcurl would send all requests to a server of HTTP/2 meanwhile over
/// the dead connection.
static const unsigned int confirmation_milliseconds = 30000;

static int prepare_socket(void *client, curl_socket_t socket_, curlsocktype purpose) {
  (void)client;
  // Only Linux has the option, and the connection works without it.
  if (purpose == CURLSOCKTYPE_IPCXN)
    setsockopt(socket_, IPPROTO_TCP, TCP_USER_TIMEOUT, &confirmation_milliseconds, sizeof confirmation_milliseconds);
  return CURL_SOCKOPT_OK;
}
#endif

int ctransfer_begin(ctransfer *transfer, long connect_milliseconds, int accepts_compressed) {
  // libcurl would wait a second for the server's consent to a long body.
  ctransfer_add_header(transfer, "Expect:");
  SET(transfer, CURLOPT_HTTPHEADER, transfer->headers);
#if LIBCURL_VERSION_NUM >= 0x075500
  SET(transfer, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  SET(transfer, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  // A path is sent as it is: dots in it are the caller's.
  SET(transfer, CURLOPT_PATH_AS_IS, 1L);
  SET(transfer, CURLOPT_FOLLOWLOCATION, 0L);
  SET(transfer, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  // Before each request opens a connection of its own, it waits for one that may take them all. Without TLS that is known
  // only once a server has answered.
  if (transfer->is_secure) SET(transfer, CURLOPT_PIPEWAIT, 1L);
  SET(transfer, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  SET(transfer, CURLOPT_USERAGENT, "Skein");
  if (accepts_compressed) SET(transfer, CURLOPT_ACCEPT_ENCODING, "");
  SET(transfer, CURLOPT_CONNECTTIMEOUT_MS, connect_milliseconds);
  SET(transfer, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  // Without it, a transfer that ends while its host's name is being looked up blocks the thread until the lookup ends.
  SET(transfer, CURLOPT_QUICK_EXIT, 1L);
#endif
#if defined(__linux__)
  SET(transfer, CURLOPT_SOCKOPTFUNCTION, prepare_socket);
#endif
  // A request may wait for minutes. Whether the other side is still there is asked meanwhile.
  SET(transfer, CURLOPT_TCP_KEEPALIVE, 1L);
  SET(transfer, CURLOPT_TCP_KEEPIDLE, 20L);
  SET(transfer, CURLOPT_TCP_KEEPINTVL, 10L);
  SET(transfer, CURLOPT_PREREQFUNCTION, begins);
  SET(transfer, CURLOPT_PREREQDATA, (void *)transfer);
  SET(transfer, CURLOPT_HEADERFUNCTION, receive_head);
  SET(transfer, CURLOPT_HEADERDATA, (void *)transfer);
  SET(transfer, CURLOPT_WRITEFUNCTION, receive);
  SET(transfer, CURLOPT_WRITEDATA, (void *)transfer);
  if (transfer->failed != CURLE_OK) return 0;
  transfer->is_added = curl_multi_add_handle(transfer->all->multi, transfer->curl) == CURLM_OK;
  return transfer->is_added;
}

void ctransfer_end(ctransfer *transfer) {
  ctransfers *all = transfer->all;
  if (transfer->is_added) curl_multi_remove_handle(all->multi, transfer->curl);
  if (all->spare_count < SPARE_HANDLES) {
    curl_easy_reset(transfer->curl);
    all->spare[all->spare_count++] = transfer->curl;
  } else {
    curl_easy_cleanup(transfer->curl);
  }
  curl_slist_free_all(transfer->headers);
  free(transfer);
}

long ctransfer_unconfirmed(const ctransfer *transfer) {
#if defined(__linux__)
  curl_socket_t socket_ = CURL_SOCKET_BAD;
  int count = 0;
  if (curl_easy_getinfo(transfer->curl, CURLINFO_ACTIVESOCKET, &socket_) != CURLE_OK) return 0;
  if (socket_ == CURL_SOCKET_BAD || ioctl(socket_, SIOCOUTQ, &count) != 0) return 0;
  return count;
#else
  (void)transfer;
  return 0;
#endif
}

const char *ctransfer_describe(int code) { return curl_easy_strerror((CURLcode)code); }
