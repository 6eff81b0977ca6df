public import Skein
import SkeinSockets
import SkeinWire

extension HTTPBackend {
  /// Listens at the server's WebSocket: connected with its hello, and a poke whenever something is new.
  ///
  /// The cursor is not needed, since a poke says only that there is something. Returns when the server closes.
  /// - Throws: `BackendError`, with `unauthorized` if the session is over, `unreachable` when the connection does not come
  ///   about or goes silent.
  public func run(since cursor: SyncCursor?, _ receive: BackendReceiver) async throws {
    let socket = try await openSocket()
    do {
      try await follow(socket, receive)
      try checkClosing(of: socket)
    } catch {
      await socket.close()
      throw error
    }
    await socket.close()
  }

  private func openSocket() async throws -> any WebSocketConnection {
    let (url, headers) = try calls.socket(["socket"])
    var limits = WebSocketOptions()
    limits.connectTimeout = options.connectTimeout
    limits.maximumMessageSize = 64 << 10
    do {
      return try await WebSocket.connect(to: url, headers: HTTPHeaders(headers), options: limits)
    } catch let error as SocketError {
      throw BackendError(connecting: error)
    }
  }

  private func follow(
    _ socket: any WebSocketConnection, _ receive: BackendReceiver
  ) async throws {
    let late = BackendError(.unreachable, "The server took the connection and said nothing.")
    let isGreeted = try await options.within(options.connectTimeout, orThrow: late) {
      while let message = try await socket.receive() {
        if message.frame?.type == .hello { return true }
      }
      return false
    }
    guard isGreeted else { return }
    await receive(.connected)
    try await withThrowingTaskGroup(of: WebSocketMessage?.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        do { try await Heartbeat(options).watch(socket) } catch is SocketError {}
        return nil
      }
      group.addTask { try await socket.receive() }
      while let message = try await group.next() ?? nil {
        if message.frame?.type == .poke { await receive(.poke) }
        group.addTask { try await socket.receive() }
      }
    }
  }

  private func checkClosing(of socket: any WebSocketConnection) throws {
    if socket.closing?.code.rawValue == Wire.unauthorizedCloseCode {
      throw BackendError(.unauthorized, "The session is over.")
    }
  }
}

extension WebSocketMessage {
  /// What the server says; nil for what is no frame of the protocol.
  fileprivate var frame: Wire.SocketFrame? { try? Wire.decode(Wire.SocketFrame.self, from: bytes) }
}

extension BackendError {
  init(connecting error: SocketError) {
    switch error.code {
    case .refused: self.init(.transient, "The server does not open the push channel.", cause: error)
    case .invalidArgument: self.init(.permanent, "The server's address can't be used.", cause: error)
    default: self.init(.unreachable, "The server can't be reached.", cause: error)
    }
  }
}
