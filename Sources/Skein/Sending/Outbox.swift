#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// Carries out the stored operations, one conversation's lane beside the other, until the server has acknowledged each.
actor Outbox {
  private let store: ChatStore
  private let backend: any ChatBackend
  private let preparation: MessagePreparation
  private let runtime: Runtime
  private let inbox = ChangeInbox()
  private var lanes: [(conversation: ConversationID, lane: OutboxLane)] = []
  private var underWay: [(operation: OperationID, task: Task<Void, any Error>)] = []
  /// Failures of the connection hold every lane.
  private var connection = RetryBackoff()
  private var heldUntil: Duration?
  private var isSignedOut = false

  init(store: ChatStore, backend: any ChatBackend, preparation: MessagePreparation) {
    self.store = store
    self.backend = backend
    self.preparation = preparation
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
      for change in inbox.takeAll() {
        for queued in change.queued { changeLane(queued.conversation) { $0.added(queued.id) } }
      }
      await inbox.doorbell.wait(until: startWhatIsDue(), runtime)
    }
    for work in underWay { work.task.cancel() }
    for work in underWay { _ = await work.task.result }
  }

  /// Takes up what an earlier run left.
  private func begin() async throws {
    try await store.write(.kill) { try $0.recoverSends() }
    try await preparation.discardCopiesOfSentMessages(store)
    for operation in try await store.read({ try $0.select(OperationRow.self, "ORDER BY id") }) {
      changeLane(operation.conversation) { $0.added(operation.id) }
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
    var wakeUp: Duration?
    for index in lanes.indices {
      switch lanes[index].lane.next(at: now) {
      case .perform(let operation): start(operation, in: lanes[index].conversation)
      case .wait(let until): wakeUp = min(wakeUp ?? until, until)
      case .rest: break
      }
    }
    lanes.removeAll { $0.lane.isEmpty }
    return wakeUp
  }

  private func start(_ operation: OperationID, in conversation: ConversationID) {
    let task = runtime.spawn { await self.carryOut(operation, in: conversation) }
    underWay.append((operation, task))
  }

  private func carryOut(_ operation: OperationID, in conversation: ConversationID) async {
    do {
      try await perform(operation)
      connection.succeeded()
      changeLane(conversation) { $0.ended(operation) }
    } catch is CancellationError where Task.isCancelled {
      changeLane(conversation) { $0.interrupted(operation) }
    } catch {
      await failed(operation, in: conversation, error)
    }
    underWay.removeAll { $0.operation == operation }
    inbox.doorbell.ring()
  }

  /// One operation from the database to the server and back.
  private func perform(_ operation: OperationID) async throws {
    let repeatsUnknown = backend.capabilities.idempotency == .forever
    let begun = try await store.write(.powerCut) { try $0.begin(operation, repeatsUnknown: repeatsUnknown) }
    guard let (row, message) = begun else { return }
    switch row.kind {
    case .open: try await open(row)
    case .send: if let message { try await send(message, by: row) }
    }
  }

  private func open(_ operation: OperationRow) async throws {
    let request = try JSONDecoder().decode(ConversationRequest.self, from: operation.parameters ?? Data())
    let info = try await backend.open(request)
    try await store.write(.powerCut) { try $0.opened(operation.id, info) }
  }

  private func send(_ message: MessageRow, by operation: OperationRow) async throws {
    if operation.needsPreparation {
      try await preparation.prepare(message, by: operation.id)
      return try await perform(operation.id)
    }
    let ref = try await store.read { try $0.find(ConversationRow.self, message.conversation)?.ref }
    guard let ref else { throw SendFailure(.conversationRefused, "The conversation could not be opened.") }
    let receipt = try await backend.send(
      OutgoingMessage(id: message.messageID, conversation: ref, kind: message.kind, payload: message.payload))
    try await store.write(.powerCut) { try $0.acknowledge(operation.id, receipt) }
    preparation.discardCopies(of: message.messageID)
  }

  private func failed(_ operation: OperationID, in conversation: ConversationID, _ error: any Error) async {
    let now = runtime.uptime()
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
      var lane = OutboxLane()
      body(&lane)
      lanes.append((conversation, lane))
    }
  }
}
