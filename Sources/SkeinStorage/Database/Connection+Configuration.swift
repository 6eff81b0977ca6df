extension Connection {
  /// Sets the pragmas of a writing connection; repeating the call is harmless.
  func configureForWriting(_ options: DatabaseOptions) throws {
    let read = ReadTransaction(on: self)
    guard try read.scalar(String.self, "PRAGMA journal_mode = WAL") == "wal" else {
      throw StorageError(.cannotOpen, "The file's folder does not allow a write-ahead log.")
    }
    try execute("PRAGMA foreign_keys = ON")
    // On Apple platforms, `fsync` leaves the data in the drive's cache. On other platforms this pragma has no effect.
    try execute("PRAGMA fullfsync = ON")
    if let pages = options.maximumPages { try execute("PRAGMA max_page_count = \(pages)") }
  }

  /// Throws if the linked SQLite can't encrypt: such a SQLite accepts a key, but still writes plain text.
  static func checkCodec() throws {
    let memory = try Connection(path: ":memory:", gate: nil)
    guard try ReadTransaction(on: memory).scalar(String.self, "PRAGMA cipher_version") == nil else { return }
    throw StorageError(
      .encryptionUnavailable,
      "The SQLite of this program can't encrypt: link SQLCipher 4 or later, or open without a key.")
  }
}
