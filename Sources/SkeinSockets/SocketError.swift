/// A failure of an HTTP or WebSocket connection.
public struct SocketError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; later versions may add codes, so a `switch` needs a default.
  public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The code's name.
    public let rawValue: String

    /// Makes a custom code.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The code's name.
    public var description: String { rawValue }

    /// Listening on the address and port failed, or the thread of the connections could not be started.
    public static let cannotListen = Code(rawValue: "cannotListen")
    /// No connection was established: unknown host, closed port or failed TLS handshake.
    public static let cannotConnect = Code(rawValue: "cannotConnect")
    /// The server rejected the upgrade; the error's message holds the HTTP status.
    public static let refused = Code(rawValue: "refused")
    /// The connection is closed, or the server has stopped.
    public static let closed = Code(rawValue: "closed")
    /// The body exceeds the limit.
    public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
    /// The message exceeds the limit.
    public static let messageTooLarge = Code(rawValue: "messageTooLarge")
    /// The other side exceeded a time limit.
    public static let timedOut = Code(rawValue: "timedOut")
    /// A URL, header or option is invalid.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// Another task is reading already.
    public static let alreadyReading = Code(rawValue: "alreadyReading")
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence for a log, without transmitted data.
  public let message: String

  /// Makes an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Code and message.
  public var description: String { "\(code): \(message)" }
}
