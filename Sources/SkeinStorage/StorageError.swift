/// Why the storage could not do what it was asked.
///
/// Its texts name tables and columns, and never hold a stored or bound value.
public struct StorageError: Error, Sendable, CustomStringConvertible {
  /// What went wrong, for code to branch on.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, as it stands in logs.
    public let description: String

    /// Makes a code of its own; prefer the ones below.
    public init(_ description: String) { self.description = description }

    /// The file is not a SQLite database, or not one of the key it was opened with; it was not touched.
    public static let notADatabase = Code("notADatabase")
    /// A key was given, and the SQLite that is linked can't encrypt; nothing was opened or made.
    public static let encryptionUnavailable = Code("encryptionUnavailable")
    /// The disk, or the number of pages that was allowed, is used up.
    public static let full = Code("full")
    /// Another connection held its lock longer than ``DatabaseOptions/busyTimeout``.
    public static let busy = Code("busy")
    /// The file is damaged.
    public static let corrupt = Code("corrupt")
    /// A uniqueness, null or other rule of a table was broken; only that statement was undone.
    public static let constraint = Code("constraint")
    /// A later version of the program made this file; it was not changed.
    public static let newerSchema = Code("newerSchema")
    /// The file can't be opened or made.
    public static let cannotOpen = Code("cannotOpen")
    /// The file, or the connection, does not take changes.
    public static let readOnly = Code("readOnly")
    /// The system failed to read or write.
    public static let io = Code("io")
    /// The statement was interrupted.
    public static let interrupted = Code("interrupted")
    /// The tables are not the ones the types ask for, or no migration leads to them.
    public static let schemaMismatch = Code("schemaMismatch")
    /// A stored value does not fit the type of its column.
    public static let rowMismatch = Code("rowMismatch")
    /// A file to be read is not there.
    public static let notFound = Code("notFound")
    /// The call does not fit the statement: a wrong number of values, two statements for one.
    public static let misuse = Code("misuse")
    /// The database was closed.
    public static let closed = Code("closed")
    /// Anything else; ``StorageError/sqliteCode`` may say more.
    public static let other = Code("other")
  }

  /// What went wrong.
  public let code: Code
  /// One sentence for a developer.
  public let message: String
  /// SQLite's extended result code, where SQLite was what failed.
  public let sqliteCode: Int32?

  /// Makes an error; `message` must not hold stored values.
  public init(_ code: Code, _ message: String, sqliteCode: Int32? = nil) {
    self.code = code
    self.message = message
    self.sqliteCode = sqliteCode
  }

  /// Code, message and SQLite's number in one line.
  public var description: String {
    "\(code): \(message)" + (sqliteCode.map { " (SQLite \($0))" } ?? "")
  }
}
