/// Responds to the requests of a server and serves the server's WebSockets. Each call runs in a task of its
/// own.
public protocol SocketServerHandler: Sendable {
  /// Responds to a request. The task is cancelled when the client disconnects, when the client is too slow,
  /// or when the server stops.
  func respond(to request: HTTPRequest) async -> HTTPResponse

  /// Serves a WebSocket, which is closed when the method returns. The task is cancelled when the server
  /// stops.
  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async
}

#if os(Linux)
  import Glibc

  /// An HTTP/1.1 and WebSocket server on one port and one thread of its own.
  ///
  /// 1. No client can stop the server, whatever the client sends or omits.
  /// 2. The buffers of a connection are bounded. The client waits until the handler has read the body or the
  ///    messages. The handler waits until the send queue has room. Files are sent in chunks.
  /// 3. The server runs until ``stop()``. When ``stop()`` has returned, no handler runs and no socket is
  ///    open.
  public final class SocketServer: Sendable {
    /// The port that the server listens on.
    public let port: Int

    private let service: SocketService
    private let tasks: HandlerTasks

    private init(service: SocketService, port: Int, tasks: HandlerTasks) {
      self.service = service
      self.port = port
      self.tasks = tasks
    }

    /// Starts listening; `handler` receives all requests and WebSockets.
    ///
    /// - Throws: ``SocketError`` `.cannotListen` if the address or the port is not available, or if the
    ///   server's thread can't be started.
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
        maximumConnections: min(options.maximumConnections, mostConnections),
        tick: min(max(shortest / 4, .milliseconds(20)), .seconds(1)))
      let (service, port) = try await SocketService.start(limits) { service, id in
        ServerConnection(service: service, id: id, options: options, handler: handler, tasks: tasks)
      }
      return SocketServer(service: service, port: port, tasks: tasks)
    }

    /// The number of connections that this process can have beside 256 other files. When a process has too many open
    /// files to accept a connection, libwebsockets tries again at once and without end.
    private static var mostConnections: Int {
      // Negative if there is no limit.
      let files = sysconf(Int32(_SC_OPEN_MAX))
      return files < 0 ? .max : max(1, files - 256)
    }

    /// Closes the listener and all connections, cancels the handlers, and waits until the handlers end.
    ///
    /// WebSockets are closed with ``WebSocketCloseCode/goingAway``. A second call does nothing.
    public func stop() async {
      service.refuseMore()
      await tasks.stop()
      await service.stop()
    }
  }
#endif
