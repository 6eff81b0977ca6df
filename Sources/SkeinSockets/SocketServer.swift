/// What a server does with requests and WebSockets; called in a task of its own for each.
public protocol SocketServerHandler: Sendable {
  /// Answers one request. Cancelled when the client has gone or the server stops.
  func respond(to request: HTTPRequest) async -> HTTPResponse

  /// Serves one WebSocket, which closes when this returns. Cancelled when the server stops.
  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async
}

/// An HTTP/1.1 and WebSocket server on one port and one thread of its own.
public final class SocketServer: Sendable {
  /// The port it listens on.
  public let port: Int

  init(port: Int) {
    self.port = port
  }

  /// Listens, and gives each request and each WebSocket to `handler`.
  ///
  /// - Throws: ``SocketError`` `.cannotListen` when the address or port can't be had.
  public static func start(
    _ options: SocketServerOptions = .init(), handler: some SocketServerHandler
  ) async throws -> SocketServer {
    throw SocketError(.cannotListen, "Not on this platform.")
  }

  /// Closes the listener and every connection, cancels the handlers and returns when they have ended.
  public func stop() async {
  }
}
