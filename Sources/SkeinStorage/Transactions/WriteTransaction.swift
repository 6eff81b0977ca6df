/// A transaction of the writer. Its reads see its own writes.
///
/// After a violated constraint, a body may catch the error and continue. After an error such as a full disk,
/// SQLite may have rolled the transaction back. If so, every later call throws, and so does the whole write.
public final class WriteTransaction: ReadTransaction {
  /// Adds a row; throws `constraint` if another row has the same key, or the same values in a unique index.
  @inlinable public func insert<R: Mapped>(_ row: R) throws {
    let table = R.table
    try run(.insert, table.sql.insert, of: table, row)
  }

  /// Adds rows. If a row fails, the rows before it stay, unless the transaction is rolled back.
  @inlinable public func insert<R: Mapped>(_ rows: some Sequence<R>) throws {
    let table = R.table
    let statement = try connection.statement(
      StatementKey(.insert, of: R.self), for: table.name
    ) { table.sql.insert }
    for row in rows {
      table.bind(row, statement, .all)
      try statement.run()
    }
  }

  /// Adds a row. If a row with the same key exists, replaces all columns of that row instead.
  @inlinable public func upsert<R: Mapped>(_ row: R) throws {
    let table = R.table
    try run(.upsert, table.sql.upsert, of: table, row)
  }

  /// Replaces all columns of the existing row with the same key; returns false if there is none.
  @inlinable public func update<R: Mapped>(_ row: R) throws -> Bool {
    let table = R.table
    try run(.update, table.sql.update, of: table, row)
    return connection.changes > 0
  }

  /// Writes only the columns in which `row` differs from the stored row `old`. Indexes of other columns are
  /// not touched. Returns false if there is no row with this key.
  ///
  /// Both rows must have the same key. If nothing differs, returns true without running a statement.
  @discardableResult
  @inlinable public func update<R: Mapped>(_ row: R, was old: R) throws -> Bool {
    let table = R.table
    let changed = table.differences(row, old)
    if changed.isEmpty { return true }
    let statement = try connection.statement(
      StatementKey(.update, of: R.self, columns: changed), for: table.name
    ) { table.update(changed) }
    table.bind(row, statement, changed.union(table.key))
    try statement.run()
    return connection.changes > 0
  }

  /// Deletes the row with this key; returns false if there is none.
  @discardableResult
  @inlinable public func delete<R: Mapped, each K: ColumnValue>(_ type: R.Type, _ key: repeat each K) throws
    -> Bool
  {
    let table = R.table
    let statement = try connection.statement(
      StatementKey(.delete, of: R.self), for: table.name
    ) { table.sql.delete }
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
    // After a statement that is not an insert, an update or a delete, SQLite still returns the count of an earlier
    // statement.
    return connection.totalChanges == before ? 0 : connection.changes
  }

  @inlinable func run<R: Mapped>(
    _ form: StatementKey.Form, _ sql: @autoclosure () -> String, of table: Table<R>, _ row: R
  ) throws {
    let statement = try connection.statement(StatementKey(form, of: R.self), for: table.name, sql: sql)
    table.bind(row, statement, .all)
    try statement.run()
  }
}
