#if os(Linux)
  import CSockets
  import Synchronization

  /// The owner of a connection; receives the connection's events on the service thread.
  protocol SocketLink: AnyObject, Sendable {
    /// Handles a libwebsockets callback; a nonzero result closes the connection.
    func handle(_ event: SocketEvent) -> Int32
    /// Called periodically, to check time limits.
    func tick(_ wsi: OpaquePointer, at now: ContinuousClock.Instant)
    /// Called after `watch`: the other side has disconnected, or the socket is writable.
    func watched(_ wsi: OpaquePointer, hasGone: Bool)
    /// Called once the connection no longer exists.
    func ended()
  }

  /// A libwebsockets callback; valid during the call.
  struct SocketEvent {
    let wsi: OpaquePointer
    let reason: lws_callback_reasons
    let pointer: UnsafeMutableRawPointer?
    let length: Int

    var bytes: UnsafeRawBufferPointer {
      UnsafeRawBufferPointer(start: pointer, count: pointer == nil ? 0 : length)
    }
  }

  /// A libwebsockets context on a thread of its own. Other threads use the context only through a mailbox.
  final class SocketService: Sendable {
    typealias ID = UInt
    typealias Work = @Sendable () -> Void

    /// A C pointer kept under a lock. Only the wake-up uses the pointer outside the service thread.
    struct Handle: Sendable {
      private let address: UInt

      init(_ pointer: OpaquePointer) {
        address = UInt(bitPattern: pointer)
      }

      var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
    }

    struct State {
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

    let state = Mutex(State())
    let options: Options
    /// Makes the owner of an accepted connection.
    let accept: @Sendable (SocketService, ID) -> any SocketLink

    private init(_ options: Options, accept: @escaping @Sendable (SocketService, ID) -> any SocketLink) {
      self.options = options
      self.accept = accept
    }

    /// Starts the thread. If the options have a host, the service also listens.
    static func start(
      _ options: Options, accept: @escaping @Sendable (SocketService, ID) -> any SocketLink
    ) async throws -> (service: SocketService, port: Int) {
      let service = SocketService(options, accept: accept)
      do {
        let port = try await service.launch()
        return (service, port)
      } catch {
        service.join()
        throw error
      }
    }

    private func launch() async throws -> Int {
      try await withCheckedThrowingContinuation { continuation in
        let launch = Unmanaged.passRetained(Launch(service: self, continuation: continuation))
        var thread: UInt = 0
        let result = csockets_thread_start(
          { argument in
            guard let argument else { return nil }
            Unmanaged<Launch>.fromOpaque(argument).takeRetainedValue().run()
            return nil
          }, launch.toOpaque(), &thread)
        if result != 0 {
          launch.release()
          continuation.resume(throwing: SocketError(.cannotListen, "Starting a thread failed (\(result))."))
        } else {
          state.withLock { $0.thread = thread }
        }
      }
    }

    /// The argument of the new thread.
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
          return SocketService.at(owner)?.handle(wsi, id, reason, pointer, length) ?? 0
        },
        woken: { SocketService.at($0)?.work() },
        ticked: { SocketService.at($0)?.tick() },
        watched: { SocketService.at($0)?.watched($1, hasGone: $2 != 0) })
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
        return (state.links.values.map(\.link), state.end.drain())
      }
      for link in links { link.ended() }
      for continuation in waiting { continuation.resume() }
    }

    /// Stops the loop, closes all connections and waits for the thread.
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
      join()
    }

    /// Joins the thread, once.
    private func join() {
      let thread = state.withLock { state in
        defer { state.thread = 0 }
        return state.thread
      }
      if thread != 0 { csockets_thread_join(thread) }
    }
  }

  private func withOptionalCString<Value>(_ string: String?, _ body: (UnsafePointer<CChar>?) -> Value)
    -> Value
  {
    guard let string else { return body(nil) }
    return string.withCString { body($0) }
  }
#endif
