/// The mapping of a type to a table: columns in the order of the properties, and the SQL generated from them.
///
/// A class, so that reading it with every statement copies one reference.
public final class Table<Row: Sendable>: TableDescription {
  /// The table's name.
  public let name: String
  /// The columns, in order.
  public let columnNames: [String]
  /// The statements that create it, indexes included.
  public let creation: [String]
  @usableFromInline let sql: TableSQL
  @usableFromInline let bind: @Sendable (borrowing Row, Statement) -> Void
  @usableFromInline let read: @Sendable (Statement) throws -> Row

  /// Maps a type; the columns are listed in the order of its properties.
  ///
  /// - Parameters:
  ///   - key: The columns that identify a row; together unique.
  ///   - clusteredBy: The columns that order the rows on disk, if not the key; together unique.
  ///   - make: Makes a row from its values; usually the memberwise `init`.
  @inlinable @inline(__always)
  public convenience init<each V: ColumnValue>(
    _ name: String, key: [String], clusteredBy: [String]? = nil, indexes: [Index] = [],
    _ make: @escaping @Sendable (repeat each V) -> Row, _ column: repeat Column<Row, each V>
  ) {
    var columns: [ColumnDeclaration] = []
    var end = 0
    for column in repeat each column {
      // Two swapped columns of one type would be read into each other's property, since a memberwise `init`
      // takes them in order. This programming error is found at the first start, by offsets that don't rise.
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
