#if os(Linux)
  import CSockets
  import Synchronization

  /// What a service thread tells the owner of one connection; always on that thread.
  protocol SocketLink: AnyObject, Sendable {
    /// A libwebsockets callback; nonzero closes the connection.
    func handle(_ event: SocketEvent) -> Int32
    /// Now and then, for deadlines.
    func tick(_ wsi: OpaquePointer, at now: ContinuousClock.Instant)
    /// What was watched for: the other side has gone, or else takes bytes again.
    func watched(_ wsi: OpaquePointer, hasGone: Bool)
    /// The connection no longer exists.
    func ended()
  }

  /// A libwebsockets callback, valid while it runs.
  struct SocketEvent {
    let wsi: OpaquePointer
    let reason: lws_callback_reasons
    let pointer: UnsafeMutableRawPointer?
    let length: Int

    var bytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: pointer, count: pointer == nil ? 0 : length)
    }
  }

  /// One libwebsockets context on a thread of its own, with a mailbox as the only way in.
  final class SocketService: Sendable {
    typealias ID = UInt
    typealias Work = @Sendable () -> Void

    /// A pointer of C's, kept under a lock; all but the wake-up uses it on the service thread only.
    private struct Handle: Sendable {
      private let address: UInt

      init(_ pointer: OpaquePointer) {
        address = UInt(bitPattern: pointer)
      }

      var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
    }

    private struct State {
      var handle: Handle?
      var thread: UInt = 0
      var mailbox: [Work] = []
      var links: [ID: (link: any SocketLink, wsi: Handle?)] = [:]
      var lastID: ID = 0
      var acceptsMore = true
      var end: [CheckedContinuation<Void, Never>] = []
    }

    struct Options: Sendable {
      var host: String?
      var port = 0
      var maximumHeaderSize = 16 << 10
      var maximumConnections = Int.max
      var tick: Duration = .milliseconds(250)
    }

    private let state = Mutex(State())
    private let options: Options
    /// Makes the owner of an accepted connection.
    private let accept: @Sendable (SocketService, ID) -> any SocketLink

    private init(_ options: Options, accept: @escaping @Sendable (SocketService, ID) -> any SocketLink) {
      self.options = options
      self.accept = accept
    }

    /// Starts the thread; with a host, it listens there.
    static func start(
      _ options: Options, accept: @escaping @Sendable (SocketService, ID) -> any SocketLink
    ) async throws -> (service: SocketService, port: Int) {
      let service = SocketService(options, accept: accept)
      let port = try await withCheckedThrowingContinuation { continuation in
        let launch = Unmanaged.passRetained(Launch(service: service, continuation: continuation))
        var thread: UInt = 0
        let result = csockets_thread_start(
          { argument in
            guard let argument else { return nil }
            Unmanaged<Launch>.fromOpaque(argument).takeRetainedValue().run()
            return nil
          }, launch.toOpaque(), &thread)
        if result != 0 {
          launch.release()
          continuation.resume(throwing: SocketError(.cannotListen, "No thread can be made (\(result))."))
        } else {
          service.state.withLock { $0.thread = thread }
        }
      }
      return (service, port)
    }

    /// What the new thread needs.
    private final class Launch: Sendable {
      let service: SocketService
      let continuation: CheckedContinuation<Int, any Error>

      init(service: SocketService, continuation: CheckedContinuation<Int, any Error>) {
        self.service = service
        self.continuation = continuation
      }

      func run() {
        switch service.create() {
        case .success(let pointer):
          continuation.resume(returning: Int(csockets_service_port(pointer)))
          service.run(pointer)
        case .failure(let error):
          continuation.resume(throwing: error)
        }
      }
    }

    private func create() -> Result<OpaquePointer, SocketError> {
      let callbacks = csockets_callbacks(
        event: { owner, wsi, id, reason, pointer, length in
          guard let wsi else { return 0 }
          return SocketService.at(owner).handle(wsi, id, reason, pointer, length)
        },
        woken: { SocketService.at($0).work() },
        ticked: { SocketService.at($0).tick() },
        watched: { SocketService.at($0).watched($1, hasGone: $2 != 0) })
      var error = [CChar](repeating: 0, count: 256)
      let owner = Unmanaged.passUnretained(self).toOpaque()
      let pointer = withOptionalCString(options.host) { host in
        var c = csockets_options()
        c.host = host
        c.port = Int32(clamping: options.port)
        c.maximum_header_size = Int32(clamping: options.maximumHeaderSize)
        c.tick_seconds = options.tick / .seconds(1)
        return csockets_service_create(&c, callbacks, owner, &error, error.count)
      }
      guard let pointer else {
        let reason = String(decoding: error.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let place = options.host.map { "listen on \($0), port \(options.port)" } ?? "start"
        return .failure(SocketError(.cannotListen, "Can't \(place): \(reason)"))
      }
      let handle = Handle(pointer)
      state.withLock { $0.handle = handle }
      return .success(pointer)
    }

    private func run(_ pointer: OpaquePointer) {
      csockets_service_run(pointer)
      state.withLock { $0.handle = nil }
      csockets_service_destroy(pointer)
      let (links, waiting) = state.withLock { state in
        state.mailbox = []
        defer { state.links = [:] }
        return (state.links.values.map(\.link), state.end.take())
      }
      for link in links { link.ended() }
      for continuation in waiting { continuation.resume() }
    }

    /// Ends the loop, closes every connection, and returns when the thread has ended.
    func stop() async {
      await withCheckedContinuation { continuation in
        let runs = state.withLock { state in
          guard state.handle != nil else { return false }
          state.end.append(continuation)
          return true
        }
        guard runs else { return continuation.resume() }
        post { [self] in
          if let pointer { csockets_service_stop(pointer) }
        }
      }
      let thread = state.withLock { state in
        defer { state.thread = 0 }
        return state.thread
      }
      if thread != 0 { csockets_thread_join(thread) }
    }
  }

  // MARK: - The way in

  extension SocketService {
    /// Has `work` done on the service thread, in the order of the calls; dropped once the service has stopped.
    func post(_ work: @escaping Work) {
      state.withLock { state in
        guard let pointer = state.handle?.pointer else { return }
        state.mailbox.append(work)
        if state.mailbox.count == 1 { csockets_service_wake(pointer) }
      }
    }

    /// Has `work` done on the service thread with a connection, if that still exists.
    func post(to id: ID, _ work: @escaping @Sendable (OpaquePointer) -> Void) {
      post { [self] in
        if let wsi = wsi(id) { work(wsi) }
      }
    }

    private var pointer: OpaquePointer? { state.withLock { $0.handle }?.pointer }

    private func wsi(_ id: ID) -> OpaquePointer? { state.withLock { $0.links[id]?.wsi }?.pointer }

    /// Asks for a writable callback.
    func requestWritable(_ id: ID) {
      post(to: id) { lws_callback_on_writable($0) }
    }

    /// Tells the link once when the other side has gone or, if wanted, takes bytes; while the library doesn't read.
    func watch(_ wsi: OpaquePointer, _ id: ID, writable: Bool = false) {
      if let pointer { csockets_watch(pointer, wsi, id, writable ? 1 : 0) }
    }

    func unwatch(_ wsi: OpaquePointer) {
      if let pointer { csockets_unwatch(pointer, wsi) }
    }

    /// Closes what comes in from now on.
    func refuseMore() {
      state.withLock { $0.acceptsMore = false }
    }

    /// A number for one more connection.
    func newID() -> ID {
      state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
    }

    /// Gives a connection its owner, from now on told of all that happens.
    func register(_ link: any SocketLink, _ id: ID) {
      state.withLock { $0.links[id] = (link, $0.links[id]?.wsi) }
    }

    /// Ends a connection whatever state it is in, also one that never came about.
    func drop(_ id: ID) {
      post { [self] in
        if let wsi = wsi(id) { return csockets_kill(wsi) }
        state.withLock { _ = $0.links.removeValue(forKey: id) }
      }
    }

    /// Starts a connection of our own to a numeric address.
    func connect(_ id: ID, _ target: WebSocketTarget, at address: String) {
      post { [self] in
        guard let pointer else { return }
        let begun = csockets_connect(
          pointer, id, address, Int32(target.port), target.isSecure ? 1 : 0, target.path, target.host)
        // Then no callback may come.
        if begun == 0 { state.withLock { $0.links.removeValue(forKey: id) }?.link.ended() }
      }
    }
  }

  // MARK: - On the service thread

  extension SocketService {
    private static func at(_ owner: UnsafeMutableRawPointer?) -> SocketService {
      // The thread holds the service while its loop runs, and the loop has no other owner.
      Unmanaged<SocketService>.fromOpaque(owner.unsafelyUnwrapped).takeUnretainedValue()
    }

    private func work() {
      for work in state.withLock({ $0.mailbox.take() }) { work() }
    }

    private func tick() {
      let now = ContinuousClock.now
      for (link, wsi) in state.withLock({ Array($0.links.values) }) {
        if let wsi = wsi?.pointer { link.tick(wsi, at: now) }
      }
    }

    private func watched(_ id: ID, hasGone: Bool) {
      guard let (link, wsi) = state.withLock({ $0.links[id] }), let wsi = wsi?.pointer else { return }
      link.watched(wsi, hasGone: hasGone)
    }

    private func handle(
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

  /// Gives bytes to a C function with the room before them that the library writes its header to.
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

  private func withOptionalCString<Value>(_ string: String?, _ body: (UnsafePointer<CChar>?) -> Value)
    -> Value
  {
    guard let string else { return body(nil) }
    return string.withCString { body($0) }
  }
#endif
