public import CSQLite

/// A prepared statement, as a ``ColumnValue`` sees it: values are bound to it and read from its present row.
///
/// Parameters count from 1 and columns from 0, as in SQLite. It belongs to its connection and to that one's actor.
public final class Statement {
  @usableFromInline let handle: OpaquePointer
  @usableFromInline let parameterCount: Int32
  /// What its rows are called in errors: the table.
  private let subject: String
  private let database: OpaquePointer

  // Bound texts and blobs stand here until the reset, so that most bindings allocate nothing.
  @usableFromInline let buffer: UnsafeMutableRawPointer
  @usableFromInline let bufferSize: Int
  @usableFromInline var used = 0
  @usableFromInline var bindingResult: Int32 = SQLITE_OK
  /// How many rows it gave last time: a good guess for the next.
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
    guard let prepared else { throw StorageError(.misuse, "The text holds no statement.") }
    guard !holdsMore else {
      sqlite3_finalize(prepared)
      throw StorageError(.misuse, "The text holds more than one statement.")
    }
    handle = prepared
    parameterCount = sqlite3_bind_parameter_count(prepared)
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

  /// Binds all of `values` to the parameters, in order; throws `misuse` where there are more or fewer of them.
  @inlinable func bind<each V: ColumnValue>(_ values: repeat each V) throws {
    var index: Int32 = 0
    for value in repeat each values {
      index &+= 1
      value.bind(to: self, at: index)
    }
    guard index == parameterCount else { throw wrongCount(index) }
  }

  /// Runs it to its end, whatever rows it gives, and makes it ready for the next values.
  @inlinable func run() throws {
    defer { reset() }
    while try next() {}
  }

  /// Goes to the next row; false at the end.
  @inlinable func next() throws -> Bool {
    guard bindingResult == SQLITE_OK else { throw failure(bindingResult) }
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    throw failure(result)
  }

  /// Ends it, so that it holds nothing of the database and takes new values.
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

  /// The error for a value that its type can't be made of; it names table and column, not the value.
  public func mismatch(at column: Int32) -> StorageError {
    let name = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "\(column)"
    return StorageError(.rowMismatch, "\(subject).\(name) holds a value that its type can't be made of.")
  }
}
