/// The lanes of all conversations, in the order in which they were created.
///
/// An operation's lane is found without a search, so that the work of an event does not grow with what waits.
struct OutboxLanes: Sendable {
  private let policy: LanePolicy
  private(set) var all: [OutboxLane] = []
  private var conversations: [ConversationID] = []
  private var indexes: [ConversationID: Int] = [:]
  private var homes: [OperationID: ConversationID] = [:]

  init(_ policy: LanePolicy) { self.policy = policy }

  /// Whether an operation is in a lane.
  func holds(_ operation: OperationID) -> Bool { homes[operation] != nil }

  /// Whether an operation depends on a message.
  var hasDependents: Bool { all.contains { $0.counts.dependent > 0 } }

  /// Whether the message of an operation is being prepared.
  func isPreparing(_ operation: OperationID) -> Bool {
    indexOfLane(with: operation).map { all[$0].isPreparing(operation) } ?? false
  }

  /// Whether an operation posts a message without attachments.
  func postsText(_ operation: OperationID) -> Bool {
    indexOfLane(with: operation).map { all[$0].postsText(operation) } ?? false
  }

  /// All operations, lane by lane.
  var operations: [OperationID] { all.flatMap(\.entries).map(\.operation) }

  // MARK: Changing

  /// An operation was stored, or the user requested a retry of a parked operation.
  mutating func added(_ operation: OperationRow) {
    homes[operation.id] = operation.conversation
    all[indexOfLane(of: operation.conversation)].added(.init(operation))
  }

  /// Adds or updates an operation that another process may have stored or changed.
  mutating func stored(_ operation: OperationRow) {
    homes[operation.id] = operation.conversation
    all[indexOfLane(of: operation.conversation)].stored(.init(operation))
  }

  /// Merges the lanes of two conversations that turned out to be the same conversation. Running work
  /// continues.
  mutating func merge(_ other: ConversationID, into conversation: ConversationID) {
    guard let index = indexes[other] else { return }
    let lane = all[index]
    keep(all.indices.filter { $0 != index })
    for entry in lane.entries { homes[entry.operation] = conversation }
    all[indexOfLane(of: conversation)].merge(lane)
  }

  /// Changes the lane that holds an operation. Does nothing and returns nil if no lane holds it.
  @discardableResult
  mutating func change<Result>(of operation: OperationID, _ body: (inout OutboxLane) -> Result?) -> Result? {
    guard let index = indexOfLane(with: operation) else { return nil }
    defer { if !all[index].holds(operation) { homes[operation] = nil } }
    return body(&all[index])
  }

  /// Changes every lane.
  mutating func changeAll(_ body: (inout OutboxLane) -> Void) {
    for index in all.indices { body(&all[index]) }
  }

  /// Removes the lanes without operations.
  mutating func removeEmpty() {
    if all.contains(where: \.isEmpty) { keep(all.indices.filter { !all[$0].isEmpty }) }
  }

  /// Returns the next step of a lane, and marks its work as under way.
  mutating func next(in index: Int, at now: Duration, mayUpload: Bool) -> OutboxLane.Step {
    all[index].next(at: now, mayUpload: mayUpload)
  }

  // MARK: Indexes

  private func indexOfLane(with operation: OperationID) -> Int? { homes[operation].flatMap { indexes[$0] } }

  private mutating func indexOfLane(of conversation: ConversationID) -> Int {
    if let index = indexes[conversation] { return index }
    indexes[conversation] = all.count
    conversations.append(conversation)
    all.append(OutboxLane(policy))
    return all.count - 1
  }

  private mutating func keep(_ kept: [Int]) {
    all = kept.map { all[$0] }
    conversations = kept.map { conversations[$0] }
    indexes = [:]
    for (index, conversation) in conversations.enumerated() { indexes[conversation] = index }
  }
}
