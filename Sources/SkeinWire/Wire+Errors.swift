extension Wire {
  /// The body of an answer with a status of 400 or more. A request that is refused before it reaches the
  /// protocol, such as malformed HTTP, is answered in plain text instead.
  public struct ErrorResponse: Codable, Sendable, Equatable {
    /// The failure.
    public var error: Failure
    /// If the id of a message is in use: the message that the server stores under the id.
    public var message: Message?
    /// The offset at which the upload continues, if the request stated another offset.
    public var offset: Int64?

    /// Creates an answer.
    public init(error: Failure, message: Message? = nil, offset: Int64? = nil) {
      self.error = error
      self.message = message
      self.offset = offset
    }
  }

  /// A failure, described for programs and for people.
  public struct Failure: Codable, Sendable, Equatable {
    /// The reason, for programs.
    public var code: ErrorCode
    /// The reason, for people: one sentence without secrets.
    public var message: String

    /// Creates a failure.
    public init(code: ErrorCode, message: String) {
      self.code = code
      self.message = message
    }
  }

  /// The reason of a refusal. A client that does not know the code uses the status of the answer.
  public struct ErrorCode: RawRepresentable, Codable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String
    /// Wraps a name from the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// 400: the body, the frame or the message's content is not JSON of the expected shape.
    public static let badJSON = ErrorCode(rawValue: "badJSON")
    /// 400: a value is missing or invalid, or the requested change is not allowed.
    public static let badRequest = ErrorCode(rawValue: "badRequest")
    /// 400: the cursor is malformed, or belongs to another user, database or epoch. Sync without a cursor.
    public static let badCursor = ErrorCode(rawValue: "badCursor")
    /// 401: the token is missing, unknown or expired, or its session was signed out.
    public static let unauthorized = ErrorCode(rawValue: "unauthorized")
    /// 401: user and password don't match.
    public static let wrongPassword = ErrorCode(rawValue: "wrongPassword")
    /// 403: only the sender may revise the message in this way.
    public static let notSender = ErrorCode(rawValue: "notSender")
    /// 404: the conversation, contact, message, file, upload or path does not exist, or is not accessible to
    /// the asker.
    public static let notFound = ErrorCode(rawValue: "notFound")
    /// 404: the request refers to a user who doesn't exist.
    public static let unknownUser = ErrorCode(rawValue: "unknownUser")
    /// 405: the path accepts only the methods in the `Allow` header.
    public static let methodNotAllowed = ErrorCode(rawValue: "methodNotAllowed")
    /// 409: the message is not stored, since the message that ``MessageRequest/after`` names is not stored.
    public static let outOfOrder = ErrorCode(rawValue: "outOfOrder")
    /// 409: the account exists.
    public static let userExists = ErrorCode(rawValue: "userExists")
    /// 409: the id was used before with other values.
    public static let idInUse = ErrorCode(rawValue: "idInUse")
    /// 409: the message was recalled and can't be revised.
    public static let recalled = ErrorCode(rawValue: "recalled")
    /// 409: the upload continues at another offset, which the answer contains.
    public static let wrongOffset = ErrorCode(rawValue: "wrongOffset")
    /// 422: the file can't be copied. The answer does not reveal the reason.
    public static let notCopied = ErrorCode(rawValue: "notCopied")
    /// 422: the bytes of an upload don't have the announced hash. The server has removed the upload.
    public static let hashMismatch = ErrorCode(rawValue: "hashMismatch")
    /// 413: the body, or a value in the body, is larger than the server accepts.
    public static let tooLarge = ErrorCode(rawValue: "tooLarge")
    /// 415: the call does not accept this `Content-Type`.
    public static let unsupportedType = ErrorCode(rawValue: "unsupportedType")
    /// 429: too many attempts. The `Retry-After` header contains the wait in seconds.
    public static let rateLimited = ErrorCode(rawValue: "rateLimited")
    /// 500: the server failed. Nothing was changed, except that an upload keeps the bytes received so far.
    public static let serverFailed = ErrorCode(rawValue: "serverFailed")
    /// 503: the server is busy or stopping. The same request may succeed later.
    public static let unavailable = ErrorCode(rawValue: "unavailable")
    /// 507: the server's disk is full. Nothing was changed, except that an upload keeps the bytes received so far.
    public static let storageFull = ErrorCode(rawValue: "storageFull")
  }
}
