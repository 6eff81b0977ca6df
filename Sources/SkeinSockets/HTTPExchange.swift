#if os(Linux)
  import Synchronization

  /// One request and its response on a connection.
  final class HTTPExchange: Sendable {
    /// An exchange waits for the handler to respond or to read the body, for the rest of the body, or for the
    /// client to read the response.
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

    /// Whether the response may be sent. On a connection that stays open, the whole body must have been
    /// received first. Otherwise, the rest of the body would be parsed as the next request.
    var canAnswer: Bool { state.withLock { $0.output != nil && ($0.closes || $0.bodyLeft == 0) } }

    /// Sends the next part of the response; returns `true` once the response is complete.
    func write(_ send: (UnsafeRawBufferPointer) -> Int) throws -> Bool {
      try state.withLock { try $0.output?.write(send) ?? false }
    }

    /// The handler's task. A task that is set after the exchange has failed is cancelled at once.
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

    /// Adds a chunk of the body; returns `true` if the caller must pause receiving. Chunks that arrive after
    /// the handler's response are dropped.
    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
      let isWanted = state.withLock { state in
        state.bodyLeft -= min(bytes.count, state.bodyLeft)
        return state.output == nil
      }
      return isWanted && inbox.put(Array(bytes))
    }

    /// If the whole body was received, ends ``body`` and returns true. Otherwise, only returns false.
    func completeBody() -> Bool {
      guard isBodyComplete else { return false }
      inbox.end()
      return true
    }

    /// Returns whether the connection closes after the response. If more than `unwantedLimit` bytes of the
    /// body are missing, first decides that the connection closes.
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
