#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

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

  @inlinable func differs(_ row: UnsafePointer<Row>, _ other: UnsafePointer<Row>) -> Bool {
    // In most updates, most values are unchanged copies. Comparing their bytes takes less time than comparing values
    // of a type that is known only at run time.
    let (one, two) = (UnsafeRawPointer(row) + offset, UnsafeRawPointer(other) + offset)
    if haveEqualBytes(one, two, MemoryLayout<Value>.size) { return false }
    return !Value.areStoredAlike(
      one.assumingMemoryBound(to: Value.self).pointee, two.assumingMemoryBound(to: Value.self).pointee)
  }
}

@usableFromInline
func haveEqualBytes(_ one: UnsafeRawPointer, _ two: UnsafeRawPointer, _ count: Int) -> Bool {
  memcmp(one, two, count) == 0
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

/// Some columns of a table: a bit for each column, in the order of the columns.
@usableFromInline struct ColumnSet: Hashable, Sendable {
  @usableFromInline var bits: UInt64

  @inlinable init(bits: UInt64 = 0) { self.bits = bits }

  @usableFromInline static let all = ColumnSet(bits: .max)

  @inlinable func contains(_ column: Int) -> Bool { bits & (1 << UInt64(column)) != 0 }
  @inlinable mutating func insert(_ column: Int) { bits |= 1 << UInt64(column) }
  @inlinable func union(_ other: ColumnSet) -> ColumnSet { ColumnSet(bits: bits | other.bits) }
  @inlinable var isEmpty: Bool { bits == 0 }
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
