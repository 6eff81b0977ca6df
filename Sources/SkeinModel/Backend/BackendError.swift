/// The reason why a request to the server failed.
public struct BackendError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. Codes may be added; an unknown code counts as transient.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The server can't be reached, or the connection was lost; ``BackendError/outcomeIsUnknown`` shows whether the
    /// request may have arrived.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The server failed, or did not answer in time; the same request may succeed later.
    public static let transient = Code(rawValue: "transient")
    /// The server requests a pause before the next request.
    public static let rateLimited = Code(rawValue: "rateLimited")
    /// The server refuses the request, and would refuse a repetition: for example, the conversation or the file does
    /// not exist, or the content can't be stored.
    public static let permanent = Code(rawValue: "permanent")
    /// The session is no longer valid.
    public static let unauthorized = Code(rawValue: "unauthorized")
    /// The server does not know the cursor.
    public static let cursorRejected = Code(rawValue: "cursorRejected")
    /// The server stores other content under the message id; ``BackendError/stored`` is the stored message.
    public static let idInUse = Code(rawValue: "idInUse")
    /// The message was not stored, because a message before it was not stored; see
    /// ``PipeliningBackend/send(_:report:)``.
    public static let outOfOrder = Code(rawValue: "outOfOrder")
    /// The backend does not support the request.
    public static let unsupported = Code(rawValue: "unsupported")
  }
  /// The kind of failure.
  public let code: Code
  /// One sentence for people, without secrets or message text.
  public let message: String
  /// The pause that the server requests; nil if the server requests no pause.
  public let retryAfter: Duration?
  /// Whether the request may have taken effect despite the error.
  public let outcomeIsUnknown: Bool
  /// With ``Code/idInUse``, the message that the server stores under the id; nil if the backend can't tell.
  public let stored: IncomingMessage?
  /// The underlying error.
  public let cause: (any Error)?

  /// Describes a failure.
  ///
  /// - Parameter outcomeIsUnknown: true if the request may have had an effect; false if it certainly had
  ///   none.
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
