import SkeinStorage

/// Carries out the stored operations. Each operation is tried until it succeeds, is given up or is cancelled. The
/// lanes of different conversations work in parallel.
///
/// `ChatMessenger.swift` describes the whole way of a message.
actor Outbox {
  /// The maximum number of parallel uploads, over all conversations.
  private static let uploads = 3

  let store: ChatStore
  let backend: any ChatBackend
  let preparation: MessagePreparation
  let transactions: SharedTransactions
  let runtime: Runtime
  private let policy: LanePolicy
  let giveUpAfter: Duration
  private let inbox = ChangeInbox()
  var lanes: OutboxLanes
  private var underWay: [Work] = []
  private var lastWork = 0
  /// The backoff after connection failures, which block every lane.
  var connection = RetryBackoff()
  var heldUntil: Duration?
  private(set) var isSignedOut = false
  /// Progress of uploads, and the reasons why operations wait.
  var fractions: [OperationID: Double] = [:]
  var reasons: [OperationID: FailureReason] = [:]
  /// The uptime and the ref of each operation's first attempt that may have reached the server. Attempts of an
  /// earlier process are not included.
  var firstAttempts: [OperationID: (uptime: Duration, ref: ConversationRef?)] = [:]
  private(set) var successes = 0
  var revision = 0
  /// Stores the note that attempts are not synchronized in this boot (``AccountRow/unsyncedBoot``). Nil if
  /// the note has to be stored before the next attempt that is not synchronized.
  var noting: Task<Void, any Error>?
  nonisolated let status = StatePublisher(OutboxStatus())

  private struct Work {
    /// Identifies the work, since two values may have the same operation for a moment: a pipeline that is
    /// about to end, and the operation's next attempt.
    let id: Int
    var operation: OperationID
    let isPreparing: Bool
    /// Whether the work counts towards the parallel uploads.
    var isUploading: Bool
    let task: Task<Void, any Error>
  }

  init(
    store: ChatStore, backend: any ChatBackend, preparation: MessagePreparation, policy: LanePolicy,
    giveUpAfter: Duration
  ) {
    self.store = store
    self.backend = backend
    self.preparation = preparation
    transactions = SharedTransactions(store)
    self.policy = policy
    lanes = OutboxLanes(policy)
    self.giveUpAfter = giveUpAfter
    runtime = store.runtime
  }

  /// Works until its task is cancelled, and then waits for running work to stop.
  func run() async throws {
    let subscription = store.feed.subscribe(inbox.add)
    defer { store.feed.unsubscribe(subscription) }
    // `begin()` loads the stored operations, which already include the changes reported so far.
    _ = inbox.takeAll()
    var disk = RetryBackoff()
    // A full disk may have room again later. Without these retries nothing would be sent until the next
    // launch.
    while !Task.isCancelled {
      do {
        try await begin()
        break
      } catch {
        try await runtime.sleep(for: disk.failed(random: runtime.random()))
      }
    }
    while !Task.isCancelled {
      for change in inbox.takeAll() { take(change) }
      let wakeUp = startWhatIsDue()
      publishStatus()
      await inbox.doorbell.wait(until: wakeUp, runtime)
    }
    for work in underWay { work.task.cancel() }
    for work in underWay { _ = await work.task.result }
    // While nothing is tried, no message may be shown as being sent. If this can't be stored, the messages are queued
    // again at the next start, and in the next boot more outcomes than necessary are marked as unknown. The task is
    // not this one, which is cancelled and would not wait for a busy database.
    let pausing = runtime.spawn { try await self.storeBeforePause { try Attempts($0).recover() } }
    _ = await pausing.result
    lanes = OutboxLanes(policy)
    heldUntil = nil
    publishStatus()
  }

  /// Loads the stored operations into their lanes. Messages that an earlier run was preparing or posting are
  /// queued again.
  private func begin() async throws {
    try await store.write(.kill) { try Attempts($0).recover() }
    let stored = try await store.read { try $0.operations() }
    lanes = OutboxLanes(policy)
    fractions = [:]
    reasons = [:]
    // A start is a reason to try at once, as a new connection is.
    connection.succeeded()
    heldUntil = nil
    for operation in stored { lanes.added(operation) }
  }

  private func take(_ changes: StoreChanges) {
    for queued in changes.queued { lanes.added(queued) }
    for part in changes.parts {
      if let target = part.mergedInto { lanes.merge(part.conversation, into: target) }
    }
    for operation in changes.ended { end(operation) }
    if let stored = changes.outbox { follow(stored) }
    guard lanes.hasDependents else { return }
    for message in changes.parts.lazy.flatMap(\.messages) where message.status == .sent {
      lanes.changeAll { $0.sent(message.id) }
    }
  }

  private func end(_ operation: OperationID) {
    lanes.change(of: operation) { $0.removed(operation) }
    forget(operation)
    // A post that is under way continues: its answer is still useful.
    for work in underWay where work.operation == operation && work.isPreparing { work.task.cancel() }
  }

  /// Updates the lanes from the stored operations, which another process may have changed.
  private func follow(_ stored: [OperationRow]) {
    let known = Set(stored.map(\.id))
    for operation in lanes.operations where !known.contains(operation) { end(operation) }
    for row in stored { lanes.stored(row) }
  }

  /// The connection is back. Waiting operations are retried at once, except parked operations and operations
  /// for which the server requested the wait.
  func connected() {
    connection.succeeded()
    heldUntil = nil
    lanes.changeAll { $0.hurry() }
    inbox.doorbell.ring()
  }

  /// An operation was carried out. It leaves its lane.
  func succeeded(_ operation: OperationID) {
    lanes.change(of: operation) { $0.ended(operation) }
    connection.succeeded()
    gotThrough()
  }

  /// Counts a successful operation, upload or fetch. A further failure counts against an operation only if
  /// something has succeeded since the operation's last counted failure.
  func gotThrough() { successes += 1 }

  /// An operation's attachments are on the media server, so another upload may start.
  ///
  /// - Parameter isNews: whether the server has received anything.
  func uploaded(_ operation: OperationID, isNews: Bool) {
    if isNews {
      connection.succeeded()
      gotThrough()
    }
    for index in underWay.indices where underWay[index].operation == operation {
      underWay[index].isUploading = false
    }
    inbox.doorbell.ring()
  }

  /// Called each time this process gets the lease, before any work: the session counts as valid until the
  /// server refuses it.
  func started() { isSignedOut = false }

  /// The session has ended: nothing is tried until the next start.
  func signedOut() {
    isSignedOut = true
    publishStatus()
  }

  /// Starts the steps that are due, and returns the uptime of the next check; nil if only an event can make a step due.
  private func startWhatIsDue() -> Duration? {
    if isSignedOut { return nil }
    let now = runtime.uptime()
    if let heldUntil, heldUntil > now { return heldUntil }
    heldUntil = nil
    passStalled()
    var uploading = underWay.count(where: \.isUploading)
    for place in lanes.due(at: now, mayUpload: uploading < Self.uploads) {
      asking: while true {
        switch lanes.next(in: place, at: now, mayUpload: uploading < Self.uploads) {
        case .prepare(let operation):
          start(operation, isPreparing: true)
          uploading += 1
        case .post(let operation): start(operation, isPreparing: false)
        case .wait, .rest: break asking
        }
      }
    }
    return lanes.nextCheck
  }

  private func start(_ operation: OperationID, isPreparing: Bool) {
    // The lane must know at once which messages are posted together.
    let pipeline = isPreparing ? nil : pipeline(behind: operation)
    lastWork += 1
    let task = runtime.spawn { [id = lastWork] in
      if let pipeline {
        await self.post(pipeline.operations, over: pipeline.backend)
        await self.ended(id)
      } else {
        await self.carryOut(operation, isPreparing: isPreparing, as: id)
      }
    }
    underWay.append(
      Work(
        id: lastWork, operation: operation, isPreparing: isPreparing, isUploading: isPreparing, task: task))
  }

  /// Some work has ended for its operation. If `next` is given, the task of the work continues with that
  /// operation.
  private func ended(_ id: Int, next: OperationID? = nil) {
    if let place = underWay.firstIndex(where: { $0.id == id }) {
      if let next { underWay[place].operation = next } else { underWay.remove(at: place) }
    }
    inbox.doorbell.ring()
  }

  /// Prepares or performs an operation. If the transaction of its receipt has also started the next message,
  /// performs the next message too.
  private func carryOut(_ operation: OperationID, isPreparing: Bool, as id: Int) async {
    var next: Step? = Step(operation: operation)
    while let current = next {
      let operation = current.operation
      next = nil
      do {
        if isPreparing {
          try await prepare(operation)
          lanes.change(of: operation) { $0.prepared(operation) }
        } else {
          next = try await perform(current)
          succeeded(operation)
        }
      } catch is CancellationError where Task.isCancelled {
        lanes.change(of: operation) { $0.interrupted(operation, at: runtime.uptime()) }
      } catch {
        await failed(operation, error)
      }
      forget(operation)
      ended(id, next: next?.operation)
    }
  }
}
