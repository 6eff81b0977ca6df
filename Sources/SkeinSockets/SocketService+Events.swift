#if os(Linux)
  import CSockets
  import Synchronization

  extension SocketService {
    /// Returns the service that a C callback belongs to. The service thread retains the service while the
    /// loop runs.
    static func at(_ owner: UnsafeMutableRawPointer?) -> SocketService? {
      owner.map { Unmanaged<SocketService>.fromOpaque($0).takeUnretainedValue() }
    }

    func work() {
      for work in state.withLock({ $0.mailbox.drain() }) { work() }
    }

    func tick() {
      let now = ContinuousClock.now
      for (link, wsi) in state.withLock({ Array($0.links.values) }) {
        if let wsi = wsi?.pointer { link.tick(wsi, at: now) }
      }
    }

    func watched(_ id: ID, hasGone: Bool) {
      guard let (link, wsi) = state.withLock({ $0.links[id] }), let wsi = wsi?.pointer else { return }
      link.watched(wsi, hasGone: hasGone)
    }

    func handle(
      _ wsi: OpaquePointer, _ id: ID, _ reason: Int32, _ pointer: UnsafeMutableRawPointer?, _ length: Int
    ) -> Int32 {
      let reason = lws_callback_reasons(UInt32(reason))
      let handle = Handle(wsi)
      if reason == LWS_CALLBACK_FILTER_NETWORK_CONNECTION {
        return state.withLock { $0.acceptsMore && $0.links.count < options.maximumConnections } ? 0 : -1
      }
      if id == 0, reason == LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED {
        let id = newID()
        register(accept(self, id), id)
        state.withLock { $0.links[id]?.wsi = handle }
        csockets_set_id(wsi, id)
        return 0
      }
      let link = state.withLock { state -> (any SocketLink)? in
        if id != 0, state.links[id]?.wsi == nil { state.links[id]?.wsi = handle }
        return state.links[id]?.link
      }
      guard let link else { return 0 }
      if reason == LWS_CALLBACK_WSI_DESTROY {
        state.withLock { _ = $0.links.removeValue(forKey: id) }
        link.ended()
        return 0
      }
      return link.handle(SocketEvent(wsi: wsi, reason: reason, pointer: pointer, length: length))
    }
  }

  /// Copies bytes behind the headroom that libwebsockets needs for a frame's header, and calls `body` with
  /// the copy.
  func withHeadroom(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeMutablePointer<UInt8>, Int) -> Int32
  ) -> Int32 {
    let headroom = csockets_headroom()
    return withUnsafeTemporaryAllocation(byteCount: headroom + bytes.count + 1, alignment: 16) { buffer in
      UnsafeMutableRawBufferPointer(rebasing: buffer[headroom...]).copyMemory(from: bytes)
      guard let base = buffer.baseAddress else { return -1 }
      return body((base + headroom).assumingMemoryBound(to: UInt8.self), bytes.count)
    }
  }
#endif
