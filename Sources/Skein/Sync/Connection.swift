import SkeinStorage
import Synchronization

/// The state of the connection to the server.
public enum ConnectionState: Sendable, Hashable {
  /// The client has not been started, or was stopped.
  case stopped
  /// A connection is being established.
  case connecting
  /// The push channel is open.
  case online
  /// There is no connection; the client retries automatically.
  case offline
  /// Another process has the connection for the same database. The other process also sends the messages that
  /// this process has stored. Messages received by the other process are visible in this process. When the
  /// other process stops, ends or hangs, this process takes over.
  case elsewhere
  /// The server has ended the session; the app must sign in again.
  case signedOut(reason: FailureReason)
}

/// Keeps the push channel open and forwards its events.
actor Connection {
  private let store: ChatStore
  private let backend: any ChatBackend
  private let catchUp: CatchUp
  private let contacts: ContactSync
  private let outbox: Outbox
  private let pendingMarks: PendingMarks
  private let typing: Typing
  private let presences: StatePublishers<UserID, Presence?>
  private let runtime: Runtime
  private let doorbell: Doorbell
  private var backoff = RetryBackoff(limit: .seconds(30))
  private var connected: Duration?
  nonisolated let state = StatePublisher(ConnectionState.stopped)

  init(
    store: ChatStore, backend: any ChatBackend, catchUp: CatchUp, contacts: ContactSync, outbox: Outbox,
    pendingMarks: PendingMarks, typing: Typing,
    presences: StatePublishers<UserID, Presence?>, doorbell: Doorbell
  ) {
    self.doorbell = doorbell
    self.contacts = contacts
    self.store = store
    self.backend = backend
    self.catchUp = catchUp
    self.outbox = outbox
    self.pendingMarks = pendingMarks
    self.typing = typing
    self.presences = presences
    runtime = store.runtime
  }

  /// Works until its task is cancelled or the server ends the session.
  func run() async {
    while !Task.isCancelled {
      state.publish(.connecting)
      var pause: Duration?
      do {
        let cursor = try await store.read { try $0.account()?.cursor }
        try await backend.run(since: cursor) { await self.receive($0) }
      } catch let error as BackendError where error.code == .unauthorized {
        state.publish(.signedOut(reason: FailureReason(of: error)))
      } catch {
        pause = BackendError(from: error).retryAfter
      }
      presences.reset()
      if case .signedOut = state.value { return await rest() }
      if Task.isCancelled { break }
      state.publish(.offline)
      // A channel that closes within five seconds after opening counts as a failed attempt.
      if let connected, runtime.uptime() - connected > .seconds(5) { backoff.succeeded() }
      connected = nil
      let wait = backoff.failed(random: runtime.random(), retryAfter: pause), start = runtime.uptime()
      if let pause { try? await runtime.sleep(for: min(pause, wait)) }
      // When the app enters the background or returns from it, the rest of the wait ends.
      await doorbell.wait(until: start + wait, runtime)
    }
    state.publish(.stopped)
  }

  /// Stops fetching and sending, because the session has ended. Fetching and sending resume at the next
  /// start.
  private func rest() async {
    await contacts.signedOut()
    await catchUp.signedOut()
    await outbox.signedOut()
    await pendingMarks.signedOut()
  }

  private func receive(_ event: BackendEvent) async {
    switch event {
    case .connected:
      connected = runtime.uptime()
      state.publish(.online)
      await contacts.connected()
      await catchUp.connected()
      await outbox.connected()
      await pendingMarks.connected()
    case .poke: await catchUp.poke()
    case .batch(let batch): await catchUp.receive(batch)
    case .typing(let conversation, let user, let isTyping):
      await typing.receivedTyping(of: user, in: conversation, isTyping: isTyping)
    case .presence(let user, let presence):
      if backend.capabilities.presence, user != store.account { presences.publish(presence, for: user) }
    case .signedOut(let reason):
      state.publish(.signedOut(reason: FailureReason(.unauthorized, reason)))
      await rest()
    }
  }
}
