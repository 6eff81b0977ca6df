/// The mapping of a type to a table: the columns in the order of the properties, and the SQL generated from the
/// columns.
///
/// The mapping is a class, so that each statement copies only one reference to it.
public final class Table<Row: Sendable>: TableDescription {
  /// The table's name.
  public let name: String
  /// The columns, in order.
  public let columnNames: [String]
  /// The statements that create the table, indexes included.
  public let creation: [String]
  @usableFromInline let sql: TableSQL
  @usableFromInline let bind: @Sendable (borrowing Row, Statement) -> Void
  @usableFromInline let read: @Sendable (Statement) throws -> Row

  /// Maps a type; the columns are listed in the order of its properties.
  ///
  /// - Parameters:
  ///   - key: The columns that together identify a row.
  ///   - clusteredBy: The columns that order the rows on disk, in a table without row ids; together unique.
  ///     Nil creates a table with row ids.
  ///   - make: Creates a row from its values; usually the memberwise `init`.
  @inlinable @inline(__always)
  public convenience init<each V: ColumnValue>(
    _ name: String, key: [String], clusteredBy: [String]? = nil, indexes: [Index] = [],
    _ make: @escaping @Sendable (repeat each V) -> Row, _ column: repeat Column<Row, each V>
  ) {
    var columns: [ColumnDeclaration] = []
    var end = 0
    for column in repeat each column {
      // A memberwise `init` receives the values in the order of the columns. If two columns of one type were
      // swapped, each value would be read into the wrong property. The check of the offsets reveals this
      // programming error at the first start.
      precondition(column.offset >= end, "\(name).\(column.name): list stored properties, in their order")
      end = column.end
      columns.append(column.declaration)
    }
    self.init(
      name, columns, key: key, clusteredBy: clusteredBy, indexes: indexes,
      bind: { row, statement in
        withUnsafePointer(to: row) { row in
          var parameter: Int32 = 0
          for column in repeat each column {
            parameter &+= 1
            column.bind(row, to: statement, at: parameter)
          }
        }
      },
      read: { statement in
        var column: Int32 = -1
        func next<T: ColumnValue>(_: T.Type) throws -> T {
          column &+= 1
          return try T.read(from: statement, at: column)
        }
        return make(repeat try next((each V).self))
      })
  }

  @usableFromInline init(
    _ name: String, _ columns: [ColumnDeclaration], key: [String], clusteredBy: [String]?, indexes: [Index],
    bind: @escaping @Sendable (borrowing Row, Statement) -> Void,
    read: @escaping @Sendable (Statement) throws -> Row
  ) {
    self.name = name
    columnNames = columns.map(\.name)
    creation = TableSQL.creation(name, columns, key: key, clusteredBy: clusteredBy, indexes: indexes)
    sql = TableSQL(name, columns.map(\.name), key: key)
    self.bind = bind
    self.read = read
  }
}
