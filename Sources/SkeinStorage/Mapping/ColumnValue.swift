/// How SQLite stores a column.
public enum ColumnType: String, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}

/// A value that fits in one column.
///
/// A type that is `RawRepresentable` by one of those below needs nothing but to name this protocol:
/// ```swift
/// struct MessageID: RawRepresentable, ColumnValue { let rawValue: Int64 }
/// enum Status: String, ColumnValue { case sending, sent }
/// ```
public protocol ColumnValue: Sendable {
  /// What its column is declared as.
  static var columnType: ColumnType { get }
  /// Whether its column may be NULL.
  static var isNullable: Bool { get }
  /// Binds it to a parameter of `statement`, counted from 1.
  func bind(to statement: Statement, at parameter: Int32)
  /// Reads it from a column of the present row, counted from 0; throws `rowMismatch` where that holds something else.
  static func read(from statement: Statement, at column: Int32) throws -> Self
}

extension ColumnValue {
  /// Not, unless a type says so.
  public static var isNullable: Bool { false }
}

extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  /// The raw value's.
  public static var columnType: ColumnType { RawValue.columnType }

  /// Binds the raw value.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    rawValue.bind(to: statement, at: parameter)
  }

  /// Reads the raw value; throws `rowMismatch` when nothing can be made of it.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> Self {
    guard let value = Self(rawValue: try RawValue.read(from: statement, at: column)) else {
      throw statement.mismatch(at: column)
    }
    return value
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  /// The wrapped type's.
  public static var columnType: ColumnType { Wrapped.columnType }
  /// Always.
  public static var isNullable: Bool { true }

  /// Binds the value, or NULL.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    if let self { self.bind(to: statement, at: parameter) } else { statement.bindNull(at: parameter) }
  }

  /// Reads the value, or nil for NULL.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> Self {
    statement.isNull(at: column) ? nil : try Wrapped.read(from: statement, at: column)
  }
}
