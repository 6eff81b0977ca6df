/// The failures that a committed transaction survives.
public enum Durability: Sendable {
  /// The end of the process, but not necessarily a crash of the machine (`synchronous=NORMAL`).
  case kill
  /// A power cut as well: the data is on the disk when the call returns (`synchronous=FULL`, on Apple also
  /// `fullfsync`).
  case powerCut
}

/// Options for opening a database.
public struct DatabaseOptions: Sendable {
  /// The number of reader connections, at least 1.
  public var readers: Int
  /// The maximum size of the file in pages of 4 KiB; nil for SQLite's limit.
  public var maximumPages: Int?
  /// The total time that a call waits for another process's lock before it throws `busy`.
  public var busyTimeout: Duration
  /// Suspends for a time; an error ends the waiting call. SQLite itself never blocks a thread.
  public var wait: @Sendable (Duration) async throws -> Void
  /// The encryption key; nil for plain text. Requires SQLCipher 4 or later: without it, opening throws
  /// `encryptionUnavailable` and creates no file.
  public var key: DatabaseKey?
  /// Called with the SQL before every statement except ROLLBACK; if it throws, the statement fails and its
  /// transaction is not committed. A simulation uses it to stop a process between two statements.
  public var gate: (@Sendable (_ sql: String) throws -> Void)?

  /// Makes options; the defaults suit an app.
  public init(
    readers: Int = 2, maximumPages: Int? = nil, busyTimeout: Duration = .seconds(5),
    wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    key: DatabaseKey? = nil,
    gate: (@Sendable (_ sql: String) throws -> Void)? = nil
  ) {
    self.readers = readers
    self.maximumPages = maximumPages
    self.busyTimeout = busyTimeout
    self.wait = wait
    self.key = key
    self.gate = gate
  }

  /// Repeats `attempt` with growing pauses until it returns a value; nil means that another connection holds
  /// the lock.
  ///
  /// An attempt is synchronous, so it is not interleaved with other work of the caller's actor.
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
