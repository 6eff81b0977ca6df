import SkeinStorage

/// Whether the stored contact list is up to date with the server.
public enum ContactSyncState: Sendable, Hashable {
  /// Nothing was fetched yet, the backend has no contact list, or the client was stopped during the last fetch.
  case waiting
  /// Changes are being fetched.
  case fetching
  /// The stored list equals the list that the server had at the last fetch.
  case current
  /// The last fetch failed. It is retried automatically, unless the session has ended.
  case failed(reason: FailureReason)
}

/// Fetches changes of the contact list. Retries until a fetch succeeds. Fetches again when a batch reports another
/// version of the list.
actor ContactSync {
  private let store: ChatStore
  private let backend: any ChatBackend
  private let launch: Launch
  private let phase: AppPhase
  private let runtime: Runtime
  private let doorbell: Doorbell
  /// The list is also fetched at long intervals, because the server may report no version.
  private var gate = CatchUpGate(interval: .seconds(6 * 3600))
  private var known: (version: ContactVersion, epoch: Epoch?)?
  private var isPurged = false
  nonisolated let state = StatePublisher(ContactSyncState.waiting)

  init(store: ChatStore, backend: any ChatBackend, launch: Launch, phase: AppPhase) {
    self.store = store
    self.backend = backend
    self.launch = launch
    self.phase = phase
    doorbell = phase.doorbell()
    runtime = store.runtime
  }

  /// Works until its task is cancelled; returns at once if the backend has no contact list.
  func run() async {
    guard backend.capabilities.contacts != nil else { return }
    while !Task.isCancelled {
      gate.moved(toBackground: phase.isInBackground)
      switch gate.next(at: runtime.uptime()) {
      case .fetch: await fetch()
      case .wait(let until): await doorbell.wait(until: until, runtime)
      case .rest: await doorbell.wait()
      }
    }
    gate.closed()
  }

  /// Called on start, before any work.
  func started() {
    gate.opened()
    isPurged = false
  }

  /// Deletes the messages of closed conversations whose contacts were removed at least `keepRemovedFor` ago;
  /// see ``ConversationEnds/purge(_:)``. Tried once per start.
  ///
  /// Called when the catch-up is complete. Before that, the server's time may be unknown, and the device's
  /// clock may be years ahead.
  func caughtUp() async {
    guard !isPurged else { return }
    isPurged = true
    try? await purge()
  }

  /// Stops fetching until the next start, because the session has ended.
  func signedOut() { gate.closed() }

  /// Requests a fetch, because changes may have been missed while the push channel was closed.
  func connected() {
    gate.connected()
    doorbell.ring()
  }

  /// Requests a fetch if the batch reports a new version of the contact list. A version is new if the version
  /// or the batch's epoch differs from that of the last fetch. Does nothing if the batch reports no version.
  func noteServerVersion(in batch: SyncBatch) {
    guard let version = batch.contactVersion,
      version != known?.version || batch.epoch ?? known?.epoch != known?.epoch
    else { return }
    gate.poked()
    doorbell.ring()
  }

  private func fetch() async {
    state.publish(.fetching)
    do {
      let account = try await store.read { try $0.account() }
      var (delta, unlisted) = try await diff(since: account?.contactVersion)
      var intake = try await apply(delta, isConfirmed: false, unlisted: unlisted, asked: account?.epoch)
      if intake != .applied {
        let epoch = delta.epoch ?? account?.epoch
        let doubted = intake == .doubted ? delta.removed : []
        (delta, unlisted) = try await wholeList()
        // The whole list can't name contacts that this device has never received.
        delta.removed += doubted
        intake = try await apply(delta, isConfirmed: true, unlisted: unlisted, asked: epoch)
      }
      guard intake == .applied else {
        throw BackendError(.transient, "The server's contact list does not continue from the stored version.")
      }
      known = (delta.next, delta.epoch ?? account?.epoch)
      gate.fetched(at: runtime.uptime(), hasMore: false)
      state.publish(.current)
      launch.contactsCame()
    } catch {
      state.publish(Task.isCancelled ? .waiting : .failed(reason: FailureReason(of: error)))
      let error = BackendError(from: error)
      gate.failed(at: runtime.uptime(), retryAfter: error.retryAfter, random: runtime.random())
      if error.code == .permanent || error.code == .unsupported { launch.contactsCame() }
      launch.doorbell.ring()
    }
  }

  private func diff(since version: ContactVersion?) async throws -> (ContactDelta, unlisted: [Contact.ID]) {
    guard let version else { return try await wholeList() }
    do {
      return (try await backend.require(\.contacts).contacts(since: version), [])
    } catch let error as BackendError where error.code == .cursorRejected {
      return try await wholeList()
    }
  }

  /// Fetches the whole list.
  ///
  /// - Returns: the list, and the groups here that no list has contained yet. The groups are read before the request:
  ///   the list can't contain one that the server creates after it.
  private func wholeList() async throws -> (ContactDelta, unlisted: [Contact.ID]) {
    let unlisted = store.capabilities.leaving ? try await store.read { try $0.unlistedGroups() } : []
    return (try await backend.require(\.contacts).contacts(since: nil), unlisted)
  }

  private func apply(
    _ delta: ContactDelta, isConfirmed: Bool, unlisted: [Contact.ID], asked epoch: Epoch?
  ) async throws -> ContactIntake {
    let isWithheld = launch.isLocked
    let intake = try await store.write(.powerCut, isWithheld: isWithheld) {
      try $0.requireCurrent(epoch)
      if let epoch = delta.epoch, epoch != $0.account.epoch { try EpochChange($0).begin(epoch) }
      return try ContactBook($0).apply(delta, isConfirmed: isConfirmed, unlisted: unlisted)
    }
    launch.wrote(isWithheld, store.feed)
    return intake
  }

  private func purge() async throws {
    let limit = store.clock.now + (.zero - store.keepRemovedFor)
    for id in try await store.read({ try $0.conversationsToPurge(removedBefore: limit) }) {
      while try await !store.write(.kill, { try ConversationEnds($0).purge(id) }) {
        try Task.checkCancellation()
      }
    }
  }
}
