/// The reason why an operation waits or has failed: a code, which the app can translate, and a sentence in English.
///
/// ```swift
/// func text(for reason: FailureReason) -> String {
///   switch reason.code {
///   case .unreachable: "No connection"
///   case .storage: "The storage of this device is full or can't be written."
///   default: reason.message
///   }
/// }
/// ```
public struct FailureReason: Sendable, Hashable, CustomStringConvertible {
  /// The kind of failure: a code of ``BackendError/Code``, or a code for a failure of this device. Codes may
  /// be added.
  public struct Code: RawRepresentable, Sendable, Hashable {
    /// The code's name.
    public let rawValue: String
    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The server can't be reached.
    public static let unreachable = Code(rawValue: BackendError.Code.unreachable.rawValue)
    /// The server failed, or did not answer in time.
    public static let transient = Code(rawValue: BackendError.Code.transient.rawValue)
    /// The server requests a pause; see ``FailureReason/retryAfter``.
    public static let rateLimited = Code(rawValue: BackendError.Code.rateLimited.rawValue)
    /// The server refuses the request.
    public static let permanent = Code(rawValue: BackendError.Code.permanent.rawValue)
    /// The session is no longer valid.
    public static let unauthorized = Code(rawValue: BackendError.Code.unauthorized.rawValue)
    /// This device can't store or read the data.
    public static let storage = Code(rawValue: "storage")
  }
  /// The kind of failure.
  public let code: Code
  /// One sentence in English, without secrets or message text.
  public let message: String
  /// The pause that the server requests; nil if the server requests no pause.
  public let retryAfter: Duration?

  /// Describes a reason.
  public init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
  }

  /// Creates the reason of a failed request.
  public init(_ error: BackendError) {
    self.init(Code(rawValue: error.code.rawValue), error.message, retryAfter: error.retryAfter)
  }

  /// The code and the sentence.
  public var description: String { "\(code.rawValue): \(message)" }
}
