import SkeinStorage

/// Whether the stored data is up to date with the server.
public enum CatchUpState: Sendable, Hashable {
  /// Nothing was fetched yet, or the client was stopped or the session has ended before all news was fetched.
  case waiting
  /// News is being fetched.
  case fetching
  /// The last fetch has stored all news that the server had.
  case caughtUp
  /// The last fetch failed, or a start waits for a contact list that could not be fetched. Both fetches are
  /// retried automatically, unless the session has ended.
  case failed(reason: FailureReason)
}

/// Fetches news, and stores fetched and pushed news. Only this actor advances the stored cursor. A new epoch
/// or a rejected cursor resets the cursor.
actor CatchUp {
  private let store: ChatStore
  private let backend: any ChatBackend
  private let outbox: Outbox
  private let contacts: ContactSync
  private let deliveries: Deliveries
  private let launch: Launch
  private let phase: AppPhase
  private let pageSize: Int
  private let runtime: Runtime
  private let doorbell: Doorbell
  private var gate: CatchUpGate
  nonisolated let state = StatePublisher(CatchUpState.waiting)

  init(
    store: ChatStore, backend: any ChatBackend, outbox: Outbox, contacts: ContactSync, deliveries: Deliveries,
    launch: Launch, phase: AppPhase, interval: Duration, pageSize: Int
  ) {
    self.contacts = contacts
    self.deliveries = deliveries
    self.launch = launch
    self.phase = phase
    doorbell = launch.doorbell
    self.store = store
    self.backend = backend
    self.outbox = outbox
    self.pageSize = pageSize
    runtime = store.runtime
    gate = CatchUpGate(interval: interval)
  }

  /// Works until its task is cancelled.
  func run() async {
    while !Task.isCancelled {
      if let until = launch.mustWait(at: runtime.uptime()) {
        // The app should see why the start takes long.
        if case .failed(let reason) = contacts.state.value { state.publish(.failed(reason: reason)) }
        await doorbell.wait(until: until, runtime)
        continue
      }
      gate.moved(toBackground: phase.isInBackground)
      switch gate.next(at: runtime.uptime()) {
      case .fetch: await fetch()
      case .wait(let until): await doorbell.wait(until: until, runtime)
      case .rest:
        noteRest()
        await doorbell.wait()
      }
    }
    gate.closed()
  }

  /// Called when all work has ended. Shows the changes that an incomplete start still withholds.
  func ended() {
    launch.ended(store.feed)
    noteRest()
  }

  /// Publishes that nothing is fetched any more, if the last fetch was to be followed by another one.
  private func noteRest() {
    if state.value == .fetching { state.publish(.waiting) }
  }

  /// Requests a fetch, because the server has news.
  func poke() {
    gate.poked()
    doorbell.ring()
  }

  /// Called on start, before any work: allows fetching again, and withholds changes until the start is complete.
  func started() {
    gate.opened()
    launch.started(at: runtime.uptime(), waitsForContacts: backend.capabilities.contacts != nil)
  }

  /// Stops fetching until the next start, because the session has ended. Shows the changes that are still
  /// withheld.
  func signedOut() async {
    gate.closed()
    launch.ended(store.feed)
    await deliveries.signedOut()
  }

  /// Requests a fetch, because news may have been missed while the push channel was closed.
  func connected() {
    gate.connected()
    doorbell.ring()
  }

  /// Stores a pushed batch. Requests a fetch if the server has more news than the batch contains.
  ///
  /// In the following cases the batch is not stored, and a fetch is requested instead:
  ///
  /// 1. The start still waits for the contact diff.
  /// 2. The batch does not continue from the stored cursor, or its epoch differs from the stored epoch.
  /// 3. Storing the batch fails.
  func receive(_ batch: SyncBatch) async {
    // The contact diff must be stored first. A later fetch returns the changes in this batch.
    guard launch.mustWait(at: runtime.uptime()) == nil else { return poke() }
    let isWithheld = launch.isLocked
    let isTaken = try? await store.write(.kill, isWithheld: isWithheld) {
      try Intake($0).apply(batch, isPushed: true)
    }
    if isTaken == true {
      gate.pushed(at: runtime.uptime())
      await deliveries.stored(batch)
    }
    if isTaken != true || batch.hasMore { poke() }
    launch.wrote(isWithheld, store.feed)
    await contacts.noteServerVersion(in: batch)
  }

  private func fetch() async {
    state.publish(.fetching)
    do {
      let account = try await store.read { try $0.account() }
      let cursor = account?.cursor
      let asked = runtime.uptime()
      let batch = try await sync(since: cursor)
      store.clock.addSample(batch.time, asked: asked)
      await outbox.gotThrough()
      let isWithheld = launch.isLocked
      let isTaken = try await store.write(.kill, isWithheld: isWithheld) {
        // If the epoch of the request has ended meanwhile, the answer is discarded, and another fetch
        // follows.
        guard account?.epoch == nil || account?.epoch == $0.account.epoch else { return false }
        return try Intake($0).apply(batch, requestedAt: account?.version)
      }
      launch.wrote(isWithheld, store.feed)
      // If the batch starts from the requested cursor but was not stored, a pushed batch was stored
      // meanwhile, or a new epoch has begun. Both count as progress.
      let isStandstill = isTaken ? batch.hasMore && batch.next == cursor : batch.from != cursor
      guard !gate.isStuck(after: isStandstill) else {
        throw BackendError(.transient, "The server announces more, but does not return it.")
      }
      let hasMore = batch.hasMore || !isTaken
      gate.fetched(at: runtime.uptime(), hasMore: hasMore)
      if isTaken { await deliveries.stored(batch) }
      await contacts.noteServerVersion(in: batch)
      if !hasMore {
        launch.ended(store.feed)
        state.publish(.caughtUp)
        await contacts.caughtUp()
      }
    } catch {
      launch.release(to: store.feed)
      let retryAfter = BackendError(from: error).retryAfter
      gate.failed(at: runtime.uptime(), retryAfter: retryAfter, random: runtime.random())
      // A cancelled fetch is not reported as a failure.
      state.publish(Task.isCancelled ? .waiting : .failed(reason: FailureReason(of: error)))
    }
  }

  private func sync(since cursor: SyncCursor?) async throws -> SyncBatch {
    do {
      return try await backend.sync(since: cursor, limit: pageSize)
    } catch let error as BackendError where error.code == .cursorRejected {
      // The next fetch starts from the beginning.
      try await store.write(.kill) { try EpochChange($0).dropCursor(cursor) }
      throw error
    }
  }
}
