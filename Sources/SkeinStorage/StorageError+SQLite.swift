internal import CSQLite

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

extension StorageError {
  /// Creates the error for the result of the latest call on `database`.
  ///
  /// SQLite's own message is used only if this message can't contain a bound value. The message of a failed
  /// full-text query, for example, quotes the bound query.
  init(result: Int32, on database: OpaquePointer?, preparing: Bool = false) {
    let primary = result & 0xFF
    let tellsNoValue = preparing || primary == SQLITE_CONSTRAINT
    let text = tellsNoValue && database != nil ? sqlite3_errmsg(database) : sqlite3_errstr(result)
    let noSpace = database.map { [ENOSPC, EDQUOT].contains(sqlite3_system_errno($0)) } ?? false
    self.init(
      primary == SQLITE_IOERR && noSpace ? .full : Code(primary: primary),
      text.map { String(cString: $0) } ?? "unknown", sqliteCode: result)
  }
}

extension StorageError.Code {
  fileprivate init(primary: Int32) {
    self =
      switch primary {
      case SQLITE_NOTADB: .notADatabase
      case SQLITE_FULL: .full
      case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .busy
      case SQLITE_CORRUPT: .corrupt
      case SQLITE_CONSTRAINT: .constraint
      case SQLITE_CANTOPEN: .cannotOpen
      case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .readOnly
      case SQLITE_IOERR: .io
      case SQLITE_INTERRUPT: .interrupted
      case SQLITE_RANGE, SQLITE_MISUSE: .misuse
      default: .other
      }
  }
}
