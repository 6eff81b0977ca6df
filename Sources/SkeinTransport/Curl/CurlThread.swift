#if os(Linux)
  import CTransfers
  import SkeinModel
  import Synchronization

  /// The mailbox of the thread that drives all transfers of one transport. The thread is started by the first
  /// request.
  final class CurlThread: Sendable {
    typealias ID = UInt64

    enum Work: Sendable {
      case start(ID, CurlOrder)
      case cancel(ID)
    }

    /// The C pointer of all transfers, kept under a lock. Other threads use the pointer only to wake the
    /// thread, and only while the pointer is stored.
    private struct Handle: Sendable {
      private let address: UInt

      init(_ pointer: OpaquePointer) { address = UInt(bitPattern: pointer) }

      var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
    }

    private struct State {
      var handle: Handle?
      var mailbox: [Work] = []
      var isStopped = false
      var lastID: ID = 0
    }

    private let state = Mutex(State())
    private let options: TransportOptions

    init(_ options: TransportOptions) { self.options = options }

    /// Returns the ID of a new request.
    func newID() -> ID {
      state.withLock { state in
        state.lastID += 1
        return state.lastID
      }
    }

    /// Starts a request; throws `unreachable` if the system has no thread, file descriptor or memory left.
    func start(_ id: ID, _ order: CurlOrder) throws {
      try state.withLock { state in
        if state.handle == nil { state.handle = try launch() }
        Self.post(.start(id, order), &state)
      }
    }

    /// Removes the transfer of a request whose exchange has ended. Does nothing if there is no transfer.
    func cancel(_ id: ID) {
      state.withLock { Self.post(.cancel(id), &$0) }
    }

    /// Ends the thread, which closes all connections.
    func stop() {
      state.withLock { state in
        state.isStopped = true
        if let pointer = state.handle?.pointer { ctransfers_wake(pointer) }
      }
    }

    private static func post(_ work: Work, _ state: inout State) {
      guard let pointer = state.handle?.pointer else { return }
      state.mailbox.append(work)
      // The thread empties the mailbox after it has been woken.
      if state.mailbox.count == 1 { ctransfers_wake(pointer) }
    }

    private func launch() throws -> Handle {
      let failure = BackendError(.unreachable, "The system has no resources left for a connection.")
      guard let pointer = ctransfers_new(max(options.maximumRequests, 1), CurlTransfer.events) else {
        throw failure
      }
      let argument = Unmanaged.passRetained(Launch(thread: self, handle: Handle(pointer)))
      let result = ctransfers_start_thread(
        { argument in
          guard let argument else { return nil }
          Unmanaged<Launch>.fromOpaque(argument).takeRetainedValue().run()
          return nil
        }, argument.toOpaque())
      guard result == 0 else {
        argument.release()
        ctransfers_free(pointer)
        throw failure
      }
      return Handle(pointer)
    }

    /// The argument of the new thread.
    private final class Launch: Sendable {
      private let thread: CurlThread
      private let handle: Handle

      init(thread: CurlThread, handle: Handle) {
        self.thread = thread
        self.handle = handle
      }

      func run() {
        if let pointer = handle.pointer { thread.run(pointer) }
      }
    }

    private func run(_ pointer: OpaquePointer) {
      let loop = CurlLoop(pointer, options)
      while let work = next() { loop.turn(work) }
      loop.close()
      state.withLock { $0.handle = nil }
      ctransfers_free(pointer)
    }

    /// Empties the mailbox and returns the work; nil if the thread must end.
    private func next() -> [Work]? {
      state.withLock { state in
        if state.isStopped { return nil }
        guard !state.mailbox.isEmpty else { return [] }
        defer { state.mailbox = [] }
        return state.mailbox
      }
    }
  }
#endif
