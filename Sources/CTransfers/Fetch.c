#include "Fetch.h"
#include "Transfers.h"

#include <curl/curl.h>
#include <unistd.h>

static curl_socket_t open_socket(void *data, curlsocktype purpose, struct curl_sockaddr *address) {
  const cfetch_request *request = data;
  if (purpose != CURLSOCKTYPE_IPCXN || !request->allows(request->owner, &address->addr)) return CURL_SOCKET_BAD;
  return socket(address->family, address->socktype, address->protocol);
}

static size_t receive(char *bytes, size_t size, size_t count, void *data) {
  const cfetch_request *request = data;
  return request->receive(request->owner, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

int cfetch_run(const cfetch_request *request) {
  ctransfers_prepare();
  CURL *curl = curl_easy_init();
  if (!curl) return 0;
  CURLcode failed = CURLE_OK;
#define SET(option, value) if (failed == CURLE_OK) failed = curl_easy_setopt(curl, option, value)
  SET(CURLOPT_URL, request->url);
  SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075500
  SET(CURLOPT_PROTOCOLS_STR, "http,https");
  SET(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
  SET(CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  SET(CURLOPT_REDIR_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  // A proxy from the environment would be connected to instead of the checked address.
  SET(CURLOPT_PROXY, "");
  SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
  SET(CURLOPT_OPENSOCKETDATA, (void *)request);
  SET(CURLOPT_FOLLOWLOCATION, request->redirections > 0 ? 1L : 0L);
  SET(CURLOPT_MAXREDIRS, request->redirections);
  SET(CURLOPT_FAILONERROR, 1L);
  SET(CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)request->maximum_size);
  SET(CURLOPT_TIMEOUT, request->seconds);
  SET(CURLOPT_CONNECTTIMEOUT, request->seconds < 10 ? request->seconds : 10L);
  SET(CURLOPT_NOSIGNAL, 1L);
  SET(CURLOPT_USERAGENT, "Skein");
  SET(CURLOPT_WRITEFUNCTION, receive);
  SET(CURLOPT_WRITEDATA, (void *)request);
#undef SET
  long status = 0;
  if (failed == CURLE_OK) failed = curl_easy_perform(curl);
  if (failed == CURLE_OK) failed = curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_cleanup(curl);
  return failed == CURLE_OK && status == 200;
}
