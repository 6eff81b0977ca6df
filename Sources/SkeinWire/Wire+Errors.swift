extension Wire {
  /// What every answer from 400 up carries.
  public struct ErrorResponse: Codable, Sendable, Equatable {
    /// What went wrong.
    public var error: Failure
    /// The stored message, when its id is in use with other content.
    public var message: Message?
    /// Where the upload goes on, when it was to go on elsewhere.
    public var offset: Int64?

    /// An answer of these parts.
    public init(error: Failure, message: Message? = nil, offset: Int64? = nil) {
      self.error = error
      self.message = message
      self.offset = offset
    }
  }

  /// What went wrong, for a program and for a person.
  public struct Failure: Codable, Sendable, Equatable {
    /// For a program.
    public var code: ErrorCode
    /// For a person: one sentence, never a secret.
    public var message: String

    /// A failure of these parts.
    public init(code: ErrorCode, message: String) {
      self.code = code
      self.message = message
    }
  }

  /// Names a reason for refusing; a reader goes by the status when it doesn't know the code.
  public struct ErrorCode: RawRepresentable, Codable, Sendable, Hashable {
    /// The name as it stands on the wire.
    public let rawValue: String
    /// A code of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// 400: the body is no JSON of the expected shape.
    public static let badJSON = ErrorCode(rawValue: "badJSON")
    /// 400: a value is missing or out of its range.
    public static let badRequest = ErrorCode(rawValue: "badRequest")
    /// 400: the cursor is another user's, another database's, or none at all; sync without one.
    public static let badCursor = ErrorCode(rawValue: "badCursor")
    /// 401: no token, or one that is unknown, expired or signed out.
    public static let unauthorized = ErrorCode(rawValue: "unauthorized")
    /// 401: no such user, or not that user's password.
    public static let wrongPassword = ErrorCode(rawValue: "wrongPassword")
    /// 403: only who sent the message may do this to it.
    public static let notSender = ErrorCode(rawValue: "notSender")
    /// 404: nothing there, or nothing the asker may see.
    public static let notFound = ErrorCode(rawValue: "notFound")
    /// 404: the request names a user who doesn't exist.
    public static let unknownUser = ErrorCode(rawValue: "unknownUser")
    /// 405: the path exists, the `Allow` header says for which methods.
    public static let methodNotAllowed = ErrorCode(rawValue: "methodNotAllowed")
    /// 409: that account exists.
    public static let userExists = ErrorCode(rawValue: "userExists")
    /// 409: the id was used before, for something else.
    public static let idInUse = ErrorCode(rawValue: "idInUse")
    /// 409: the message was recalled, and nothing can be done to it.
    public static let recalled = ErrorCode(rawValue: "recalled")
    /// 409: the upload has another length; the answer's `offset` says which.
    public static let wrongOffset = ErrorCode(rawValue: "wrongOffset")
    /// 422: there is nothing at the address that can be copied; why is not told.
    public static let notCopied = ErrorCode(rawValue: "notCopied")
    /// 422: the bytes of an upload don't have the hash it was begun with; it is gone.
    public static let hashMismatch = ErrorCode(rawValue: "hashMismatch")
    /// 413: larger than the server takes.
    public static let tooLarge = ErrorCode(rawValue: "tooLarge")
    /// 415: not the `Content-Type` the call takes.
    public static let unsupportedType = ErrorCode(rawValue: "unsupportedType")
    /// 429: too many attempts; the `Retry-After` header says when to come back, in seconds.
    public static let rateLimited = ErrorCode(rawValue: "rateLimited")
    /// 500: the server's fault; nothing was changed.
    public static let serverFailed = ErrorCode(rawValue: "serverFailed")
    /// 503: the server is busy or stopping; the same request may succeed later.
    public static let unavailable = ErrorCode(rawValue: "unavailable")
    /// 507: the server's disk is full; nothing was changed.
    public static let storageFull = ErrorCode(rawValue: "storageFull")
  }
}
