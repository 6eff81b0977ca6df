#include "reference.h"

#include <sqlite3.h>
#include <stdio.h>
#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static sqlite3 *opened(const char *path, const char *schema) {
  sqlite3 *database = NULL;
  if (sqlite3_open(path, &database) == SQLITE_OK &&
      sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;", NULL, NULL, NULL) == SQLITE_OK &&
      sqlite3_exec(database, schema, NULL, NULL, NULL) == SQLITE_OK)
    return database;
  sqlite3_close(database);
  return NULL;
}

int reference_commits(const char *path, int count, int64_t *times) {
  sqlite3 *database = opened(path, "CREATE TABLE message (id INTEGER PRIMARY KEY, payload BLOB)");
  if (!database) return SQLITE_CANTOPEN;
  sqlite3_stmt *insert = NULL;
  int code = sqlite3_prepare_v2(database, "INSERT INTO message (payload) VALUES (?)", -1, &insert, NULL);
  for (int index = 0; index < count && code == SQLITE_OK; index++) {
    char payload[64];
    int length = snprintf(payload, sizeof payload, "{\"text\":\"message %d\"}", index);
    int64_t start = now();
    sqlite3_bind_blob(insert, 1, payload, length, SQLITE_TRANSIENT);
    code = sqlite3_step(insert) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(database);
    sqlite3_reset(insert);
    times[index] = now() - start;
  }
  sqlite3_finalize(insert);
  sqlite3_close(database);
  return code;
}

int64_t reference_inserts(const char *path, int count, int batch) {
  sqlite3 *database = opened(
      path,
      "CREATE TABLE message (id INTEGER PRIMARY KEY, chat INTEGER, rank INTEGER, server_id TEXT, message_id TEXT,"
      " sender TEXT, time INTEGER, kind TEXT, payload BLOB);"
      "CREATE UNIQUE INDEX place ON message (chat, rank);"
      "CREATE UNIQUE INDEX server ON message (chat, server_id);"
      "CREATE INDEX name ON message (message_id);"
      "CREATE INDEX writer ON message (chat, sender, rank);");
  if (!database) return -1;
  sqlite3_stmt *insert = NULL;
  int code = sqlite3_prepare_v2(
      database,
      "INSERT INTO message (chat, rank, server_id, message_id, sender, time, kind, payload)"
      " VALUES (?, ?, ?, ?, 'bob', ?, 'text', ?)",
      -1, &insert, NULL);
  int64_t start = now();
  for (int index = 0; index < count && code == SQLITE_OK; index++) {
    char text[64];
    if (index % batch == 0) sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    sqlite3_bind_int64(insert, 1, index / batch);
    sqlite3_bind_int64(insert, 2, index % batch + 1);
    int length = snprintf(text, sizeof text, "%d.%d", index / batch, index % batch + 1);
    sqlite3_bind_text(insert, 3, text, length, SQLITE_TRANSIENT);
    length = snprintf(text, sizeof text, "%032d", index);
    sqlite3_bind_text(insert, 4, text, length, SQLITE_TRANSIENT);
    sqlite3_bind_int64(insert, 5, 1700000000000 + index);
    length = snprintf(text, sizeof text, "{\"text\":\"message %d\"}", index);
    sqlite3_bind_blob(insert, 6, text, length, SQLITE_TRANSIENT);
    code = sqlite3_step(insert) == SQLITE_DONE ? SQLITE_OK : sqlite3_errcode(database);
    sqlite3_reset(insert);
    if (index % batch == batch - 1 || index == count - 1) sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
  }
  int64_t elapsed = now() - start;
  sqlite3_finalize(insert);
  sqlite3_close(database);
  return code == SQLITE_OK ? elapsed : -1;
}
