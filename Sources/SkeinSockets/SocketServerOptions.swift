/// The address and limits of a server.
public struct SocketServerOptions: Sendable {
  /// A numeric address of this machine.
  public var host = "127.0.0.1"
  /// 0 for any free port; see ``SocketServer/port``.
  public var port = 0
  /// In bytes; a longer body is rejected with 413.
  public var maximumBodySize = 64 << 20
  /// In bytes, for the request line and the fields together; at least 1 KiB, at most 60 KiB.
  public var maximumHeaderSize = 16 << 10
  /// In bytes; a longer WebSocket message closes the socket.
  public var maximumMessageSize = 1 << 20
  /// The maximum number of connections. Further connections are closed at once. At most the process's limit of open
  /// files when the server starts, less 256.
  public var maximumConnections = 10_000
  /// The time limit for a request's head to arrive on an unused connection, for each pause in a request's
  /// body, and for a silent WebSocket. After half of this time, the server sends a ping to a silent
  /// WebSocket.
  public var idleTimeout: Duration = .seconds(60)
  /// A client is disconnected if it receives nothing for this time while data is queued for the client.
  public var sendTimeout: Duration = .seconds(30)
  /// The names of additional header fields for ``HTTPRequest/headers``, for example `x-request-id`.
  public var customHeaders: [String] = []

  /// Makes options with the values above.
  public init() {}
}
