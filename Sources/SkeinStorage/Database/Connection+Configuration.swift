extension Connection {
  /// Sets the pragmas of a writing connection; repeating the call is harmless.
  func configureForWriting(_ options: DatabaseOptions) throws {
    let read = ReadTransaction(on: self)
    guard try read.scalar(String.self, "PRAGMA journal_mode = WAL") == "wal" else {
      throw StorageError(.cannotOpen, "The file's folder does not allow a write-ahead log.")
    }
    try configure("PRAGMA foreign_keys = ON")
    // On Apple platforms, `fsync` leaves the data in the drive's cache. On other platforms this pragma has no effect.
    try configure("PRAGMA fullfsync = ON")
    // 8 MB of pages are kept in memory, and the log is copied into the file after 16 MB. Catching up after an absence
    // is a quarter faster than with SQLite's defaults of 2 MB and 4 MB.
    try execute("PRAGMA cache_size = -8000")
    try execute("PRAGMA wal_autocheckpoint = 4000")
    if let pages = options.maximumPages { try execute("PRAGMA max_page_count = \(pages)") }
  }

  /// Throws if the linked SQLite can't encrypt. That SQLite would accept a key, but write plain text.
  static func checkCodec() throws {
    let memory = try Connection(path: ":memory:")
    guard try ReadTransaction(on: memory).scalar(String.self, "PRAGMA cipher_version") == nil else { return }
    throw StorageError(
      .encryptionUnavailable,
      "The SQLite of this program can't encrypt: link SQLCipher 4 or later, or open without a key.")
  }
}
