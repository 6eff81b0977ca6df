#if os(Linux)
  import CSockets
  import Synchronization

  extension ServiceWebSocket: SocketLink {
    func handle(_ event: SocketEvent) -> Int32 {
      switch event.reason {
      case LWS_CALLBACK_RECEIVE, LWS_CALLBACK_CLIENT_RECEIVE:
        return received(event)
      case LWS_CALLBACK_SERVER_WRITEABLE, LWS_CALLBACK_CLIENT_WRITEABLE:
        return writable(event.wsi)
      case LWS_CALLBACK_RECEIVE_PONG, LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        answered(event.bytes)
      case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        otherSideCloses(event.bytes)
      case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL, LWS_CALLBACK_WS_CLIENT_DROP_PROTOCOL:
        isBeingClosed()
      default:
        break
      }
      return 0
    }

    private func received(_ event: SocketEvent) -> Int32 {
      let isLast = lws_is_final_fragment(event.wsi) != 0
      // The size of the rest of the frame. With this size, a message that is too large is rejected before the
      // whole message has arrived.
      let announced = Int(clamping: lws_remaining_packet_payload(event.wsi))
      let size = state.withLock { state -> Int? in
        guard state.ourClosing == nil else { return nil }
        state.lastHeard = .now
        state.isChecked = false
        if lws_is_first_fragment(event.wsi) != 0 { state.partial = [] }
        state.partial += event.bytes
        return state.partial.count
      }
      guard let size else { return 0 }
      if size > options.maximumMessageSize || announced > options.maximumMessageSize - size {
        refuse(event.wsi, .messageTooBig)
        return 0
      }
      guard isLast, announced == 0 else { return 0 }
      let kind: WebSocketMessage.Kind = lws_frame_is_binary(event.wsi) != 0 ? .binary : .text
      let bytes = state.withLock { $0.partial.drain() }
      if kind == .text, String(validating: bytes, as: UTF8.self) == nil {
        refuse(event.wsi, .invalidPayload)
      } else if inbox.put(WebSocketMessage(kind: kind, bytes: bytes)) {
        lws_rx_flow_control(event.wsi, 0)
      }
      return 0
    }

    /// Closes with the next write, not in the receive callback. If a client closes in that callback in the
    /// middle of a frame, libwebsockets 4.1 overruns its buffer.
    private func refuse(_ wsi: OpaquePointer, _ code: WebSocketCloseCode) {
      let senders = state.withLock { state in
        state.partial = []
        state.frames = FrameQueue()
        state.ourClosing = WebSocketClosing(code: code)
        state.lastWritten = .now
        return state.senders.drain()
      }
      for sender in senders { sender.continuation.resume(throwing: Self.closedError) }
      lws_callback_on_writable(wsi)
    }

    /// Called when libwebsockets closes the connection. Starts the timeout that also applies after our own
    /// close frame.
    private func isBeingClosed() {
      state.withLock { state in
        if !state.isEnding { state.lastWritten = .now }
        state.isEnding = true
      }
    }

    private func answered(_ bytes: UnsafeRawBufferPointer) {
      let ping = state.withLock { state -> CheckedContinuation<Void, any Error>? in
        state.lastHeard = .now
        state.isChecked = false
        guard bytes.count == 8 else { return nil }
        return state.pings.removeValue(forKey: bytes.loadUnaligned(as: UInt64.self))
      }
      ping?.resume()
    }

    private func otherSideCloses(_ bytes: UnsafeRawBufferPointer) {
      let code =
        bytes.count < 2 ? WebSocketCloseCode.noStatus.rawValue : UInt16(bytes[0]) << 8 | UInt16(bytes[1])
      let closing = WebSocketClosing(
        code: WebSocketCloseCode(rawValue: code), reason: String(decoding: bytes.dropFirst(2), as: UTF8.self))
      let senders = state.withLock { state -> [State.Sender] in
        state.theirClosing = closing
        state.lastWritten = .now
        return state.senders.drain()
      }
      for sender in senders { sender.continuation.resume(throwing: Self.closedError) }
    }

    private enum Output {
      case ping(UInt64)
      case fragment(FrameQueue.Fragment)
      case close(WebSocketClosing)
    }

    /// Writes the queued output. If the socket is full before all output is written, requests another
    /// callback.
    private func writable(_ wsi: OpaquePointer) -> Int32 {
      while let output = nextOutput() {
        switch output {
        case .close(let closing):
          var reason = Array(closing.reason.utf8)
          csockets_set_close_reason(wsi, closing.code.rawValue, &reason, reason.count)
          return -1
        case .ping(let token):
          let written = withUnsafeBytes(of: token) { bytes in
            withHeadroom(bytes) { csockets_write_ping(wsi, $0, $1) }
          }
          if written < 0 { return -1 }
        case .fragment(let fragment):
          let written = fragment.bytes.withUnsafeBytes { bytes in
            withHeadroom(bytes) {
              csockets_write_message(
                wsi, $0, $1, fragment.kind == .text ? 1 : 0, fragment.isFirst ? 1 : 0, fragment.isLast ? 1 : 0
              )
            }
          }
          if written < 0 { return -1 }
        }
        if lws_send_pipe_choked(wsi) != 0 {
          lws_callback_on_writable(wsi)
          break
        }
      }
      return 0
    }

    private func nextOutput() -> Output? {
      let (output, sent) = state.withLock { state -> (Output?, [State.Sender]) in
        state.lastWritten = .now
        guard !state.isClosingSent, state.theirClosing == nil else { return (nil, []) }
        if !state.pingsToSend.isEmpty { return (.ping(state.pingsToSend.removeFirst()), []) }
        if let fragment = state.frames.next(upTo: Self.fragmentSize) {
          var sent: [State.Sender] = []
          if state.frames.isLow {
            while state.frames.hasRoom, !state.senders.isEmpty {
              let sender = state.senders.removeFirst()
              state.frames.add(sender.message)
              sent.append(sender)
            }
          }
          return (.fragment(fragment), sent)
        }
        guard let closing = state.ourClosing else { return (nil, []) }
        state.isClosingSent = true
        return (.close(closing), [])
      }
      for sender in sent { sender.continuation.resume() }
      return output
    }

    func tick(_ wsi: OpaquePointer, at now: ContinuousClock.Instant) {
      enum Verdict { case fine, check, drop }
      let isPaused = inbox.isPaused
      let verdict = state.withLock { state -> Verdict in
        if isPaused { state.lastHeard = now }
        if state.isEnding || state.isClosingSent || state.theirClosing != nil {
          return now - state.lastWritten > Self.closeTimeout ? .drop : .fine
        }
        let isWaiting = !state.frames.isEmpty || !state.pingsToSend.isEmpty || state.ourClosing != nil
        if isWaiting, now - state.lastWritten > options.sendTimeout { return .drop }
        let silence = now - state.lastHeard
        if silence > options.idleTimeout { return .drop }
        guard silence > options.idleTimeout / 2, !state.isChecked, !isWaiting else { return .fine }
        state.isChecked = true
        // No caller waits for this ping; any received message or pong counts as an answer.
        state.pingsToSend.append(0)
        state.lastWritten = now
        return .check
      }
      switch verdict {
      case .fine: break
      case .check: lws_callback_on_writable(wsi)
      case .drop: csockets_kill(wsi)
      }
    }

    func watched(_ wsi: OpaquePointer, hasGone: Bool) {}

    func ended() {
      let (senders, pings, closers) = state.withLock { state in
        if state.closing == nil {
          state.closing =
            state.theirClosing ?? (state.isClosingSent ? state.ourClosing : nil)
            ?? WebSocketClosing(code: .abnormal)
        }
        defer { state.pings = [:] }
        return (state.senders.drain(), Array(state.pings.values), state.closers.drain())
      }
      inbox.end()
      for sender in senders { sender.continuation.resume(throwing: Self.closedError) }
      for ping in pings { ping.resume(throwing: Self.closedError) }
      for closer in closers { closer.resume() }
    }
  }
#endif
