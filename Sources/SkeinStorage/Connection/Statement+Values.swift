public import CSQLite

/// Tells SQLite to take a copy of what is bound.
@usableFromInline let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Statement {
  /// Binds NULL.
  @inlinable public func bindNull(at parameter: Int32) {
    note(sqlite3_bind_null(handle, parameter))
  }

  /// Binds an integer.
  @inlinable public func bind(integer value: Int64, at parameter: Int32) {
    note(sqlite3_bind_int64(handle, parameter, value))
  }

  /// Binds a floating-point number; NaN is stored as NULL.
  @inlinable public func bind(number value: Double, at parameter: Int32) {
    note(sqlite3_bind_double(handle, parameter, value))
  }

  /// Binds UTF-8 text.
  @inlinable public func bind(text: UnsafeBufferPointer<UInt8>, at parameter: Int32) {
    let place = keep(UnsafeRawBufferPointer(text))
    let start = (place ?? UnsafeRawPointer(text.baseAddress) ?? UnsafeRawPointer(buffer))
      .assumingMemoryBound(to: CChar.self)
    note(
      sqlite3_bind_text64(
        handle, parameter, start, UInt64(text.count), place == nil ? copied : nil, UInt8(SQLITE_UTF8)))
  }

  /// Binds bytes.
  @inlinable public func bind(blob: UnsafeRawBufferPointer, at parameter: Int32) {
    let place = keep(blob)
    note(
      sqlite3_bind_blob64(
        handle, parameter, place ?? blob.baseAddress ?? UnsafeRawPointer(buffer), UInt64(blob.count),
        place == nil ? copied : nil))
  }

  /// Copies bytes to the statement's own buffer; nil where they don't fit.
  @inlinable func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard let start = bytes.baseAddress, bytes.count <= bufferSize &- used else { return nil }
    let place = buffer + used
    place.copyMemory(from: start, byteCount: bytes.count)
    used &+= bytes.count
    return UnsafeRawPointer(place)
  }

  /// A binding that failed is reported by the step, so that it can't go unseen.
  @inlinable func note(_ result: Int32) {
    if result != SQLITE_OK { bindingResult = result }
  }

  /// Whether a column of the present row is NULL.
  @inlinable public func isNull(at column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// The integer of a column; throws `rowMismatch` when it holds anything else.
  @inlinable public func integer(at column: Int32) throws -> Int64 {
    guard sqlite3_column_type(handle, column) == SQLITE_INTEGER else { throw mismatch(at: column) }
    return sqlite3_column_int64(handle, column)
  }

  /// The number of a column; throws `rowMismatch` when it holds text, bytes or NULL.
  @inlinable public func number(at column: Int32) throws -> Double {
    let type = sqlite3_column_type(handle, column)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { throw mismatch(at: column) }
    return sqlite3_column_double(handle, column)
  }

  /// The text of a column; throws `rowMismatch` when it holds anything else.
  @inlinable public func text(at column: Int32) throws -> String {
    guard sqlite3_column_type(handle, column) == SQLITE_TEXT, let start = sqlite3_column_text(handle, column)
    else { throw mismatch(at: column) }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Hands over the bytes of a column, good until the next step; throws `rowMismatch` when it holds anything else.
  @inlinable public func withBlob<T>(at column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) throws
    -> T
  {
    guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { throw mismatch(at: column) }
    let start = sqlite3_column_blob(handle, column)
    return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
