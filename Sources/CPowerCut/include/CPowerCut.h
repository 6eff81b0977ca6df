#ifndef C_POWER_CUT_H
#define C_POWER_CUT_H

/// Registers a file system for SQLite, and returns its name; NULL if it can't be registered. The file system remembers
/// the writes to each write-ahead log since the log was last synchronized. Synchronizing a log only forgets these
/// writes. Everything else goes to the default file system.
const char *cpowercut_file_system(void);

/// Undoes the writes that a power cut would lose, in a copy of a write-ahead log. `path` is the path of the log, and
/// `copy` is the path of the copy. Returns the number of undone writes; -1 if the copy can't be changed.
int cpowercut_restore(const char *path, const char *copy);

/// Forgets the writes to the write-ahead log at `path`, because the file was replaced.
void cpowercut_forget(const char *path);

#endif
