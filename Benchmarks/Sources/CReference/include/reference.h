#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdint.h>

/// Commits `count` rows to a new database, one row at a time, each commit synchronized with the disk, and writes the
/// nanoseconds of each commit to `times`. Returns 0, or SQLite's error code.
int reference_commits(const char *path, int count, int64_t *times);

/// Inserts `count` messages of a plain table with the indexes of a chat (by place, by server id, by message id, by
/// sender) into a new database, in transactions of `batch` rows, and returns the nanoseconds; -1 after an error.
int64_t reference_inserts(const char *path, int count, int batch);

#endif
