#if os(Linux)
  import CSockets
  import Synchronization

  extension SocketService {
    /// Runs `work` on the service thread, in the order of the calls. Does nothing once the service has
    /// stopped.
    func post(_ work: @escaping Work) {
      state.withLock { state in
        guard let pointer = state.handle?.pointer else { return }
        state.mailbox.append(work)
        if state.mailbox.count == 1 { csockets_service_wake(pointer) }
      }
    }

    /// Runs `work` on the service thread with a connection, if the connection still exists.
    func post(to id: ID, _ work: @escaping @Sendable (OpaquePointer) -> Void) {
      post { [self] in
        if let wsi = wsi(id) { work(wsi) }
      }
    }

    var pointer: OpaquePointer? { state.withLock { $0.handle }?.pointer }

    private func wsi(_ id: ID) -> OpaquePointer? { state.withLock { $0.links[id]?.wsi }?.pointer }

    /// Requests a callback when the connection is writable.
    func requestWritable(_ id: ID) {
      post(to: id) { lws_callback_on_writable($0) }
    }

    /// Watches a connection that libwebsockets is not reading. Calls ``SocketLink/watched(_:hasGone:)`` once:
    /// when the other side has disconnected or, if `writable` is true, when the socket is writable.
    func watch(_ wsi: OpaquePointer, _ id: ID, writable: Bool = false) {
      if let pointer { csockets_watch(pointer, wsi, id, writable ? 1 : 0) }
    }

    func unwatch(_ wsi: OpaquePointer) {
      if let pointer { csockets_unwatch(pointer, wsi) }
    }

    /// Makes the service close every new connection from now on.
    func refuseMore() {
      state.withLock { $0.acceptsMore = false }
    }

    /// Returns the ID of a new connection.
    func newID() -> ID {
      state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
    }

    /// Sets the owner that receives a connection's events from now on.
    func register(_ link: any SocketLink, _ id: ID) {
      state.withLock { $0.links[id] = (link, $0.links[id]?.wsi) }
    }

    /// Closes a connection in any state, also before the connection is established.
    func drop(_ id: ID) {
      post { [self] in
        if let wsi = wsi(id) { return csockets_kill(wsi) }
        state.withLock { _ = $0.links.removeValue(forKey: id) }
      }
    }

    /// Opens a client connection to a numeric address, unless the connection was dropped already.
    func connect(_ id: ID, _ target: WebSocketTarget, at address: String) {
      post { [self] in
        guard let pointer, state.withLock({ $0.links[id] != nil }) else { return }
        let begun = csockets_connect(
          pointer, id, address, Int32(target.port), target.isSecure ? 1 : 0, target.path, target.host)
        // If connecting fails at once, libwebsockets calls no callback.
        if begun == 0 { state.withLock { $0.links.removeValue(forKey: id) }?.link.ended() }
      }
    }
  }
#endif
