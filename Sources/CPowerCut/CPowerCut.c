#include "CPowerCut.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// What a write replaced.
struct change {
  struct change *earlier;
  sqlite3_int64 size_before;
  sqlite3_int64 offset;
  int length;
  unsigned char bytes[];
};

/// The changes of one log since it was last synchronized, the newest first. Kept while a connection has the log open.
struct log {
  struct log *next;
  struct change *newest;
  /// The size of the file, kept because each write needs it; -1 if unknown.
  sqlite3_int64 size;
  int connections;
  char path[];
};

/// An open log, followed in memory by the file of the default file system.
struct file {
  sqlite3_file base;
  struct log *log;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct log *logs;
static sqlite3_vfs file_system;

static sqlite3_vfs *system_files(void) { return file_system.pAppData; }
static sqlite3_file *inner(sqlite3_file *file) { return (sqlite3_file *)((struct file *)file + 1); }

static void drop_changes(struct log *log) {
  while (log->newest) {
    struct change *change = log->newest;
    log->newest = change->earlier;
    free(change);
  }
}

static struct log *log_at(const char *path) {
  for (struct log *log = logs; log; log = log->next)
    if (strcmp(log->path, path) == 0) return log;
  return NULL;
}

/// The size of the file before a change. Only the connections that write through this file system change it.
static int size_before(sqlite3_file *file, sqlite3_int64 *size) {
  pthread_mutex_lock(&lock);
  *size = ((struct file *)file)->log->size;
  pthread_mutex_unlock(&lock);
  return *size < 0 ? inner(file)->pMethods->xFileSize(inner(file), size) : SQLITE_OK;
}

static void set_size(sqlite3_file *file, sqlite3_int64 size) {
  pthread_mutex_lock(&lock);
  ((struct file *)file)->log->size = size;
  pthread_mutex_unlock(&lock);
}

/// Remembers the bytes of a range that is about to change.
static int remember(sqlite3_file *file, sqlite3_int64 size, sqlite3_int64 offset, sqlite3_int64 length) {
  int code = SQLITE_OK;
  sqlite3_int64 known = size - offset < length ? size - offset : length;
  if (known < 0) known = 0;
  struct change *change = malloc(sizeof *change + (size_t)known);
  if (!change) return SQLITE_NOMEM;
  change->size_before = size;
  change->offset = offset;
  change->length = (int)known;
  if (known > 0) code = inner(file)->pMethods->xRead(inner(file), change->bytes, (int)known, offset);
  if (code != SQLITE_OK) {
    free(change);
    return code;
  }
  pthread_mutex_lock(&lock);
  struct log *log = ((struct file *)file)->log;
  change->earlier = log->newest;
  log->newest = change;
  pthread_mutex_unlock(&lock);
  return SQLITE_OK;
}

static int wal_write(sqlite3_file *file, const void *bytes, int length, sqlite3_int64 offset) {
  sqlite3_int64 size = 0;
  int code = size_before(file, &size);
  if (code == SQLITE_OK) code = remember(file, size, offset, length);
  if (code == SQLITE_OK) code = inner(file)->pMethods->xWrite(inner(file), bytes, length, offset);
  // A write that fails may have written a part.
  set_size(file, code != SQLITE_OK ? -1 : offset + length > size ? offset + length : size);
  return code;
}

static int wal_truncate(sqlite3_file *file, sqlite3_int64 size) {
  sqlite3_int64 old = 0;
  int code = size_before(file, &old);
  if (code == SQLITE_OK && old > size) code = remember(file, old, size, old - size);
  if (code == SQLITE_OK) code = inner(file)->pMethods->xTruncate(inner(file), size);
  set_size(file, -1);
  return code;
}

/// The disk is not asked to synchronize: the power cuts are simulated, and a simulation is not to depend on the disk.
static int wal_sync(sqlite3_file *file, int flags) {
  pthread_mutex_lock(&lock);
  drop_changes(((struct file *)file)->log);
  pthread_mutex_unlock(&lock);
  return SQLITE_OK;
}

static void end_use(struct log *log) {
  if (--log->connections > 0) return;
  drop_changes(log);
  struct log **place = &logs;
  while (*place != log) place = &(*place)->next;
  *place = log->next;
  free(log);
}

static int wal_close(sqlite3_file *file) {
  pthread_mutex_lock(&lock);
  end_use(((struct file *)file)->log);
  pthread_mutex_unlock(&lock);
  return inner(file)->pMethods->xClose(inner(file));
}
static int wal_read(sqlite3_file *file, void *bytes, int length, sqlite3_int64 offset) {
  return inner(file)->pMethods->xRead(inner(file), bytes, length, offset);
}
static int wal_size(sqlite3_file *file, sqlite3_int64 *size) {
  return inner(file)->pMethods->xFileSize(inner(file), size);
}
static int wal_lock(sqlite3_file *file, int level) { return inner(file)->pMethods->xLock(inner(file), level); }
static int wal_unlock(sqlite3_file *file, int level) { return inner(file)->pMethods->xUnlock(inner(file), level); }
static int wal_reserved(sqlite3_file *file, int *is_reserved) {
  return inner(file)->pMethods->xCheckReservedLock(inner(file), is_reserved);
}
static int wal_control(sqlite3_file *file, int operation, void *argument) {
  return inner(file)->pMethods->xFileControl(inner(file), operation, argument);
}
static int wal_sector(sqlite3_file *file) { return inner(file)->pMethods->xSectorSize(inner(file)); }
static int wal_traits(sqlite3_file *file) { return inner(file)->pMethods->xDeviceCharacteristics(inner(file)); }

static const sqlite3_io_methods wal_methods = {
    1,        wal_close, wal_read,     wal_write,   wal_truncate, wal_sync,  wal_size,
    wal_lock, wal_unlock, wal_reserved, wal_control, wal_sector,   wal_traits,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *opened) {
  if (!(flags & SQLITE_OPEN_WAL) || !name) return system_files()->xOpen(system_files(), name, file, flags, opened);
  int code = system_files()->xOpen(system_files(), name, inner(file), flags, opened);
  if (code != SQLITE_OK) return code;
  pthread_mutex_lock(&lock);
  struct log *log = log_at(name);
  if (!log && (log = calloc(1, sizeof *log + strlen(name) + 1))) {
    strcpy(log->path, name);
    log->size = -1;
    log->next = logs;
    logs = log;
  }
  if (log) log->connections += 1;
  pthread_mutex_unlock(&lock);
  if (!log) {
    inner(file)->pMethods->xClose(inner(file));
    return SQLITE_NOMEM;
  }
  ((struct file *)file)->log = log;
  file->pMethods = &wal_methods;
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs) {
  pthread_mutex_lock(&lock);
  struct log *log = log_at(name);
  if (log) {
    drop_changes(log);
    log->size = -1;
  }
  pthread_mutex_unlock(&lock);
  return system_files()->xDelete(system_files(), name, syncs);
}

const char *cpowercut_file_system(void) {
  pthread_mutex_lock(&lock);
  if (!file_system.zName) {
    // Worlds on several threads would wait for each other at each allocation that SQLite counts. Has no effect once
    // SQLite is in use.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    // All connections to a database of a world are in this process. SQLite's file system for this case keeps the
    // locks and the index of the log in memory. Otherwise, a third of all system calls would be for locks.
    sqlite3_vfs *files = sqlite3_vfs_find("unix-excl");
    if (!files) files = sqlite3_vfs_find(NULL);
    if (files) {
      file_system = *files;
      file_system.pNext = NULL;
      file_system.szOsFile += (int)sizeof(struct file);
      file_system.zName = "skein-power-cut";
      file_system.pAppData = files;
      file_system.xOpen = open_file;
      file_system.xDelete = delete_file;
      if (sqlite3_vfs_register(&file_system, 0) != SQLITE_OK) file_system.zName = NULL;
    }
  }
  pthread_mutex_unlock(&lock);
  return file_system.zName;
}

int cpowercut_restore(const char *path, const char *copy) {
  int count = 0;
  FILE *file = fopen(copy, "r+b");
  if (!file) return -1;
  pthread_mutex_lock(&lock);
  struct log *log = log_at(path);
  for (struct change *change = log ? log->newest : NULL; change && count >= 0; change = change->earlier) {
    int failed = fseek(file, (long)change->offset, SEEK_SET) != 0 ||
                 fwrite(change->bytes, 1, (size_t)change->length, file) != (size_t)change->length ||
                 fflush(file) != 0 || ftruncate(fileno(file), change->size_before) != 0;
    count = failed ? -1 : count + 1;
  }
  pthread_mutex_unlock(&lock);
  return fclose(file) == 0 ? count : -1;
}

void cpowercut_forget(const char *path) {
  pthread_mutex_lock(&lock);
  struct log *log = log_at(path);
  if (log) {
    drop_changes(log);
    log->size = -1;
  }
  pthread_mutex_unlock(&lock);
}
