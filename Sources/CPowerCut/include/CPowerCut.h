#ifndef C_POWER_CUT_H
#define C_POWER_CUT_H

/// Registers a file system for SQLite that remembers the writes to write-ahead logs since each log was last
/// synchronized, and returns its name; NULL if it can't be registered. Synchronizing only forgets these writes.
/// Everything else goes to the default file system.
const char *cpowercut_file_system(void);

/// Takes the writes that a power cut would lose back from `copy`, a copy of the write-ahead log at `path`. Returns the
/// number of these writes; -1 if the copy can't be changed.
int cpowercut_restore(const char *path, const char *copy);

/// Forgets the writes to the write-ahead log at `path`, because the file was replaced.
void cpowercut_forget(const char *path);

#endif
