import SkeinStorage

/// Carries out the stored operations, one conversation's lane beside the other, until the server has acknowledged each.
actor Outbox {
  /// How many messages are prepared at a time, of all conversations.
  private static let preparations = 3

  let store: ChatStore
  let backend: any ChatBackend
  let preparation: MessagePreparation
  let runtime: Runtime
  private let policy: LanePolicy
  private let inbox = ChangeInbox()
  private var lanes: [(conversation: ConversationID, lane: OutboxLane)] = []
  private var underWay: [Work] = []
  /// Failures of the connection hold every lane.
  private var connection = RetryBackoff()
  private var heldUntil: Duration?
  private var isSignedOut = false

  private struct Work {
    let operation: OperationID
    let isPreparing: Bool
    let task: Task<Void, any Error>
  }

  init(store: ChatStore, backend: any ChatBackend, preparation: MessagePreparation, policy: LanePolicy) {
    self.store = store
    self.backend = backend
    self.preparation = preparation
    self.policy = policy
    runtime = store.runtime
  }

  /// Works until its task is cancelled, and then waits for what is under way to stop.
  func run() async throws {
    let subscription = store.feed.subscribe(inbox.add)
    defer { store.feed.unsubscribe(subscription) }
    isSignedOut = false
    var disk = RetryBackoff()
    // A full disk may have room again: without this start nothing would be sent until the next one.
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
      await inbox.doorbell.wait(until: startWhatIsDue(), runtime)
    }
    for work in underWay { work.task.cancel() }
    for work in underWay { _ = await work.task.result }
  }

  /// Takes up what an earlier run left.
  private func begin() async throws {
    try await store.write(.kill) { try $0.recoverSends() }
    try await preparation.discardCopiesOfSentMessages(store)
    let stored = try await store.read { try $0.select(OperationRow.self, "ORDER BY id") }
    lanes = []
    for operation in stored { changeLane(operation.conversation) { $0.added(.init(operation)) } }
  }

  private func take(_ changes: StoreChanges) {
    for queued in changes.queued { changeLane(queued.conversation) { $0.added(.init(queued)) } }
    for operation in changes.ended {
      for index in lanes.indices { lanes[index].lane.ended(operation) }
      // A post that is under way goes on: its answer is still worth having.
      for work in underWay where work.operation == operation && work.isPreparing { work.task.cancel() }
    }
    for message in changes.parts.lazy.flatMap(\.messages) where message.status == .sent {
      for index in lanes.indices { lanes[index].lane.sent(message.id) }
    }
  }

  /// The connection is back: what waits for it goes at once.
  func connected() {
    connection.succeeded()
    heldUntil = nil
    for index in lanes.indices { lanes[index].lane.hurry() }
    inbox.doorbell.ring()
  }

  /// The session has ended: nothing more is tried until the next start.
  func signedOut() { isSignedOut = true }

  /// Starts what the lanes give, and says when to look again.
  private func startWhatIsDue() -> Duration? {
    if isSignedOut { return nil }
    let now = runtime.uptime()
    if let heldUntil, heldUntil > now { return heldUntil }
    heldUntil = nil
    lanes.removeAll { $0.lane.isEmpty }
    var wakeUp: Duration?
    for index in lanes.indices {
      let conversation = lanes[index].conversation
      asking: while true {
        let mayPrepare = underWay.count(where: \.isPreparing) < Self.preparations
        switch lanes[index].lane.next(at: now, mayPrepare: mayPrepare) {
        case .prepare(let operation): start(operation, in: conversation, isPreparing: true)
        case .post(let operation): start(operation, in: conversation, isPreparing: false)
        case .wait(let until):
          wakeUp = min(wakeUp ?? until, until)
          break asking
        case .rest: break asking
        }
      }
    }
    return wakeUp
  }

  private func start(_ operation: OperationID, in conversation: ConversationID, isPreparing: Bool) {
    let task = runtime.spawn {
      await self.carryOut(operation, in: conversation, isPreparing: isPreparing)
    }
    underWay.append(Work(operation: operation, isPreparing: isPreparing, task: task))
  }

  private func carryOut(_ operation: OperationID, in conversation: ConversationID, isPreparing: Bool) async {
    do {
      if isPreparing {
        try await prepare(operation)
        changeLane(conversation) { $0.prepared(operation) }
      } else {
        try await perform(operation)
        changeLane(conversation) { $0.ended(operation) }
      }
      connection.succeeded()
    } catch is CancellationError where Task.isCancelled {
      changeLane(conversation) { $0.interrupted(operation) }
    } catch {
      await failed(operation, in: conversation, isPreparing: isPreparing, error)
    }
    underWay.removeAll { $0.operation == operation && $0.isPreparing == isPreparing }
    inbox.doorbell.ring()
  }

  private func failed(
    _ operation: OperationID, in conversation: ConversationID, isPreparing: Bool, _ error: any Error
  ) async {
    let now = runtime.uptime()
    // Whatever became of an upload, the message was not posted.
    let error = isPreparing ? BackendError.surelyNotPosted(error) : error
    do {
      switch SendOutcome(of: error, idempotency: backend.capabilities.idempotency) {
      case .waitForConnection(let isUnknown):
        // Lanes that fail together are one failure of the connection.
        if (heldUntil ?? .zero) <= now { heldUntil = now + connection.failed(random: runtime.random()) }
        try await store.write(.kill) { try $0.postpone(operation, outcomeIsUnknown: isUnknown) }
        changeLane(conversation) { $0.interrupted(operation) }
      case .tryAgain(let after, let isUnknown):
        try await store.write(.kill) { try $0.postpone(operation, outcomeIsUnknown: isUnknown) }
        changeLane(conversation) {
          $0.failed(operation, at: now, retryAfter: after, random: runtime.random())
        }
      case .adopt(let stored):
        try await store.write(.powerCut) { try $0.adopt(operation, stored) }
        changeLane(conversation) { $0.ended(operation) }
      case .giveUp(let status, let failure):
        try await store.write(.powerCut) { try $0.giveUp(operation, as: status, failure) }
        changeLane(conversation) { $0.ended(operation) }
      }
    } catch {
      // The disk does not take it: the stored operation is still there, and is tried again after a while.
      changeLane(conversation) { $0.failed(operation, at: now, retryAfter: nil, random: runtime.random()) }
    }
  }

  private func changeLane(_ conversation: ConversationID, _ body: (inout OutboxLane) -> Void) {
    if let index = lanes.firstIndex(where: { $0.conversation == conversation }) {
      body(&lanes[index].lane)
    } else {
      var lane = OutboxLane(policy)
      body(&lane)
      lanes.append((conversation, lane))
    }
  }
}
