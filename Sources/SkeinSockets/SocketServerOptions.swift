/// Where a server listens and what it lets its clients do.
public struct SocketServerOptions: Sendable {
  /// A numeric address of this machine.
  public var host = "127.0.0.1"
  /// 0 takes a free one; ``SocketServer/port`` tells which.
  public var port = 0
  /// In bytes; a longer body is answered with 413.
  public var maximumBodySize = 64 << 20
  /// Of a request's line and fields together, in bytes.
  public var maximumHeaderSize = 16 << 10
  /// Of a WebSocket message, in bytes; a longer one closes the socket.
  public var maximumMessageSize = 1 << 20
  /// Open connections; one more is closed at once.
  public var maximumConnections = 10_000
  /// How long a client may leave a request unfinished, a kept connection unused, or a WebSocket without a sign
  /// of life (half of it goes by before a ping asks).
  public var idleTimeout: Duration = .seconds(60)
  /// How long a client may take nothing of what is waiting for it, before it is dropped.
  public var sendTimeout: Duration = .seconds(30)
  /// Fields that requests are to show beside the well-known ones, in lower case, for example `x-request-id`.
  public var customHeaders: [String] = []

  /// The values above.
  public init() {}
}
