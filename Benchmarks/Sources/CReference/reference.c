#include "reference.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

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

/// Creates the tables and indexes of another database, without the inner tables of the search index.
static int copy_schema(sqlite3 *source, sqlite3 *copy) {
  sqlite3_stmt *select = NULL;
  int code = sqlite3_prepare_v2(
      source,
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'message_search_*' ORDER BY rowid", -1,
      &select, NULL);
  while (code == SQLITE_OK && sqlite3_step(select) == SQLITE_ROW)
    code = sqlite3_exec(copy, (const char *)sqlite3_column_text(select, 0), NULL, NULL, NULL);
  sqlite3_finalize(select);
  return code;
}

/// Inserts a row and its entry of the search index.
static int copy_row(sqlite3_stmt *row, sqlite3_stmt *insert, sqlite3_stmt *index, int columns) {
  for (int column = 0; column < columns; column++)
    sqlite3_bind_value(insert, column + 1, sqlite3_column_value(row, column));
  for (int column = 0; column < 3; column++)
    sqlite3_bind_value(index, column + 1, sqlite3_column_value(row, columns + column));
  int done = sqlite3_step(insert) == SQLITE_DONE && sqlite3_step(index) == SQLITE_DONE;
  sqlite3_reset(insert);
  sqlite3_reset(index);
  return done ? SQLITE_OK : SQLITE_ERROR;
}

int64_t reference_copy(const char *source, const char *path, int batch) {
  sqlite3 *messages = NULL;
  sqlite3 *copy = opened(path, "PRAGMA synchronous = NORMAL");
  sqlite3_stmt *row = NULL, *insert = NULL, *index = NULL;
  int64_t elapsed = 0;
  int columns = 0;
  int code = copy ? sqlite3_open_v2(source, &messages, SQLITE_OPEN_READWRITE, NULL) : SQLITE_CANTOPEN;
  if (code == SQLITE_OK) code = copy_schema(messages, copy);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(
        messages,
        "SELECT *, search_id, json_extract(CAST(payload AS TEXT), '$.text'), 'c' || conversation FROM message"
        " ORDER BY id",
        -1, &row, NULL);
  if (code == SQLITE_OK) {
    char values[200] = "?";
    columns = sqlite3_column_count(row) - 3;
    for (int column = 1; column < columns; column++) snprintf(values + 2 * column - 1, 3, ",?");
    char text[300];
    snprintf(text, sizeof text, "INSERT INTO message VALUES (%s)", values);
    code = sqlite3_prepare_v2(copy, text, -1, &insert, NULL);
  }
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(
        copy, "INSERT INTO message_search (rowid, text, chat) VALUES (?, ?, ?)", -1, &index, NULL);
  for (int count = 0; code == SQLITE_OK; count++) {
    int isRow = sqlite3_step(row) == SQLITE_ROW;
    int64_t start = now();
    if (count % batch == 0 || !isRow) {
      if (count > 0) code = sqlite3_exec(copy, "COMMIT", NULL, NULL, NULL);
      if (isRow) code = sqlite3_exec(copy, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    }
    if (isRow && code == SQLITE_OK) code = copy_row(row, insert, index, columns);
    elapsed += now() - start;
    if (!isRow) break;
  }
  sqlite3_finalize(row);
  sqlite3_finalize(insert);
  sqlite3_finalize(index);
  sqlite3_close(messages);
  sqlite3_close(copy);
  return code == SQLITE_OK ? elapsed : -1;
}

int forget_file(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  // Pages that were not written to the disk yet would stay in the cache.
  int failed = fsync(file) || posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
  return failed ? -1 : 0;
}
