#if os(Linux)
  import Synchronization

  /// One request and its answer on a connection.
  final class HTTPExchange: Sendable {
    /// Who is to do the next thing.
    enum Party {
      case handler, body, client
    }

    private struct State {
      var bodyLeft: Int
      var closes: Bool
      var output: HTTPResponseOutput?
      var task: Task<Void, Never>?
      var hasFailed = false
    }

    let body: HTTPBody
    private let inbox: Inbox<[UInt8]>
    private let state: Mutex<State>

    /// - Parameter resume: asks the network for more of the body.
    init(bodyLength: Int, closes: Bool, resume: @escaping @Sendable () -> Void) {
      let inbox = Inbox<[UInt8]>(cost: { $0.count + 64 }, resume: resume)
      if bodyLength == 0 { inbox.end() }
      body = HTTPBody(length: bodyLength) { try await inbox.next() }
      self.inbox = inbox
      state = Mutex(State(bodyLeft: bodyLength, closes: closes))
    }

    /// The answer, once there is one.
    var output: HTTPResponseOutput? {
      get { state.withLock { $0.output } }
      set { state.withLock { $0.output = newValue } }
    }

    /// Whether the answer may go out: not before a body that is read to its end anyway, lest the next request be
    /// read together with the rest of this one.
    var canAnswer: Bool { state.withLock { $0.output != nil && ($0.closes || $0.bodyLeft == 0) } }

    /// Sends what the network takes now; `true` when that was the last of it.
    func write(_ send: (UnsafeRawBufferPointer) -> Int) throws -> Bool {
      try state.withLock { try $0.output?.write(send) ?? false }
    }

    /// The handler's; cancelled at once if the client has gone already.
    var task: Task<Void, Never>? {
      get { state.withLock { $0.task } }
      set {
        let isLate = state.withLock { state in
          state.task = newValue
          return state.hasFailed
        }
        if isLate { newValue?.cancel() }
      }
    }

    var closes: Bool { state.withLock { $0.closes } }
    var isBodyComplete: Bool { state.withLock { $0.bodyLeft == 0 } }

    var waitsFor: Party {
      let isPaused = inbox.isPaused
      return state.withLock { state in
        if state.output != nil { return state.closes || state.bodyLeft == 0 ? .client : .body }
        return state.bodyLeft == 0 || isPaused ? .handler : .body
      }
    }

    /// Takes a stretch of the body; `true` asks for a pause. Nobody wants it once there is an answer.
    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
      let isWanted = state.withLock { state in
        state.bodyLeft -= min(bytes.count, state.bodyLeft)
        return state.output == nil
      }
      return isWanted && inbox.put(Array(bytes))
    }

    /// Whether the whole body is there.
    func completeBody() -> Bool {
      guard isBodyComplete else { return false }
      inbox.end()
      return true
    }

    /// Whether the connection ends with the answer: also when too much of the body would still have to be read.
    func decideToClose(unwantedLimit: Int) -> Bool {
      state.withLock { state in
        if state.bodyLeft > unwantedLimit { state.closes = true }
        return state.closes
      }
    }

    /// The client has gone or is too slow: the body throws, the handler is cancelled.
    func fail(_ error: SocketError) {
      inbox.end(.failure(error))
      let task = state.withLock { state in
        state.hasFailed = true
        return state.task
      }
      task?.cancel()
    }
  }
#endif
