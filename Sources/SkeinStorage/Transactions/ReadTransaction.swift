/// Queries on one snapshot of the database. A transaction is valid only inside the body that received it.
///
/// In the SQL, each value is written as `?`, or as its number `?1`, `?2` and so on. The values are bound in
/// their order; a wrong number of values throws `misuse`. A stored value that does not fit the Swift type
/// that it is read as throws `rowMismatch`.
public class ReadTransaction {
  @usableFromInline final let connection: Connection

  init(on connection: Connection) { self.connection = connection }

  /// Returns the row with this key; nil if there is none. Give one value for each column of the key, in order.
  @inlinable public final func find<R: Mapped, each K: ColumnValue>(_ type: R.Type, _ key: repeat each K)
    throws -> R?
  {
    let table = R.table
    return try row(table, StatementKey(.find, of: R.self), table.sql.find, repeat each key)
  }

  /// Returns the rows selected by `clause`, the SQL after `FROM table`, such as `WHERE rank > ? ORDER BY rank
  /// LIMIT 50`.
  @inlinable public final func select<R: Mapped, each V: ColumnValue>(
    _ type: R.Type, _ clause: String = "", _ values: repeat each V
  ) throws -> [R] {
    let table = R.table
    let statement = try connection.statement(
      StatementKey(.select, of: R.self, clause: clause), for: table.name
    ) { table.sql.select(clause) }
    defer { statement.reset() }
    try statement.bind(repeat each values)
    var rows: [R] = []
    rows.reserveCapacity(statement.expectedRows)
    while try statement.next() { rows.append(try table.read(statement)) }
    statement.expectedRows = min(rows.count, 1000)
    return rows
  }

  /// Returns the first row selected by `clause`; nil if there is none.
  @inlinable public final func first<R: Mapped, each V: ColumnValue>(
    _ type: R.Type, _ clause: String, _ values: repeat each V
  ) throws -> R? {
    let table = R.table
    return try row(
      table, StatementKey(.select, of: R.self, clause: clause), table.sql.select(clause), repeat each values)
  }

  /// Returns the first column of the first row of a query; nil if there is no row or the value is NULL.
  @inlinable public final func scalar<T: ColumnValue, each V: ColumnValue>(
    _ type: T.Type, _ sql: String, _ values: repeat each V
  ) throws -> T? {
    let statement = try connection.statement(sql, for: "query")
    defer { statement.reset() }
    try statement.bind(repeat each values)
    return try statement.next() ? try T?.read(from: statement, at: 0) : nil
  }

  /// Returns the rows of a query as tuples, as in `rows((String.self, Int?.self), "SELECT name, age FROM
  /// person")`.
  @inlinable public final func rows<each T: ColumnValue, each V: ColumnValue>(
    _ types: (repeat (each T).Type), _ sql: String, _ values: repeat each V
  ) throws -> [(repeat each T)] {
    let statement = try connection.statement(sql, for: "query")
    defer { statement.reset() }
    try statement.bind(repeat each values)
    var rows: [(repeat each T)] = []
    while try statement.next() {
      var column: Int32 = -1
      func next<C: ColumnValue>(_: C.Type) throws -> C {
        column &+= 1
        return try C.read(from: statement, at: column)
      }
      rows.append((repeat try next((each T).self)))
    }
    return rows
  }

  @inlinable final func row<R: Sendable, each V: ColumnValue>(
    _ table: Table<R>, _ key: StatementKey, _ sql: @autoclosure () -> String, _ values: repeat each V
  ) throws -> R? {
    let statement = try connection.statement(key, for: table.name, sql: sql)
    defer { statement.reset() }
    try statement.bind(repeat each values)
    return try statement.next() ? try table.read(statement) : nil
  }
}
