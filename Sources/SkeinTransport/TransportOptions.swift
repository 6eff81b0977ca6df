/// The limits of a transport.
public struct TransportOptions: Sendable {
  /// The longest time for connecting, and the longest time for which a request may transfer no byte in either
  /// direction.
  public var idleTimeout: Duration = .seconds(30)
  /// The maximum length of an answer's body in bytes; does not limit a body that goes into a ``FileSink``.
  public var maximumAnswerSize = 32 << 20
  /// The maximum number of requests at the same time, at least 1; on Apple platforms, the maximum number of
  /// connections to one host. Further requests wait; the idle timeout does not limit this wait. Requests at
  /// the same time use separate connections, but with HTTP/2 they share one connection.
  public var maximumRequests = 16

  /// Creates options with the default values.
  public init() {}
}
