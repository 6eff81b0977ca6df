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
  @usableFromInline let bind: @Sendable (borrowing Row, Statement, ColumnSet) -> Void
  @usableFromInline let differences: @Sendable (borrowing Row, borrowing Row) -> ColumnSet
  @usableFromInline let read: @Sendable (Statement) throws -> Row
  @usableFromInline let key: ColumnSet

  /// Maps a type; the columns, at most 64, are listed in the order of its properties.
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
      bind: { row, statement, columns in
        withUnsafePointer(to: row) { row in
          var parameter: Int32 = 0
          for column in repeat each column {
            parameter &+= 1
            guard columns.contains(Int(parameter) - 1) else { continue }
            column.bind(row, to: statement, at: parameter)
          }
        }
      },
      differences: { row, other in
        withUnsafePointer(to: row) { row in
          withUnsafePointer(to: other) { other in
            var differences = ColumnSet()
            var place = 0
            for column in repeat each column {
              if column.differs(row, other) { differences.insert(place) }
              place &+= 1
            }
            return differences
          }
        }
      },
      read: { statement in
        var place: Int32 = -1
        // The values are read by the columns: for each metatype `(each V).self`, the compiler would build the types of all
        // columns again.
        func next<T: ColumnValue>(_: Column<Row, T>) throws -> T {
          place &+= 1
          return try T.read(from: statement, at: place)
        }
        return make(repeat try next(each column))
      })
  }

  @usableFromInline init(
    _ name: String, _ columns: [ColumnDeclaration], key: [String], clusteredBy: [String]?, indexes: [Index],
    bind: @escaping @Sendable (borrowing Row, Statement, ColumnSet) -> Void,
    differences: @escaping @Sendable (borrowing Row, borrowing Row) -> ColumnSet,
    read: @escaping @Sendable (Statement) throws -> Row
  ) {
    // A wider table is a programming error, which shows at the first start.
    precondition(columns.count <= 64, "\(name): a table has at most 64 columns")
    self.name = name
    columnNames = columns.map(\.name)
    var keyColumns = ColumnSet()
    for (place, column) in columns.enumerated() where key.contains(column.name) { keyColumns.insert(place) }
    self.key = keyColumns
    creation = TableSQL.creation(name, columns, key: key, clusteredBy: clusteredBy, indexes: indexes)
    sql = TableSQL(name, columns.map(\.name), key: key)
    self.bind = bind
    self.differences = differences
    self.read = read
  }

  /// The statement that updates these columns of the row with a key.
  @usableFromInline func update(_ columns: ColumnSet) -> String {
    sql.update(columnNames.indices.filter(columns.contains))
  }
}
