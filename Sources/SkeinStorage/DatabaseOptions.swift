/// What a committed transaction survives.
public enum Durability: Sendable {
  /// The end of the process at any moment, but perhaps not of the machine (`synchronous=NORMAL`).
  case kill
  /// A power cut as well: the disk has it when the call returns (`synchronous=FULL`, `fullfsync` where there is one).
  case powerCut
}

/// How a database is opened.
public struct DatabaseOptions: Sendable {
  /// How many reader connections there are; at least one.
  public var readers: Int
  /// The most pages (of 4 KiB) that the file may grow to; nil for SQLite's own limit.
  public var maximumPages: Int?
  /// How long, in all, a call waits for the lock of another process before it throws `busy`.
  public var busyTimeout: Duration
  /// Waits for a time; a throw ends the call that waited. SQLite itself never blocks a thread.
  public var wait: @Sendable (Duration) async throws -> Void
  /// What the file is encrypted with, where the program links SQLCipher 4 or later; nil leaves it readable. Elsewhere opening
  /// with a key throws `encryptionUnavailable`, and makes no file.
  public var key: DatabaseKey?
  /// Is asked before every statement, COMMIT among them, with its text; a throw fails the statement, and its transaction
  /// does not commit. Only ROLLBACK is not asked for. It is how a simulation stops a process between two statements.
  public var gate: (@Sendable (_ sql: String) throws -> Void)?

  /// Makes options; each has a default that suits an app.
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

  /// Asks `attempt` again, in growing steps, until it answers; nil means that another connection is in the way.
  ///
  /// An attempt is synchronous, so nothing else runs on the caller's actor in the middle of one.
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
