/// What a server does with requests and WebSockets; called in a task of its own for each.
public protocol SocketServerHandler: Sendable {
  /// Answers one request. Cancelled when the client has gone or the server stops.
  func respond(to request: HTTPRequest) async -> HTTPResponse

  /// Serves one WebSocket, which closes when this returns. Cancelled when the server stops.
  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async
}

#if os(Linux)
  /// An HTTP/1.1 and WebSocket server on one port and one thread of its own.
  ///
  /// 1. Nothing a client sends or leaves out stops it.
  /// 2. A body that is not read, and an answer or a message that is not taken, wait in the network, not in memory.
  /// 3. When ``stop()`` has returned, no handler runs and nothing is left open; until it is called, the server runs.
  public final class SocketServer: Sendable {
    /// The port it listens on.
    public let port: Int

    private let service: SocketService
    private let tasks: HandlerTasks

    private init(service: SocketService, port: Int, tasks: HandlerTasks) {
      self.service = service
      self.port = port
      self.tasks = tasks
    }

    /// Listens, and gives each request and each WebSocket to `handler`.
    ///
    /// - Throws: ``SocketError`` `.cannotListen` when the address or port can't be had.
    public static func start(
      _ options: SocketServerOptions = .init(), handler: some SocketServerHandler
    ) async throws -> SocketServer {
      guard (0...65535).contains(options.port) else {
        throw SocketError(.cannotListen, "There is no port \(options.port).")
      }
      let tasks = HandlerTasks()
      let shortest = min(options.idleTimeout, options.sendTimeout)
      let limits = SocketService.Options(
        host: options.host, port: options.port,
        maximumHeaderSize: min(max(options.maximumHeaderSize, 1 << 10), 60 << 10),
        maximumConnections: options.maximumConnections,
        tick: min(max(shortest / 4, .milliseconds(20)), .seconds(1)))
      let (service, port) = try await SocketService.start(limits) { service, id in
        ServerConnection(service: service, id: id, options: options, handler: handler, tasks: tasks)
      }
      return SocketServer(service: service, port: port, tasks: tasks)
    }

    /// Closes the listener and every connection, cancels the handlers and returns when they have ended.
    ///
    /// WebSockets are told ``WebSocketCloseCode/goingAway``. Calling it again does nothing.
    public func stop() async {
      service.refuseMore()
      await tasks.stop()
      await service.stop()
    }
  }
#endif
