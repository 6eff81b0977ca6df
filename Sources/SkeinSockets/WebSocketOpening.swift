#if os(Linux)
  import CSockets
  import Synchronization

  /// A client's WebSocket until it is established.
  final class WebSocketOpening: SocketLink {
    private struct State {
      var continuation: CheckedContinuation<ServiceWebSocket, any Error>?
      var isOver = false
    }

    private let service: SocketService
    private let id: SocketService.ID
    private let headers: HTTPHeaders
    private let options: WebSocketOptions
    private let deadline: ContinuousClock.Instant
    private let state: Mutex<State>

    init(service: SocketService, id: SocketService.ID, headers: HTTPHeaders, options: WebSocketOptions) {
      self.service = service
      self.id = id
      self.headers = headers
      self.options = options
      deadline = .now + options.connectTimeout
      state = Mutex(State())
    }

    /// Connects, and returns once the WebSocket is established.
    func open(_ target: WebSocketTarget, at address: String) async throws -> ServiceWebSocket {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
          }
          if isOver { return continuation.resume(throwing: CancellationError()) }
          service.connect(id, target, at: address)
        }
      } onCancel: {
        finish(.failure(CancellationError()))
      }
    }

    private func finish(_ result: Result<ServiceWebSocket, any Error>) {
      let continuation = state.withLock { state in
        state.isOver = true
        return state.continuation.take()
      }
      continuation?.resume(with: result)
      if case .failure = result { service.drop(id) }
    }

    func handle(_ event: SocketEvent) -> Int32 {
      switch event.reason {
      case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
        return appendHeaders(event)
      case LWS_CALLBACK_CLIENT_ESTABLISHED:
        if state.withLock({ $0.isOver }) { return -1 }
        let socket = ServiceWebSocket(service: service, id: id, options: options)
        service.register(socket, id)
        finish(.success(socket))
      case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        let status = lws_http_client_http_response(event.wsi)
        let reason = String(decoding: event.bytes.prefix { $0 != 0 }, as: UTF8.self)
        if status != 0, status != 101 {
          finish(
            .failure(SocketError(.refused, "The server answered the upgrade with status \(status).")))
        } else {
          finish(.failure(SocketError(.cannotConnect, "The WebSocket could not be established: \(reason).")))
        }
      default:
        break
      }
      return 0
    }

    private func appendHeaders(_ event: SocketEvent) -> Int32 {
      for (name, value) in headers.fields {
        let failed = csockets_append_header(
          event.wsi, event.pointer, event.length, "\(name):", value, Int32(clamping: value.utf8.count))
        if failed != 0 {
          finish(.failure(SocketError(.invalidArgument, "The header fields are too long.")))
          return -1
        }
      }
      return 0
    }

    func tick(_ wsi: OpaquePointer, at now: ContinuousClock.Instant) {
      guard now > deadline else { return }
      finish(.failure(SocketError(.timedOut, "No WebSocket was established in \(options.connectTimeout).")))
    }

    func watched(_ wsi: OpaquePointer, hasGone: Bool) {}

    func ended() {
      finish(.failure(SocketError(.cannotConnect, "The connection failed or was closed before the upgrade.")))
    }
  }
#endif
