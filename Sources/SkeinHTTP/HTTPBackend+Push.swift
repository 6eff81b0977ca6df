public import SkeinModel
import SkeinSockets
import SkeinWire

extension HTTPBackend {
  /// Listens on the server's WebSocket: reports `.connected` after the server's hello, a poke after one or more
  /// changes, and the typing and presence of other users.
  ///
  /// The cursor is not used, since a poke has no content. Returns when the server closes the socket, when the
  /// connection is lost, or when the socket was closed because an ACK was overdue.
  ///
  /// - Throws: `BackendError`, with `unauthorized` if the session has ended, `unreachable` if the server can't be
  ///   reached or stops responding, `transient` if the server refuses the socket, `permanent` if the server's address
  ///   can't be used.
  public func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    let socket = try await openSocket()
    let link = line?.link(socket)
    // Runs after the socket was closed. Messages without an ACK are then sent again.
    defer { if let link { line?.closed(link) } }
    do {
      try await follow(socket, link, receive)
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
    // The server's refusal of a message may contain the message that the server stores under the same id.
    limits.maximumMessageSize = line == nil ? 64 << 10 : options.maximumAnswerSize
    do {
      return try await WebSocket.connect(to: url, headers: HTTPHeaders(headers), options: limits)
    } catch let error as SocketError {
      throw BackendError(connecting: error)
    }
  }

  private func follow(
    _ socket: any WebSocketConnection, _ link: SendLink?, _ receive: @escaping BackendReceiver
  ) async throws {
    let late = BackendError(.unreachable, "The server accepted the connection and sent nothing.")
    let hello = try await options.within(options.connectTimeout, orThrow: late) { () -> Wire.SocketFrame? in
      while let message = try await socket.receive() {
        if let frame = message.frame, frame.type == .hello { return frame }
      }
      return nil
    }
    guard let hello else { return }
    if hello.sends == true, let link { line?.opened(link) }
    await receive(.connected)
    try await withThrowingTaskGroup(of: WebSocketMessage?.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        do { try await Heartbeat(options).watch(socket) } catch is SocketError {}
        return nil
      }
      group.addTask { try await socket.receive() }
      while let message = try await group.next() ?? nil {
        switch message.frame?.type {
        case .hello?: break
        case let type? where type == .ack || type == .refused: link?.take(type, message.bytes)
        case .typing?:
          if let frame = try? Wire.decode(Wire.TypingFrame.self, from: message.bytes) {
            await receive(
              .typing(
                ConversationRef(rawValue: frame.conversation.rawValue), UserID(frame.user),
                isTyping: frame.isTyping))
          }
        case .presence?:
          if let frame = try? Wire.decode(Wire.PresenceFrame.self, from: message.bytes) {
            let lastSeen = frame.lastSeen.map { Timestamp(milliseconds: $0) }
            await receive(
              .presence(UserID(frame.user), Presence(isOnline: frame.isOnline, lastSeen: lastSeen)))
          }
        // A frame of unknown type, from a newer server, counts as a poke. So does a message that is no frame.
        default: await receive(.poke)
        }
        group.addTask { try await socket.receive() }
      }
    }
  }

  private func checkClosing(of socket: any WebSocketConnection) throws {
    if socket.closing?.code.rawValue == Wire.unauthorizedCloseCode {
      throw BackendError(.unauthorized, "The session has ended.")
    }
  }
}

extension WebSocketMessage {
  /// The fields that all frames have; nil if the message is not a frame of the protocol.
  fileprivate var frame: Wire.SocketFrame? { try? Wire.decode(Wire.SocketFrame.self, from: bytes) }
}

extension BackendError {
  init(connecting error: SocketError) {
    switch error.code {
    case .refused: self.init(.transient, "The server refused to open the push channel.", cause: error)
    case .invalidArgument: self.init(.permanent, "The server's address can't be used.", cause: error)
    default: self.init(.unreachable, "The server can't be reached.", cause: error)
    }
  }
}
