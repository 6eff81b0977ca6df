/// What went wrong below HTTP and WebSockets.
public struct SocketError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; new ones may be added, so a `switch` needs a default.
  public struct Code: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    /// The name of the member.
    public let rawValue: String

    /// For a code of one's own.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name of the member.
    public var description: String { rawValue }

    /// The address or port can't be listened on.
    public static let cannotListen = Code(rawValue: "cannotListen")
    /// No connection came about: unknown host, nobody listening, TLS failed.
    public static let cannotConnect = Code(rawValue: "cannotConnect")
    /// The other side answered the upgrade with something else; the message holds its status.
    public static let refused = Code(rawValue: "refused")
    /// The connection is closed, or the server has stopped.
    public static let closed = Code(rawValue: "closed")
    /// The body is longer than was allowed.
    public static let bodyTooLarge = Code(rawValue: "bodyTooLarge")
    /// The message is longer than was allowed.
    public static let messageTooLarge = Code(rawValue: "messageTooLarge")
    /// The other side took longer than was allowed.
    public static let timedOut = Code(rawValue: "timedOut")
    /// The URL, header or option can't be used.
    public static let invalidArgument = Code(rawValue: "invalidArgument")
    /// A second task tried to read what has one reader.
    public static let alreadyReading = Code(rawValue: "alreadyReading")
  }

  /// What a caller decides by.
  public let code: Code
  /// One sentence for a log; never holds what was sent.
  public let message: String

  /// For doubles of a server or a connection.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Code and message.
  public var description: String { "\(code): \(message)" }
}
