internal import CSQLite

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One SQLite connection and its prepared statements. The owner of the connection, an actor or a lock,
/// serializes all calls.
@usableFromInline final class Connection {
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private var mapped: [StatementKey: Statement] = [:]
  private var isInTransaction = false
  private var durability: Durability?
  private var pragmas: Set<String> = []
  private var gate: (@Sendable (String) throws -> Void)?

  /// Opens `file`; creates the file if it does not exist. Does not yet check that the file is a database.
  convenience init(_ file: URL, _ options: DatabaseOptions = DatabaseOptions()) throws {
    try self.init(
      path: file.path(percentEncoded: false), gate: options.gate, fileSystem: options.fileSystem)
    if let key = options.key { try unlock(key) }
  }

  /// Sets the key directly, so that neither the gate nor the statement cache receives the key.
  private func unlock(_ key: DatabaseKey) throws {
    let result = sqlite3_exec(handle, "PRAGMA key = \"x'\(key.digits)'\"", nil, nil, nil)
    guard result == SQLITE_OK else { throw StorageError(result: result, on: nil) }
  }

  init(path: String, gate: (@Sendable (String) throws -> Void)? = nil, fileSystem: String? = nil) throws {
    var opened: OpaquePointer?
    // SQLite needs no mutex, since the connection's owner serializes all calls.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(path, &opened, flags, fileSystem)
    guard let opened else { throw StorageError(result: result, on: nil) }
    guard result == SQLITE_OK else {
      defer { sqlite3_close_v2(opened) }
      throw StorageError(result: result, on: opened)
    }
    sqlite3_busy_timeout(opened, 0)
    handle = opened
    self.gate = gate
  }

  deinit {
    statements = [:]
    mapped = [:]
    sqlite3_close_v2(handle)
  }

  /// Returns the statement for `sql` from the cache, or prepares the statement. `subject` is for error
  /// messages.
  @usableFromInline func statement(_ sql: String, for subject: String) throws -> Statement {
    try gate?(sql)
    try checkTransaction()
    return try prepared(sql, for: subject)
  }

  /// Returns a statement of a mapped table from the cache, or prepares the statement.
  @usableFromInline func statement(_ key: StatementKey, for subject: String, sql: () -> String) throws
    -> Statement
  {
    let known = mapped[key]
    // The text of a known statement is not built again for the gate.
    if let gate { try gate(known?.sql ?? sql()) }
    try checkTransaction()
    if let known { return known }
    if mapped.count >= Self.limit { mapped.removeAll() }
    let made = try Statement(sql(), subject: subject, on: handle)
    mapped[key] = made
    return made
  }

  /// The maximum size of each cache of statements, since a program may build any number of different SQL texts.
  private static let limit = 256

  private func prepared(_ sql: String, for subject: String) throws -> Statement {
    if let known = statements[sql] { return known }
    if statements.count >= Self.limit { statements.removeAll() }
    let made = try Statement(sql, subject: subject, on: handle)
    statements[sql] = made
    return made
  }

  /// The total number of rows changed on this connection.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  /// The number of rows changed by the latest insert, update or delete.
  @usableFromInline var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Prepares an open connection for its next owner.
  func renew(_ options: DatabaseOptions) {
    gate = options.gate
    durability = nil
  }

  /// Runs a pragma that stays in effect until the connection is closed. The pragma is not repeated for the next owner of
  /// the connection, since SQLite would then prepare all statements again.
  func configure(_ pragma: String) throws {
    if pragmas.contains(pragma) { return try gate?(pragma) ?? () }
    try execute(pragma)
    pragmas.insert(pragma)
  }

  /// Runs a statement without parameters.
  func execute(_ sql: String) throws {
    try statement(sql, for: "pragma").run()
  }

  /// Runs `body` in a transaction; rolls the transaction back if `body` throws. If another connection holds
  /// the lock, returns nil without running `body`.
  func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T? {
    do {
      guard try unlessBusy({ try begin(kind) }) != nil else {
        rollBack()
        return nil
      }
      let answer = try body()
      try checkTransaction()
      // A writing transaction holds the write lock from BEGIN on, so COMMIT can't be busy.
      try execute("COMMIT")
      isInTransaction = false
      return answer
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs `body`; returns nil if `body` throws `busy`. Another connection then holds the lock, and the caller
  /// may repeat `body`.
  func unlessBusy<T>(_ body: () throws -> T) throws -> T? {
    do { return try body() } catch let error as StorageError where error.code == .busy { return nil }
  }

  private func begin(_ kind: TransactionKind) throws {
    switch kind {
    case .read:
      try execute("BEGIN DEFERRED")
      isInTransaction = true
      // The snapshot begins with the first statement that reads, and only that statement can fail as busy.
      try execute("PRAGMA user_version")
    case .write(let wanted):
      try set(wanted)
      try execute("BEGIN IMMEDIATE")
      isInTransaction = true
    }
  }

  private func rollBack() {
    isInTransaction = false
    // After some failures SQLite has already rolled back. Even a ROLLBACK that fails leaves no transaction open.
    if sqlite3_get_autocommit(handle) == 0 { try? prepared("ROLLBACK", for: "rollback").run() }
  }

  /// Throws if the transaction has already ended. A statement of the body may have ended the transaction, or
  /// SQLite may have rolled it back, for example because the disk is full. Without this check, the body could
  /// catch SQLite's error and continue, and each later statement would be committed separately.
  private func checkTransaction() throws {
    guard isInTransaction, sqlite3_get_autocommit(handle) != 0 else { return }
    let result = sqlite3_extended_errcode(handle)
    let isFailure = ![SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(result)
    throw isFailure
      ? StorageError(result: result, on: handle)
      : StorageError(.misuse, "The transaction was ended inside its body.")
  }

  /// Sets the durability; SQLite allows this only outside a transaction.
  private func set(_ wanted: Durability) throws {
    guard durability != wanted else { return }
    try execute(wanted == .powerCut ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    durability = wanted
  }
}

/// The kind of a transaction; a writing transaction has a durability.
enum TransactionKind {
  case read
  case write(Durability)
}
