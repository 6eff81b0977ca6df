#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

/// Commits `count` rows to a new database, one row at a time, each commit synchronized with the disk, and writes the
/// nanoseconds of each commit to `times`. Returns 0, or SQLite's error code.
int reference_commits(const char *path, int count, int64_t *times);

/// Copies the messages of a client's database into a new database with the same tables, indexes and search index, in
/// transactions of `batch` messages. Returns the nanoseconds of the inserts and commits; -1 after an error.
int64_t reference_copy(const char *source, const char *path, int batch);

/// Posts `each` messages on each of `connections` connections to a server of the reference protocol on this machine,
/// one after the other on each connection. The connections take turns with the chats. Returns the nanoseconds of all
/// requests; -1 if an answer is not of 2xx.
int64_t load_posts(
    int port, const char *token, const char *const *chats, int chat_count, int connections, int each,
    const char *prefix);

/// Requests `GET /v1/health` in the same way.
int64_t load_health(int port, int connections, int each);

/// Requests an address `count` times with libcurl, one request after the other on one connection. Returns the nanoseconds;
/// -1 if an answer is not 200.
int64_t curl_one(const char *url, int count);

/// The same with `parallel` requests at a time, on one thread.
int64_t curl_many(const char *url, int parallel, int count);

#endif
