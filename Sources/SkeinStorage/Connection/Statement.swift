public import CSQLite

/// A prepared statement. A ``ColumnValue`` is bound to one of its parameters, or read from a column of its current
/// row.
///
/// Parameters are numbered from 1 and columns from 0, as in SQLite. Only one thread at a time may use a
/// connection and its statements.
public final class Statement {
  @usableFromInline let handle: OpaquePointer
  @usableFromInline let parameterCount: Int32
  /// The text from which the statement was prepared.
  let sql: String
  /// The name of the statement's rows in error messages, such as the name of the table.
  private let subject: String
  private let database: OpaquePointer

  // Holds bound texts and blobs until the statement is reset, so that most bindings allocate nothing.
  @usableFromInline let buffer: UnsafeMutableRawPointer
  @usableFromInline let bufferSize: Int
  @usableFromInline var used = 0
  @usableFromInline var bindingResult: Int32 = SQLITE_OK
  /// The number of rows that the latest `select` returned, limited to 1000. It is an estimate for the next
  /// run.
  @usableFromInline var expectedRows = 0

  init(_ sql: String, subject: String, on database: OpaquePointer) throws {
    var prepared: OpaquePointer?
    var holdsMore = false
    let result = sql.withCString { text in
      var rest: UnsafePointer<CChar>?
      let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
      let result = sqlite3_prepare_v3(database, text, -1, flags, &prepared, &rest)
      holdsMore = rest.map { Statement.holdsMore($0) } ?? false
      return result
    }
    guard result == SQLITE_OK else { throw StorageError(result: result, on: database, preparing: true) }
    guard let prepared else { throw StorageError(.misuse, "The SQL holds no statement.") }
    guard !holdsMore else {
      sqlite3_finalize(prepared)
      throw StorageError(.misuse, "The SQL holds more than one statement.")
    }
    handle = prepared
    parameterCount = sqlite3_bind_parameter_count(prepared)
    self.sql = sql
    self.subject = subject
    self.database = database
    bufferSize = parameterCount == 0 ? 0 : 4096
    buffer = .allocate(byteCount: bufferSize, alignment: 16)
  }

  deinit {
    sqlite3_finalize(handle)
    buffer.deallocate()
  }

  private static func holdsMore(_ text: UnsafePointer<CChar>) -> Bool {
    var next = text
    while next.pointee == 0x3B || (1...0x20).contains(next.pointee) { next += 1 }
    return next.pointee != 0
  }

  /// Binds `values` to the parameters, in order; throws `misuse` if there are more or fewer values than parameters.
  @inlinable func bind<each V: ColumnValue>(_ values: repeat each V) throws {
    var index: Int32 = 0
    for value in repeat each values {
      index &+= 1
      value.bind(to: self, at: index)
    }
    guard index == parameterCount else { throw wrongCount(index) }
  }

  /// Runs the statement to its end, ignoring rows, and resets it.
  @inlinable func run() throws {
    defer { reset() }
    while try next() {}
  }

  /// Steps to the next row; returns false if there is none.
  @inlinable func next() throws -> Bool {
    guard bindingResult == SQLITE_OK else { throw failure(bindingResult) }
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw failure(result)
  }

  /// Resets the statement, so that it releases its locks and accepts new values.
  @inlinable func reset() {
    sqlite3_reset(handle)
    used = 0
    bindingResult = SQLITE_OK
  }

  @usableFromInline func failure(_ result: Int32) -> StorageError {
    StorageError(result: result, on: database)
  }

  @usableFromInline func wrongCount(_ count: Int32) -> StorageError {
    StorageError(.misuse, "The statement takes \(parameterCount) values and was given \(count).")
  }

  /// The error for a value that does not fit its type. The message names the column, but does not contain the
  /// value.
  public func mismatch(at column: Int32) -> StorageError {
    let name = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "\(column)"
    return StorageError(.rowMismatch, "\(subject).\(name) holds a value that does not fit its type.")
  }
}
