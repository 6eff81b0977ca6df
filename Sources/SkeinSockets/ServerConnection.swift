#if os(Linux)
  import CSockets
  import Synchronization

  /// An accepted connection: requests one after the other, or an upgrade to a WebSocket.
  final class ServerConnection: SocketLink {
    private enum Phase {
      /// Waiting for a request or the rest of its head.
      case waiting
      case exchanging(HTTPExchange)
      case upgrading(HTTPRequestHead)
      case webSocket(ServiceWebSocket)
      /// The response is sent. Closing now, while the client still sends, could discard the response before
      /// the client reads it.
      case lingering
    }

    private struct State {
      var phase = Phase.waiting
      /// The time of the latest progress.
      var since = ContinuousClock.now
    }

    /// The maximum number of bytes that are received and dropped if a body is incomplete when the handler
    /// returns. If more bytes are missing, the connection closes after the response.
    private static let unwantedLimit = 256 << 10
    private static let lingerTimeout: Duration = .seconds(2)

    private let service: SocketService
    private let id: SocketService.ID
    private let options: SocketServerOptions
    private let handler: any SocketServerHandler
    private let tasks: HandlerTasks
    private let state = Mutex(State())

    init(
      service: SocketService, id: SocketService.ID, options: SocketServerOptions,
      handler: any SocketServerHandler, tasks: HandlerTasks
    ) {
      self.service = service
      self.id = id
      self.options = options
      self.handler = handler
      self.tasks = tasks
    }

    private var phase: Phase { state.withLock { $0.phase } }

    private func enter(_ phase: Phase) {
      state.withLock { state in
        state.phase = phase
        state.since = .now
      }
    }

    private func touch() {
      state.withLock { $0.since = .now }
    }

    func handle(_ event: SocketEvent) -> Int32 {
      if case .webSocket(let socket) = phase { return socket.handle(event) }
      switch event.reason {
      case LWS_CALLBACK_HTTP: return requested(event.wsi)
      case LWS_CALLBACK_HTTP_BODY: return received(event)
      case LWS_CALLBACK_HTTP_BODY_COMPLETION: bodyCompleted(event.wsi)
      case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirmUpgrade(event)
      case LWS_CALLBACK_ESTABLISHED: return established()
      // A CONNECT request would turn this connection into a raw connection.
      case LWS_CALLBACK_RAW_ADOPT, LWS_CALLBACK_RAW_RX: return -1
      default: break
      }
      return 0
    }

    // MARK: - Receiving a request

    private func requested(_ wsi: OpaquePointer) -> Int32 {
      csockets_clear_timeout(wsi)
      do throws(HTTPRequestHead.Refusal) {
        let head = try HTTPRequestHead(wsi, customHeaders: options.customHeaders)
        let length = try head.bodyLength(maximum: options.maximumBodySize)
        begin(wsi, head, length)
      } catch {
        refuse(wsi, error)
      }
      return 0
    }

    private func begin(_ wsi: OpaquePointer, _ head: HTTPRequestHead, _ length: Int) {
      let exchange = HTTPExchange(bodyLength: length, closes: head.hasUnknownLength) { [weak self] in
        self?.resume()
      }
      enter(.exchanging(exchange))
      let request = head.request(body: exchange.body)
      let isHead = head.method == "HEAD"
      let task = tasks.start { [self, handler] in
        let response = await handler.respond(to: request)
        let closes = exchange.decideToClose(unwantedLimit: Self.unwantedLimit)
        answer(HTTPResponseOutput(response, isHead: isHead, closes: closes))
      }
      guard let task else {
        return refuse(wsi, .init(status: 503, reason: "The server is stopping."))
      }
      exchange.task = task
      if length == 0 {
        pause(wsi)
      } else if head.headers["Expect"].map({ HTTPHeaders.equal($0, "100-continue") }) == true {
        _ = send(wsi, Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
      }
    }

    /// Pauses receiving until the handler has read the body or the response is sent, but watches for the client to
    /// disconnect.
    private func pause(_ wsi: OpaquePointer) {
      lws_rx_flow_control(wsi, 0)
      service.watch(wsi, id)
    }

    /// Resumes receiving after the handler has read a part of the body.
    private func resume() {
      service.post(to: id) { [self] wsi in
        if case .exchanging(let exchange) = phase, !exchange.isBodyComplete { service.unwatch(wsi) }
        lws_rx_flow_control(wsi, 1)
      }
    }

    private func refuse(_ wsi: OpaquePointer, _ refusal: HTTPRequestHead.Refusal) {
      let exchange = HTTPExchange(bodyLength: .max, closes: true) {}
      exchange.output = HTTPResponseOutput(
        .plain(refusal.status, refusal.reason), isHead: false, closes: true)
      enter(.exchanging(exchange))
      startAnswer(wsi)
    }

    private func received(_ event: SocketEvent) -> Int32 {
      guard case .exchanging(let exchange) = phase else { return 0 }
      touch()
      if exchange.received(event.bytes) { pause(event.wsi) }
      return 0
    }

    private func bodyCompleted(_ wsi: OpaquePointer) {
      guard case .exchanging(let exchange) = phase, exchange.completeBody() else { return }
      if exchange.canAnswer {
        startAnswer(wsi)
      } else {
        pause(wsi)
      }
    }

    // MARK: - Sending the response

    private func answer(_ output: HTTPResponseOutput) {
      service.post(to: id) { [self] wsi in
        guard case .exchanging(let exchange) = phase else { return }
        exchange.output = output
        touch()
        if exchange.canAnswer {
          startAnswer(wsi)
        } else {
          service.unwatch(wsi)
          lws_rx_flow_control(wsi, 1)
        }
      }
    }

    private func startAnswer(_ wsi: OpaquePointer) {
      lws_rx_flow_control(wsi, 0)
      service.watch(wsi, id, writable: true)
    }

    func watched(_ wsi: OpaquePointer, hasGone: Bool) {
      guard !hasGone, case .exchanging(let exchange) = phase else { return csockets_kill(wsi) }
      touch()
      do {
        if try exchange.write({ csockets_send(wsi, $0.baseAddress, $0.count) }) {
          answered(wsi, exchange)
        } else {
          service.watch(wsi, id, writable: true)
        }
      } catch {
        csockets_kill(wsi)
      }
    }

    private func answered(_ wsi: OpaquePointer, _ exchange: HTTPExchange) {
      if exchange.closes, !exchange.isBodyComplete {
        csockets_end_sending(wsi)
        enter(.lingering)
        return service.watch(wsi, id)
      }
      service.unwatch(wsi)
      enter(.waiting)
      if exchange.closes { return csockets_kill(wsi) }
      lws_rx_flow_control(wsi, 1)
      if csockets_end_transaction(wsi) < 0 { csockets_kill(wsi) }
    }

    private func send(_ wsi: OpaquePointer, _ bytes: [UInt8]) -> Int {
      csockets_send(wsi, bytes, bytes.count)
    }

    // MARK: - WebSocket

    private func confirmUpgrade(_ event: SocketEvent) -> Int32 {
      do throws(HTTPRequestHead.Refusal) {
        let head = try HTTPRequestHead(event.wsi, customHeaders: options.customHeaders)
        try head.checkUpgrade()
        guard head.headers["Upgrade"].map({ HTTPHeaders.equal($0, "websocket") }) == true else {
          throw .init(status: 400, reason: "The only supported upgrade is WebSocket.")
        }
        enter(.upgrading(head))
        return 0
      } catch {
        var output = HTTPResponseOutput(.plain(error.status, error.reason), isHead: false, closes: true)
        _ = try? output.write { csockets_send(event.wsi, $0.baseAddress, $0.count) }
        return -1
      }
    }

    private func established() -> Int32 {
      guard case .upgrading(let head) = phase else { return -1 }
      var limits = WebSocketOptions()
      limits.maximumMessageSize = options.maximumMessageSize
      limits.sendTimeout = options.sendTimeout
      limits.idleTimeout = options.idleTimeout
      let socket = ServiceWebSocket(service: service, id: id, options: limits)
      enter(.webSocket(socket))
      let request = head.request(body: HTTPBody())
      let task = tasks.start { [handler] in
        await handler.serve(socket, opening: request)
        await socket.close(code: Task.isCancelled ? .goingAway : .normal, reason: "")
      }
      return task == nil ? -1 : 0
    }

    // MARK: - Ending

    func tick(_ wsi: OpaquePointer, at now: ContinuousClock.Instant) {
      let (phase, quiet) = state.withLock { ($0.phase, now - $0.since) }
      let limit: Duration?
      switch phase {
      case .webSocket(let socket): return socket.tick(wsi, at: now)
      case .waiting, .upgrading: limit = options.idleTimeout
      case .lingering: limit = Self.lingerTimeout
      case .exchanging(let exchange):
        switch exchange.waitsFor {
        case .handler: limit = nil
        case .body: limit = options.idleTimeout
        case .client: limit = options.sendTimeout
        }
      }
      guard let limit, quiet > limit else { return }
      if case .exchanging(let exchange) = phase {
        exchange.fail(SocketError(.timedOut, "The client took longer than \(limit)."))
      }
      csockets_kill(wsi)
    }

    func ended() {
      switch phase {
      case .exchanging(let exchange):
        exchange.fail(SocketError(.closed, "The client has disconnected."))
      case .webSocket(let socket):
        socket.ended()
      default: break
      }
    }
  }
#endif
