extension Wire {
  /// The body of every answer with a status of 400 or more.
  public struct ErrorResponse: Codable, Sendable, Equatable {
    /// The failure.
    public var error: Failure
    /// The stored message, if its id is in use with other content.
    public var message: Message?
    /// The offset at which the upload continues, if the request had another offset.
    public var offset: Int64?

    /// Makes an answer.
    public init(error: Failure, message: Message? = nil, offset: Int64? = nil) {
      self.error = error
      self.message = message
      self.offset = offset
    }
  }

  /// A failure, described for programs and for people.
  public struct Failure: Codable, Sendable, Equatable {
    /// For programs.
    public var code: ErrorCode
    /// For people: one sentence without secrets.
    public var message: String

    /// Makes a failure.
    public init(code: ErrorCode, message: String) {
      self.code = code
      self.message = message
    }
  }

  /// The reason of a refusal; a reader uses the status if the code is unknown.
  public struct ErrorCode: RawRepresentable, Codable, Sendable, Hashable {
    /// The name on the wire.
    public let rawValue: String
    /// A code of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// 400: the body is not JSON of the expected shape.
    public static let badJSON = ErrorCode(rawValue: "badJSON")
    /// 400: a value is missing or out of its range.
    public static let badRequest = ErrorCode(rawValue: "badRequest")
    /// 400: the cursor is malformed or belongs to another user or database; sync again without a cursor.
    public static let badCursor = ErrorCode(rawValue: "badCursor")
    /// 401: the token is missing, unknown, expired or signed out.
    public static let unauthorized = ErrorCode(rawValue: "unauthorized")
    /// 401: user and password don't match.
    public static let wrongPassword = ErrorCode(rawValue: "wrongPassword")
    /// 403: only the sender may revise the message in this way.
    public static let notSender = ErrorCode(rawValue: "notSender")
    /// 404: there is no such thing, or the asker may not see it.
    public static let notFound = ErrorCode(rawValue: "notFound")
    /// 404: the request refers to a user who doesn't exist.
    public static let unknownUser = ErrorCode(rawValue: "unknownUser")
    /// 405: the path accepts only the methods in the `Allow` header.
    public static let methodNotAllowed = ErrorCode(rawValue: "methodNotAllowed")
    /// 409: the account exists.
    public static let userExists = ErrorCode(rawValue: "userExists")
    /// 409: the id was used before, for something else.
    public static let idInUse = ErrorCode(rawValue: "idInUse")
    /// 409: the message was recalled and can't be revised.
    public static let recalled = ErrorCode(rawValue: "recalled")
    /// 409: the upload continues at another offset, which the answer contains.
    public static let wrongOffset = ErrorCode(rawValue: "wrongOffset")
    /// 422: the file can't be copied; the reason is not revealed.
    public static let notCopied = ErrorCode(rawValue: "notCopied")
    /// 422: the bytes of an upload don't have the announced hash; the upload is removed.
    public static let hashMismatch = ErrorCode(rawValue: "hashMismatch")
    /// 413: the body or a value in it is larger than the server accepts.
    public static let tooLarge = ErrorCode(rawValue: "tooLarge")
    /// 415: the call does not accept this `Content-Type`.
    public static let unsupportedType = ErrorCode(rawValue: "unsupportedType")
    /// 429: too many attempts; the `Retry-After` header has the wait in seconds.
    public static let rateLimited = ErrorCode(rawValue: "rateLimited")
    /// 500: the server failed; nothing was changed.
    public static let serverFailed = ErrorCode(rawValue: "serverFailed")
    /// 503: the server is busy or stopping; the same request may succeed later.
    public static let unavailable = ErrorCode(rawValue: "unavailable")
    /// 507: the server's disk is full; nothing was changed.
    public static let storageFull = ErrorCode(rawValue: "storageFull")
  }
}
