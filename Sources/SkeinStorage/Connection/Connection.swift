internal import CSQLite

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One SQLite connection and its prepared statements; it never leaves the actor that made it.
@usableFromInline final class Connection {
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private var isInTransaction = false
  private var durability: Durability?
  private let gate: (@Sendable (String) throws -> Void)?

  /// Opens `file`, and makes it where there is none; it is not read yet.
  convenience init(_ file: URL, key: DatabaseKey? = nil, gate: (@Sendable (String) throws -> Void)? = nil)
    throws
  {
    try self.init(path: file.path(percentEncoded: false), gate: gate)
    if let key { try unlock(key) }
  }

  /// Throws where the SQLite that is linked can't encrypt: it would take a key, and write everything as it is.
  static func checkCodec() throws {
    let memory = try Connection(path: ":memory:", gate: nil)
    guard try ReadTransaction(on: memory).scalar(String.self, "PRAGMA cipher_version") == nil else { return }
    throw StorageError(
      .encryptionUnavailable,
      "The SQLite of this program can't encrypt: link SQLCipher 4 or later, or open without a key.")
  }

  /// By itself, so that no gate and no list of statements ever holds the key.
  private func unlock(_ key: DatabaseKey) throws {
    let result = sqlite3_exec(handle, "PRAGMA key = \"x'\(key.digits)'\"", nil, nil, nil)
    guard result == SQLITE_OK else { throw StorageError(result: result, on: nil) }
  }

  private init(path: String, gate: (@Sendable (String) throws -> Void)?) throws {
    var opened: OpaquePointer?
    // No mutex of SQLite's own: the actor is the lock.
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let result = sqlite3_open_v2(path, &opened, flags, nil)
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
    sqlite3_close_v2(handle)
  }

  /// The prepared statement for `sql`, made at its first use; `subject` names its rows in errors.
  @usableFromInline func statement(_ sql: String, for subject: String) throws -> Statement {
    try gate?(sql)
    try checkTransaction()
    return try prepared(sql, for: subject)
  }

  private func prepared(_ sql: String, for subject: String) throws -> Statement {
    if let known = statements[sql] { return known }
    // Texts put together at run time must not fill the memory.
    if statements.count >= 256 { statements.removeAll() }
    let made = try Statement(sql, subject: subject, on: handle)
    statements[sql] = made
    return made
  }

  /// Rows that were changed so far, in all.
  var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  /// Rows that the latest insert, update or delete changed.
  @usableFromInline var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Runs a statement without parameters.
  func execute(_ sql: String) throws {
    try statement(sql, for: "pragma").run()
  }

  /// Runs `body` in a transaction: nil when another connection's lock is in the way, undone when it throws.
  func transaction<T>(_ kind: TransactionKind, _ body: () throws -> T) throws -> T? {
    do {
      guard try unlessBusy({ try begin(kind) }) != nil else {
        rollBack()
        return nil
      }
      let answer = try body()
      try checkTransaction()
      // The write lock is held since BEGIN, so that no other connection can make this busy.
      try execute("COMMIT")
      isInTransaction = false
      return answer
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs `body`, which must be repeatable: nil when another connection's lock is in the way.
  func unlessBusy<T>(_ body: () throws -> T) throws -> T? {
    do { return try body() } catch let error as StorageError where error.code == .busy { return nil }
  }

  private func begin(_ kind: TransactionKind) throws {
    switch kind {
    case .read:
      try execute("BEGIN DEFERRED")
      isInTransaction = true
      // A snapshot begins with the first read, and only that can find another connection in the way.
      try execute("PRAGMA user_version")
    case .write(let wanted):
      try set(wanted)
      try execute("BEGIN IMMEDIATE")
      isInTransaction = true
    }
  }

  private func rollBack() {
    isInTransaction = false
    // SQLite undoes some failures itself; a rollback that fails has undone it as well.
    if sqlite3_get_autocommit(handle) == 0 { try? prepared("ROLLBACK", for: "rollback").run() }
  }

  /// After a full disk, among others, SQLite undoes the whole transaction: what a body that caught the error goes on
  /// to write would then be committed piece by piece.
  private func checkTransaction() throws {
    guard isInTransaction, sqlite3_get_autocommit(handle) != 0 else { return }
    let result = sqlite3_extended_errcode(handle)
    let isFailure = ![SQLITE_OK, SQLITE_ROW, SQLITE_DONE].contains(result)
    throw isFailure
      ? StorageError(result: result, on: handle)
      : StorageError(.misuse, "The transaction was ended inside its body.")
  }

  /// Outside a transaction, and only when it changes: inside one SQLite refuses it.
  private func set(_ wanted: Durability) throws {
    guard durability != wanted else { return }
    try execute(wanted == .powerCut ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    durability = wanted
  }
}

/// What a transaction is for.
enum TransactionKind {
  case read
  case write(Durability)
}
