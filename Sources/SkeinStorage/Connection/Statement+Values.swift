public import CSQLite

/// `SQLITE_TRANSIENT`: SQLite copies the bound bytes.
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

  /// Copies bytes to the statement's buffer, and returns the address of the copy. Returns nil if the buffer
  /// has too little room left, or if `bytes` has no base address.
  @inlinable func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer? {
    guard let start = bytes.baseAddress, bytes.count <= bufferSize &- used else { return nil }
    let place = buffer + used
    place.copyMemory(from: start, byteCount: bytes.count)
    used &+= bytes.count
    return UnsafeRawPointer(place)
  }

  /// Stores the result of a failed binding; ``next()`` then throws the error.
  @inlinable func note(_ result: Int32) {
    if result != SQLITE_OK { bindingResult = result }
  }

  /// The value of a column, in SQLite's unprotected form. Reading this value is faster than separate calls
  /// for the column's type, bytes and count. The unprotected form is safe, since only one thread at a time
  /// uses the connection.
  @inlinable @inline(__always) func value(at column: Int32) -> OpaquePointer? {
    sqlite3_column_value(handle, column)
  }

  /// Whether a column of the current row is NULL.
  @inlinable public func isNull(at column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// Returns the integer in a column; throws `rowMismatch` if the stored value has another type.
  @inlinable @inline(__always) public func integer(at column: Int32) throws -> Int64 {
    let value = value(at: column)
    guard sqlite3_value_type(value) == SQLITE_INTEGER else { throw mismatch(at: column) }
    return sqlite3_value_int64(value)
  }

  /// Returns the number in a column, an integer or a floating-point number; throws `rowMismatch` if the stored value
  /// has another type.
  @inlinable @inline(__always) public func number(at column: Int32) throws -> Double {
    let value = value(at: column)
    let type = sqlite3_value_type(value)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { throw mismatch(at: column) }
    return sqlite3_value_double(value)
  }

  /// Returns the text in a column; throws `rowMismatch` if the stored value has another type.
  @inlinable @inline(__always) public func text(at column: Int32) throws -> String {
    let value = value(at: column)
    guard sqlite3_value_type(value) == SQLITE_TEXT, let start = sqlite3_value_text(value)
    else { throw mismatch(at: column) }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Calls `body` with the bytes in a column; the bytes are valid only during the call. Throws `rowMismatch`
  /// if the stored value has another type.
  @inlinable @inline(__always)
  public func withBlob<T>(at column: Int32, _ body: (UnsafeRawBufferPointer) throws -> T) throws -> T {
    let value = value(at: column)
    guard sqlite3_value_type(value) == SQLITE_BLOB else { throw mismatch(at: column) }
    let start = sqlite3_value_blob(value)
    return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
  }
}
