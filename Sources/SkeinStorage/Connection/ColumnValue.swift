/// The storage type of a column.
public enum ColumnType: String, Sendable {
  case integer = "INTEGER"
  case real = "REAL"
  case text = "TEXT"
  case blob = "BLOB"
}

/// A value that fits in one column.
///
/// A `RawRepresentable` type whose raw value is a column value only has to declare the conformance:
/// ```swift
/// struct MessageID: RawRepresentable, ColumnValue { let rawValue: Int64 }
/// enum Status: String, ColumnValue { case sending, sent }
/// ```
public protocol ColumnValue: Sendable {
  /// The declared type of the column.
  static var columnType: ColumnType { get }
  /// Whether the column may be NULL.
  static var isNullable: Bool { get }
  /// Binds the value to a parameter of `statement`, counted from 1.
  func bind(to statement: Statement, at parameter: Int32)
  /// Reads a value from a column of the current row, counted from 0; throws `rowMismatch` if the stored value does
  /// not fit the type.
  static func read(from statement: Statement, at column: Int32) throws -> Self
  /// Whether both values are stored in the same way. Texts that Swift treats as equal may be stored differently.
  static func areStoredAlike(_ one: Self, _ other: Self) -> Bool
}

extension ColumnValue {
  /// False.
  public static var isNullable: Bool { false }
}

extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  /// The raw value's type.
  public static var columnType: ColumnType { RawValue.columnType }

  /// Binds the raw value.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    rawValue.bind(to: statement, at: parameter)
  }

  /// Reads the raw value, and creates the value; throws `rowMismatch` if the type has no value with this raw value.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> Self {
    guard let value = Self(rawValue: try RawValue.read(from: statement, at: column)) else {
      throw statement.mismatch(at: column)
    }
    return value
  }

  /// Compares the raw values.
  @inlinable public static func areStoredAlike(_ one: Self, _ other: Self) -> Bool {
    RawValue.areStoredAlike(one.rawValue, other.rawValue)
  }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  /// The wrapped value's type.
  public static var columnType: ColumnType { Wrapped.columnType }
  /// True.
  public static var isNullable: Bool { true }

  /// Binds the value, or NULL.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    if let self { self.bind(to: statement, at: parameter) } else { statement.bindNull(at: parameter) }
  }

  /// Reads the value, or nil for NULL.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> Self {
    statement.isNull(at: column) ? nil : try Wrapped.read(from: statement, at: column)
  }

  /// Compares the wrapped values; nil and a value are not stored alike.
  @inlinable public static func areStoredAlike(_ one: Self, _ other: Self) -> Bool {
    guard let one else { return other == nil }
    guard let other else { return false }
    return Wrapped.areStoredAlike(one, other)
  }
}
