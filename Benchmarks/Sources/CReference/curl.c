#include "reference.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <time.h>

static size_t ignore(char *bytes, size_t size, size_t count, void *data) {
  (void)bytes, (void)data;
  return size * count;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static CURL *prepared(const char *url) {
  CURL *curl = curl_easy_init();
  curl_easy_setopt(curl, CURLOPT_URL, url);
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  return curl;
}

static int is_answered(CURL *curl) {
  long status = 0;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  return status == 200;
}

int64_t curl_one(const char *url, int count) {
  CURL *curl = prepared(url);
  int answered = 1;
  int64_t start = now();
  for (int index = 0; index < count && answered; index++)
    answered = curl_easy_perform(curl) == CURLE_OK && is_answered(curl);
  int64_t elapsed = now() - start;
  curl_easy_cleanup(curl);
  return answered ? elapsed : -1;
}

int64_t curl_many(const char *url, int parallel, int count) {
  CURLM *multi = curl_multi_init();
  CURL **all = calloc((size_t)parallel, sizeof *all);
  int started = 0, answered = 0, failed = 0, running, left;
  int64_t start = now();
  for (; started < parallel; started++) {
    all[started] = prepared(url);
    curl_multi_add_handle(multi, all[started]);
  }
  while (answered < count && !failed) {
    CURLMsg *message;
    curl_multi_perform(multi, &running);
    while ((message = curl_multi_info_read(multi, &left))) {
      CURL *curl = message->easy_handle;
      failed |= message->data.result != CURLE_OK || !is_answered(curl);
      answered++;
      curl_multi_remove_handle(multi, curl);
      if (started++ < count) curl_multi_add_handle(multi, curl);
    }
    if (answered < count) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  int64_t elapsed = now() - start;
  for (int index = 0; index < parallel; index++) {
    curl_multi_remove_handle(multi, all[index]);
    curl_easy_cleanup(all[index]);
  }
  curl_multi_cleanup(multi);
  free(all);
  return failed ? -1 : elapsed;
}
