/// A transaction of the writer, which reads its own writes.
///
/// After a violated constraint, a body may catch the error and continue. After an error that rolls the
/// transaction back, such as a full disk, every further call throws, and the whole write throws too.
public final class WriteTransaction: ReadTransaction {
  /// Adds a row; throws `constraint` if its key or a unique index exists already.
  @inlinable public func insert<R: Mapped>(_ row: R) throws {
    let table = R.table
    try run(table.sql.insert, of: table, row)
  }

  /// Adds rows; if one fails, those before it stay unless the transaction is rolled back.
  @inlinable public func insert<R: Mapped>(_ rows: some Sequence<R>) throws {
    let table = R.table
    let statement = try connection.statement(table.sql.insert, for: table.name)
    for row in rows {
      table.bind(row, statement)
      try statement.run()
    }
  }

  /// Adds a row, or replaces all columns of the existing row with its key.
  @inlinable public func upsert<R: Mapped>(_ row: R) throws {
    let table = R.table
    try run(table.sql.upsert, of: table, row)
  }

  /// Replaces all columns of the existing row with its key; false if there is none.
  @inlinable public func update<R: Mapped>(_ row: R) throws -> Bool {
    let table = R.table
    try run(table.sql.update, of: table, row)
    return connection.changes > 0
  }

  /// Deletes the row with this key; false if there is none.
  @discardableResult
  @inlinable public func delete<R: Mapped, each K: ColumnValue>(_ type: R.Type, _ key: repeat each K) throws
    -> Bool
  {
    let table = R.table
    let statement = try connection.statement(table.sql.delete, for: table.name)
    defer { statement.reset() }
    try statement.bind(repeat each key)
    try statement.run()
    return connection.changes > 0
  }

  /// Runs one statement and returns the number of rows that it inserted, updated or deleted.
  @discardableResult
  public func execute<each V: ColumnValue>(_ sql: String, _ values: repeat each V) throws -> Int {
    let statement = try connection.statement(sql, for: "statement")
    defer { statement.reset() }
    try statement.bind(repeat each values)
    let before = connection.totalChanges
    try statement.run()
    // After a statement that changes no row, SQLite still returns the count of an earlier one.
    return connection.totalChanges == before ? 0 : connection.changes
  }

  @inlinable func run<R: Mapped>(_ sql: String, of table: Table<R>, _ row: R) throws {
    let statement = try connection.statement(sql, for: table.name)
    table.bind(row, statement)
    try statement.run()
  }
}
