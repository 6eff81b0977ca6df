/// The failures that a committed transaction certainly survives.
public enum Durability: Sendable {
  /// The end of the process. A crash of the machine may undo the transaction (`synchronous=NORMAL`).
  case kill
  /// Also a power cut: the data is on the disk when the call returns (`synchronous=FULL`, on Apple platforms also
  /// `fullfsync`).
  case powerCut
}

/// Options for opening a database.
public struct DatabaseOptions: Sendable {
  /// The number of reader connections; a number below 1 counts as 1.
  public var readers: Int
  /// The maximum size of the file in pages of 4 KiB; nil for SQLite's limit.
  public var maximumPages: Int?
  /// The total time that a transaction waits for the lock of another connection, before the call throws
  /// `busy`. Opening a database runs several transactions, each with this limit.
  public var busyTimeout: Duration
  /// Suspends for a duration, while a call waits for a lock. If this closure throws, the call throws the same
  /// error. SQLite itself never blocks a thread to wait.
  public var wait: @Sendable (Duration) async throws -> Void
  /// The encryption key; nil for no encryption. A key requires SQLCipher 4 or later. With a SQLite that can't
  /// encrypt, opening throws `encryptionUnavailable` and creates no file.
  public var key: DatabaseKey?
  /// Called with the SQL before every statement, except ROLLBACK and the statements that check for encryption
  /// and set the key. If the gate throws, the statement does not run, and the call throws the same error. An
  /// insert of several rows calls the gate once. A simulation uses the gate to stop a process between two
  /// statements.
  public var gate: (@Sendable (_ sql: String) throws -> Void)?
  /// The name of the SQLite file system (VFS) that holds the file; nil for the default file
  /// system. A simulation uses a file system that can lose the writes that a power cut would lose.
  public var fileSystem: String?
  /// Receives the connections when the database is closed, and provides them to the next database on the file.
  package var shelf: ConnectionShelf?

  /// Creates options; the defaults suit an app.
  public init(
    readers: Int = 2, maximumPages: Int? = nil, busyTimeout: Duration = .seconds(5),
    wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    key: DatabaseKey? = nil,
    gate: (@Sendable (_ sql: String) throws -> Void)? = nil, fileSystem: String? = nil
  ) {
    self.readers = readers
    self.maximumPages = maximumPages
    self.busyTimeout = busyTimeout
    self.wait = wait
    self.key = key
    self.gate = gate
    self.fileSystem = fileSystem
  }

  /// Repeats `attempt`, with growing pauses, until an attempt returns a value. An attempt returns nil if
  /// another connection holds the lock.
  ///
  /// An attempt is synchronous, so no other work of the caller's actor runs during an attempt.
  ///
  /// - Throws: the error of `attempt` or of ``wait``; ``StorageError`` `busy` after ``busyTimeout``.
  @discardableResult
  func whileBusy<T>(_ attempt: () throws -> T?) async throws -> T {
    var waited = Duration.zero
    var step = Duration.milliseconds(1)
    while true {
      if let answer = try attempt() { return answer }
      guard waited < busyTimeout else {
        throw StorageError(.busy, "Another connection held the database for longer than \(busyTimeout).")
      }
      try await wait(step)
      waited += step
      step = min(step * 2, .milliseconds(50))
    }
  }
}
