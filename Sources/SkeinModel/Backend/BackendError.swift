/// Why a server did not do what it was asked.
public struct BackendError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it was; more codes may come, and an unknown one counts as transient.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Names a code.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The server can't be reached; nothing got through.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The server failed, or did not answer in time; the same again may work.
    public static let transient = Code(rawValue: "transient")
    /// The server asks for patience.
    public static let rateLimited = Code(rawValue: "rateLimited")
    /// The server refuses, and will refuse the same again: there is no such conversation or file, or it can't keep this.
    public static let permanent = Code(rawValue: "permanent")
    /// The session is not valid any more.
    public static let unauthorized = Code(rawValue: "unauthorized")
    /// The server does not know the cursor.
    public static let cursorRejected = Code(rawValue: "cursorRejected")
    /// The message id stands for other content on the server; ``BackendError/stored`` is what it holds.
    public static let idInUse = Code(rawValue: "idInUse")
    /// The backend has no such ability.
    public static let unsupported = Code(rawValue: "unsupported")
  }
  /// What kind of failure it was.
  public let code: Code
  /// One sentence for a person; no secrets and no message text.
  public let message: String
  /// How long the server asks to wait, where it does.
  public let retryAfter: Duration?
  /// Whether the server may have done what it was asked all the same.
  public let outcomeIsUnknown: Bool
  /// The message that the server holds under the id, with ``Code/idInUse``.
  public let stored: IncomingMessage?
  /// What caused it.
  public let cause: (any Error)?

  /// Describes a failure.
  ///
  /// - Parameter outcomeIsUnknown: true unless the request surely had no effect.
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

  /// Code and sentence.
  public var description: String { "\(code.rawValue): \(message)" }
}
