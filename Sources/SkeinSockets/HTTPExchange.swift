#if os(Linux)
  import Synchronization

  /// One request and its response on a connection.
  final class HTTPExchange: Sendable {
    /// The side that the exchange waits for.
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

    /// - Parameter resume: resumes receiving the body.
    init(bodyLength: Int, closes: Bool, resume: @escaping @Sendable () -> Void) {
      let inbox = Inbox<[UInt8]>(cost: { $0.count + 64 }, resume: resume)
      if bodyLength == 0 { inbox.end() }
      body = HTTPBody(length: bodyLength) { try await inbox.next() }
      self.inbox = inbox
      state = Mutex(State(bodyLeft: bodyLength, closes: closes))
    }

    /// The response, once the handler has returned it.
    var output: HTTPResponseOutput? {
      get { state.withLock { $0.output } }
      set { state.withLock { $0.output = newValue } }
    }

    /// Whether the response may be sent: on a connection that is kept, only after the whole body was
    /// received, so that the body is not read as the next request.
    var canAnswer: Bool { state.withLock { $0.output != nil && ($0.closes || $0.bodyLeft == 0) } }

    /// Sends as much as the socket accepts now; `true` at the end.
    func write(_ send: (UnsafeRawBufferPointer) -> Int) throws -> Bool {
      try state.withLock { try $0.output?.write(send) ?? false }
    }

    /// The handler's task; cancelled at once if the client has disconnected already.
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

    /// Adds a chunk of the body; returns `true` to request a pause. Chunks after the response are dropped.
    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
      let isWanted = state.withLock { state in
        state.bodyLeft -= min(bytes.count, state.bodyLeft)
        return state.output == nil
      }
      return isWanted && inbox.put(Array(bytes))
    }

    /// Ends the body if all of it was received; returns whether that is so.
    func completeBody() -> Bool {
      guard isBodyComplete else { return false }
      inbox.end()
      return true
    }

    /// Decides whether the connection closes after the response; it also closes if too much of the body is
    /// unread.
    func decideToClose(unwantedLimit: Int) -> Bool {
      state.withLock { state in
        if state.bodyLeft > unwantedLimit { state.closes = true }
        return state.closes
      }
    }

    /// Fails the body with an error and cancels the handler, after the client has disconnected or was too
    /// slow.
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
