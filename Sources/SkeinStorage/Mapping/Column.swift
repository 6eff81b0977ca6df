/// A stored property of a row and the column that holds it.
public struct Column<Row, Value: ColumnValue>: Sendable {
  /// The column's name.
  public let name: String
  /// The property's offset in the row's memory; -1 if the property is not a stored property of a struct.
  @usableFromInline let offset: Int

  /// Maps a stored property to the column `name`.
  public init(_ name: String, _ property: any KeyPath<Row, Value> & Sendable) {
    self.name = name
    offset = MemoryLayout<Row>.offset(of: property) ?? -1
  }

  @usableFromInline var end: Int { offset + MemoryLayout<Value>.size }

  @usableFromInline var declaration: ColumnDeclaration {
    ColumnDeclaration(name: name, type: Value.columnType, isNullable: Value.isNullable)
  }

  @inlinable func bind(_ row: UnsafePointer<Row>, to statement: Statement, at parameter: Int32) {
    (UnsafeRawPointer(row) + offset).assumingMemoryBound(to: Value.self).pointee
      .bind(to: statement, at: parameter)
  }
}

/// A column without its generic types, for generating SQL.
@usableFromInline struct ColumnDeclaration: Sendable {
  let name: String
  let type: ColumnType
  let isNullable: Bool

  @usableFromInline init(name: String, type: ColumnType, isNullable: Bool) {
    self.name = name
    self.type = type
    self.isNullable = isNullable
  }
}

/// An index of a table. Its name consists of the names of the table and the columns; the name of a partial
/// index ends in `_partial`.
public struct Index: Sendable {
  let columns: [String]
  let isUnique: Bool
  let condition: String?

  /// Creates an index over `columns`. With `where`, the index is partial: it contains only the rows that satisfy this
  /// SQL expression.
  public init(_ columns: [String], unique: Bool = false, where condition: String? = nil) {
    self.columns = columns
    isUnique = unique
    self.condition = condition
  }
}
