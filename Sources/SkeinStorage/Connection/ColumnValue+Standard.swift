#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Int64: ColumnValue {
  /// An integer of 64 bits.
  public static var columnType: ColumnType { .integer }

  /// Binds an integer.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    statement.bind(integer: self, at: parameter)
  }

  /// Reads an integer.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> Int64 {
    try statement.integer(at: column)
  }

  /// Compares the values.
  @inlinable public static func areStoredAlike(_ one: Self, _ other: Self) -> Bool { one == other }
}

extension Int: ColumnValue {
  /// An integer of 64 bits.
  public static var columnType: ColumnType { .integer }

  /// Binds an integer of 64 bits.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    statement.bind(integer: Int64(self), at: parameter)
  }

  /// Reads an integer.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> Int {
    guard let value = Int(exactly: try statement.integer(at: column)) else {
      throw statement.mismatch(at: column)
    }
    return value
  }

  /// Compares the values.
  @inlinable public static func areStoredAlike(_ one: Self, _ other: Self) -> Bool { one == other }
}

extension Bool: ColumnValue {
  /// 0 or 1.
  public static var columnType: ColumnType { .integer }

  /// Binds 0 or 1.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    statement.bind(integer: self ? 1 : 0, at: parameter)
  }

  /// Reads 0 or 1; throws `rowMismatch` for anything else.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> Bool {
    switch try statement.integer(at: column) {
    case 0: false
    case 1: true
    default: throw statement.mismatch(at: column)
    }
  }

  /// Compares the values.
  @inlinable public static func areStoredAlike(_ one: Self, _ other: Self) -> Bool { one == other }
}

extension Double: ColumnValue {
  /// A floating-point number of 64 bits.
  public static var columnType: ColumnType { .real }

  /// Binds a number; SQLite stores NaN as NULL.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    statement.bind(number: self, at: parameter)
  }

  /// Reads a number.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> Double {
    try statement.number(at: column)
  }

  /// Compares the values. NaN differs from every value, so each update writes NaN again.
  @inlinable public static func areStoredAlike(_ one: Self, _ other: Self) -> Bool { one == other }
}

extension String: ColumnValue {
  /// Text in UTF-8.
  public static var columnType: ColumnType { .text }

  /// Binds the text as UTF-8; the text may contain zero bytes.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    var text = self
    text.withUTF8 { statement.bind(text: $0, at: parameter) }
  }

  /// Reads text; each invalid part of the UTF-8 becomes U+FFFD.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> String {
    try statement.text(at: column)
  }

  /// Compares the texts byte by byte.
  @inlinable public static func areStoredAlike(_ one: Self, _ other: Self) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }
}

extension Data: ColumnValue {
  /// Bytes.
  public static var columnType: ColumnType { .blob }

  /// Binds bytes.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    withUnsafeBytes { statement.bind(blob: $0, at: parameter) }
  }

  /// Reads bytes.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> Data {
    try statement.withBlob(at: column) { Data($0) }
  }

  /// Compares the values.
  @inlinable public static func areStoredAlike(_ one: Self, _ other: Self) -> Bool { one == other }
}

extension [UInt8]: ColumnValue {
  /// Bytes.
  public static var columnType: ColumnType { .blob }

  /// Binds bytes.
  @inlinable public func bind(to statement: Statement, at parameter: Int32) {
    withUnsafeBytes { statement.bind(blob: $0, at: parameter) }
  }

  /// Reads bytes.
  @inlinable public static func read(from statement: Statement, at column: Int32) throws -> [UInt8] {
    try statement.withBlob(at: column) { [UInt8]($0) }
  }

  /// Compares the values.
  @inlinable public static func areStoredAlike(_ one: Self, _ other: Self) -> Bool { one == other }
}
