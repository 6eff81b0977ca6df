/// A transaction of the single writer: it reads what it wrote, and others see all of it or nothing.
///
/// An error that is caught inside the body leaves the transaction going where SQLite can (a broken constraint), and
/// ends it where it can't (a full disk): then every further call throws, and so does the write.
public final class WriteTransaction: ReadTransaction {
  /// Adds a row; throws `constraint` where its key, or another unique index, is taken.
  @inlinable public func insert<R: Mapped>(_ row: R) throws {
    let table = R.table
    try run(table.sql.insert, of: table, row)
  }

  /// Adds rows, with one prepared statement; those before one that fails stay until the transaction is rolled back.
  @inlinable public func insert<R: Mapped>(_ rows: some Sequence<R>) throws {
    let table = R.table
    let statement = try connection.statement(table.sql.insert, for: table.name)
    for row in rows {
      table.bind(row, statement)
      try statement.run()
    }
  }

  /// Adds a row, or replaces every other column of the one with its key.
  @inlinable public func upsert<R: Mapped>(_ row: R) throws {
    let table = R.table
    try run(table.sql.upsert, of: table, row)
  }

  /// Replaces every column but the key's of the row with its key; false where there is none.
  @inlinable public func update<R: Mapped>(_ row: R) throws -> Bool {
    let table = R.table
    try run(table.sql.update, of: table, row)
    return connection.changes > 0
  }

  /// Deletes the row with this key; false where there is none.
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

  /// Runs one statement of any kind and says how many rows it inserted, updated or deleted.
  @discardableResult
  public func execute<each V: ColumnValue>(_ sql: String, _ values: repeat each V) throws -> Int {
    let statement = try connection.statement(sql, for: "statement")
    defer { statement.reset() }
    try statement.bind(repeat each values)
    let before = connection.totalChanges
    try statement.run()
    // A statement that changes no row leaves SQLite's count at that of an earlier one.
    return connection.totalChanges == before ? 0 : connection.changes
  }

  @inlinable func run<R: Mapped>(_ sql: String, of table: Table<R>, _ row: R) throws {
    let statement = try connection.statement(sql, for: table.name)
    table.bind(row, statement)
    try statement.run()
  }
}
