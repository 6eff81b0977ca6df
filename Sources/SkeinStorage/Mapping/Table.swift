/// How a type is stored: its table, its columns in the order of its properties, and the SQL that follows from them.
///
/// A class, so that the statements that ask for it copy a reference and not its dozen fields.
public final class Table<Row: Sendable>: TableDescription {
  /// The table's name.
  public let name: String
  /// The columns, in order.
  public let columnNames: [String]
  /// The statements that make it, indexes included.
  public let creation: [String]
  @usableFromInline let sql: TableSQL
  @usableFromInline let bind: @Sendable (borrowing Row, Statement) -> Void
  @usableFromInline let read: @Sendable (Statement) throws -> Row

  /// Lists the columns once, in the order of the properties.
  ///
  /// - Parameters:
  ///   - key: The columns by which a row is found, updated and deleted; they are unique together.
  ///   - clusteredBy: The columns in whose order the rows lie on disk, where that is not the key; unique together.
  ///   - make: Makes a row of the values: usually the memberwise `init`.
  @inlinable @inline(__always)
  public convenience init<each V: ColumnValue>(
    _ name: String, key: [String], clusteredBy: [String]? = nil, indexes: [Index] = [],
    _ make: @escaping @Sendable (repeat each V) -> Row, _ column: repeat Column<Row, each V>
  ) {
    var columns: [ColumnDeclaration] = []
    var end = 0
    for column in repeat each column {
      // A memberwise `init` takes the properties in their order, so that of two swapped columns of one type each would
      // be read into the other: offsets that don't rise are a mistake in the program, found at its first start.
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
