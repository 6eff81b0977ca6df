/// The reason why a request to the server failed.
public struct BackendError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; codes may be added, and an unknown one counts as transient.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Names a code.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The server can't be reached; nothing got through.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The server failed, or did not answer in time; the same again may work.
    public static let transient = Code(rawValue: "transient")
    /// The server asks to wait before the next request.
    public static let rateLimited = Code(rawValue: "rateLimited")
    /// The server refuses, and will refuse the same again: there is no such conversation or file, or it can't keep this.
    public static let permanent = Code(rawValue: "permanent")
    /// The session is not valid any more.
    public static let unauthorized = Code(rawValue: "unauthorized")
    /// The server does not know the cursor.
    public static let cursorRejected = Code(rawValue: "cursorRejected")
    /// The message id is in use for other content on the server; ``BackendError/stored`` is the message it stores.
    public static let idInUse = Code(rawValue: "idInUse")
    /// The backend has no such ability.
    public static let unsupported = Code(rawValue: "unsupported")
  }
  /// The kind of failure.
  public let code: Code
  /// One sentence for people, without secrets or message text.
  public let message: String
  /// How long the server asks to wait; nil if it does not say.
  public let retryAfter: Duration?
  /// Whether the request may have taken effect nevertheless.
  public let outcomeIsUnknown: Bool
  /// The message that the server stores under the id, with ``Code/idInUse``.
  public let stored: IncomingMessage?
  /// The underlying error.
  public let cause: (any Error)?

  /// Describes a failure.
  ///
  /// - Parameter outcomeIsUnknown: true unless the request certainly had no effect.
  public init(
    _ code: Code, _ message: String, retryAfter: Duration? = nil, outcomeIsUnknown: Bool = false,
    stored: IncomingMessage? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
    self.outcomeIsUnknown = outcomeIsUnknown
    self.stored = stored
    self.cause = cause
  }

  /// The code and the sentence.
  public var description: String { "\(code.rawValue): \(message)" }
}
