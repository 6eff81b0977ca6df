import SkeinStorage

/// Fetches what is new and takes it in: the one way by which the stored cursor moves.
actor CatchUp {
  private let store: ChatStore
  private let backend: any ChatBackend
  private let pageSize: Int
  private let runtime: Runtime
  private let doorbell = Doorbell()
  private var gate: CatchUpGate

  init(store: ChatStore, backend: any ChatBackend, interval: Duration, pageSize: Int) {
    self.store = store
    self.backend = backend
    self.pageSize = pageSize
    runtime = store.runtime
    gate = CatchUpGate(interval: interval)
  }

  /// Works until its task is cancelled.
  func run() async {
    gate.opened()
    while !Task.isCancelled {
      switch gate.next(at: runtime.uptime()) {
      case .fetch: await fetch()
      case .wait(let until): await doorbell.wait(until: until, runtime)
      case .rest: await doorbell.wait()
      }
    }
    gate.closed()
  }

  /// The server says that something is new.
  func poke() {
    gate.poked()
    doorbell.ring()
  }

  /// The push channel is open: what came while it was not is fetched now.
  func connected() {
    gate.connected()
    doorbell.ring()
  }

  /// What the push channel brought goes the same way as what was fetched.
  func take(_ batch: SyncBatch) async {
    let isTaken = try? await store.write(.kill) { try $0.take(batch) }
    if isTaken != true { poke() }
  }

  private func fetch() async {
    do {
      let cursor = try await store.read { try $0.find(AccountRow.self, Int64(1))?.cursor }
      let batch = try await backend.sync(since: cursor, limit: pageSize)
      let isTaken = try await store.write(.kill) { try $0.take(batch) }
      gate.fetched(at: runtime.uptime(), hasMore: batch.hasMore || !isTaken)
    } catch {
      let after = (error as? BackendError)?.retryAfter
      gate.failed(at: runtime.uptime(), retryAfter: after, random: runtime.random())
    }
  }
}
