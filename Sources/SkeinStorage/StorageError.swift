/// A failure of a database or of a file.
///
/// The message may contain the names of tables and columns, but never a stored or bound value.
public struct StorageError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; later versions may add codes.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    /// Creates a custom code; prefer the codes below.
    public init(_ description: String) { self.description = description }

    /// The file is not a SQLite database, or was opened with a wrong key or without its key. The file was not
    /// changed.
    public static let notADatabase = Code("notADatabase")
    /// A key was given, but the linked SQLite can't encrypt. No file was opened or created.
    public static let encryptionUnavailable = Code("encryptionUnavailable")
    /// The disk is full, or the file has reached ``DatabaseOptions/maximumPages``.
    public static let full = Code("full")
    /// Another connection held the lock for longer than ``DatabaseOptions/busyTimeout``.
    public static let busy = Code("busy")
    /// The file is damaged.
    public static let corrupt = Code("corrupt")
    /// A constraint of a table was violated. Only the effect of the failed statement was undone.
    public static let constraint = Code("constraint")
    /// A later version of the program created the file or changed its schema. The file was not changed.
    public static let newerSchema = Code("newerSchema")
    /// The file can't be opened or created, or its folder does not allow a write-ahead log.
    public static let cannotOpen = Code("cannotOpen")
    /// The file or the connection is read-only, or access was denied.
    public static let readOnly = Code("readOnly")
    /// Opening, locking, reading or writing the file failed.
    public static let io = Code("io")
    /// The statement was interrupted.
    public static let interrupted = Code("interrupted")
    /// The stored tables do not fit the schema, the number of migrations to a version is not 1, or the
    /// schema's version is not allowed.
    public static let schemaMismatch = Code("schemaMismatch")
    /// A stored value does not fit the Swift type that it is read as.
    public static let rowMismatch = Code("rowMismatch")
    /// The file, or a folder in its path, does not exist.
    public static let notFound = Code("notFound")
    /// An invalid call, such as a call with a wrong number of values, or with two statements instead of one.
    public static let misuse = Code("misuse")
    /// The database was closed.
    public static let closed = Code("closed")
    /// Any other failure; see ``StorageError/sqliteCode``.
    public static let other = Code("other")
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence for a developer.
  public let message: String
  /// SQLite's extended result code, if SQLite failed.
  public let sqliteCode: Int32?

  /// Creates an error; `message` must not contain stored values.
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
