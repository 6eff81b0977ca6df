#if os(Linux)
  import CSockets
  import Synchronization

  /// A WebSocket of a server or a client, on a service thread.
  final class ServiceWebSocket: WebSocketConnection {
    struct State {
      var frames = FrameQueue()
      var senders:
        [(id: UInt64, message: WebSocketMessage, continuation: CheckedContinuation<Void, any Error>)] = []
      var pings: [UInt64: CheckedContinuation<Void, any Error>] = [:]
      var pingsToSend: [UInt64] = []
      var lastToken: UInt64 = 0
      /// The received fragments of an incomplete message.
      var partial: [UInt8] = []
      var ourClosing: WebSocketClosing?
      var isClosingSent = false
      /// Whether libwebsockets is closing the connection.
      var isEnding = false
      var theirClosing: WebSocketClosing?
      var closing: WebSocketClosing?
      var closers: [CheckedContinuation<Void, Never>] = []
      var lastHeard = ContinuousClock.now
      var lastWritten = ContinuousClock.now
      var isChecked = false
    }

    /// The maximum size of a sent fragment, in bytes.
    static let fragmentSize = 16 << 10
    /// The time limit for the connection to end, after a close frame of either side or after libwebsockets
    /// begins to close the connection.
    static let closeTimeout: Duration = .seconds(2)

    let service: SocketService
    let id: SocketService.ID
    let options: WebSocketOptions
    let inbox: Inbox<WebSocketMessage>
    let state = Mutex(State())

    init(service: SocketService, id: SocketService.ID, options: WebSocketOptions) {
      self.service = service
      self.id = id
      self.options = options
      inbox = Inbox(cost: FrameQueue.cost) {
        service.post(to: id) { lws_rx_flow_control($0, 1) }
      }
    }

    var closing: WebSocketClosing? { state.withLock { $0.closing } }

    func receive() async throws -> WebSocketMessage? {
      try await inbox.next()
    }

    func send(_ message: WebSocketMessage) async throws {
      let token = newToken()
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let result = state.withLock { state -> Result<Void, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            if state.ourClosing != nil || state.theirClosing != nil || state.closing != nil {
              return .failure(Self.closedError)
            }
            guard state.frames.hasRoom, state.senders.isEmpty else {
              state.senders.append((token, message, continuation))
              return nil
            }
            if state.frames.isEmpty { state.lastWritten = .now }
            state.frames.add(message)
            return .success(())
          }
          guard let result else { return }
          if case .success = result { service.requestWritable(id) }
          continuation.resume(with: result)
        }
      } onCancel: {
        let sender = state.withLock { state in
          state.senders.firstIndex { $0.id == token }.map { state.senders.remove(at: $0) }
        }
        sender?.continuation.resume(throwing: CancellationError())
      }
    }

    func ping() async throws {
      let token = newToken()
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let failure = state.withLock { state -> (any Error)? in
            if Task.isCancelled { return CancellationError() }
            if state.ourClosing != nil || state.theirClosing != nil || state.closing != nil {
              return Self.closedError
            }
            if state.frames.isEmpty, state.pingsToSend.isEmpty { state.lastWritten = .now }
            state.pings[token] = continuation
            state.pingsToSend.append(token)
            return nil
          }
          if let failure {
            continuation.resume(throwing: failure)
          } else {
            service.requestWritable(id)
          }
        }
      } onCancel: {
        let ping = state.withLock { state in
          state.pingsToSend.removeAll { $0 == token }
          return state.pings.removeValue(forKey: token)
        }
        ping?.resume(throwing: CancellationError())
      }
    }

    func close(code: WebSocketCloseCode, reason: String) async {
      startClosing(code: code, reason: reason)
      await withCheckedContinuation { continuation in
        let isClosed = state.withLock { state in
          if state.closing == nil { state.closers.append(continuation) }
          return state.closing != nil
        }
        if isClosed { continuation.resume() }
      }
    }

    /// Queues a close frame; only the first call has an effect.
    func startClosing(code: WebSocketCloseCode, reason: String) {
      let senders = state.withLock { state in
        guard state.ourClosing == nil, state.closing == nil else { return [] as [State.Sender] }
        state.ourClosing = WebSocketClosing(
          code: code.canBeSent ? code : .normal, reason: reason.prefix(bytes: 123))
        state.lastWritten = .now
        return state.senders.drain()
      }
      for sender in senders { sender.continuation.resume(throwing: Self.closedError) }
      service.post(to: id) { wsi in
        // A paused connection would never read the other side's close frame.
        lws_rx_flow_control(wsi, 1)
        lws_callback_on_writable(wsi)
      }
    }

    private func newToken() -> UInt64 {
      state.withLock { state in
        state.lastToken += 1
        return state.lastToken
      }
    }

    static var closedError: SocketError { SocketError(.closed, "The WebSocket is closed.") }
  }

  extension ServiceWebSocket.State {
    typealias Sender = (
      id: UInt64, message: WebSocketMessage, continuation: CheckedContinuation<Void, any Error>
    )
  }
#endif
