/// The limits of a transport.
public struct TransportOptions: Sendable {
  /// The longest time for connecting, and the longest time for which a request may transfer no byte in either direction.
  public var idleTimeout: Duration = .seconds(30)
  /// The maximum length of an answer's body in bytes, except for what goes into a ``FileSink``.
  public var maximumAnswerSize = 32 << 20
  /// The maximum number of connections to one server. Further requests wait until one is free; with HTTP/2, requests
  /// share one connection.
  public var connectionsPerHost = 6

  /// Creates options with the default values.
  public init() {}
}
