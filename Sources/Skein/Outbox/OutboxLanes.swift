/// The lanes of all conversations, in the order in which they were created.
///
/// The lane of an operation is found without a search. After an event in one lane, only this lane is asked
/// for a step.
struct OutboxLanes: Sendable {
  private let policy: LanePolicy
  /// The lanes; some may be empty.
  private(set) var all: [OutboxLane] = []
  private var conversations: [ConversationID] = []
  private var indexes: [ConversationID: Int] = [:]
  private var homes: [OperationID: ConversationID] = [:]
  /// How many lanes are empty, and how many operations of all lanes depend on a message.
  private var empty = 0
  private var dependent = 0
  /// The lanes that were changed since they were last asked for a step.
  private var changed: Set<ConversationID> = []
  /// The uptimes at which lanes must be asked again, and the lanes that wait until another upload ends.
  private var waits: [ConversationID: Duration] = [:]
  private var uploadWaits: Set<ConversationID> = []

  init(_ policy: LanePolicy) { self.policy = policy }

  /// Whether an operation is in a lane.
  func holds(_ operation: OperationID) -> Bool { homes[operation] != nil }

  /// Whether any operation depends on a message.
  var hasDependents: Bool { dependent > 0 }

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
    change(at: indexOfLane(of: operation.conversation)) { $0.added(.init(operation)) }
  }

  /// Adds or updates an operation that another process may have stored or changed.
  mutating func stored(_ operation: OperationRow) {
    homes[operation.id] = operation.conversation
    change(at: indexOfLane(of: operation.conversation)) { $0.stored(.init(operation)) }
  }

  /// Merges the lanes of two conversations that turned out to be the same conversation. Running work
  /// continues.
  mutating func merge(_ other: ConversationID, into conversation: ConversationID) {
    guard let index = indexes[other] else { return }
    let lane = all[index]
    change(at: index) { $0 = OutboxLane($0.policy) }
    for entry in lane.entries { homes[entry.operation] = conversation }
    change(at: indexOfLane(of: conversation)) { $0.merge(lane) }
  }

  /// Changes the lane that holds an operation. Does nothing and returns nil if no lane holds it.
  @discardableResult
  mutating func change<Result>(of operation: OperationID, _ body: (inout OutboxLane) -> Result?) -> Result? {
    guard let index = indexOfLane(with: operation) else { return nil }
    defer { if !all[index].holds(operation) { homes[operation] = nil } }
    return change(at: index, body)
  }

  /// Changes every lane.
  mutating func changeAll(_ body: (inout OutboxLane) -> Void) {
    for index in all.indices { change(at: index, body) }
  }

  private mutating func change<Result>(at index: Int, _ body: (inout OutboxLane) -> Result) -> Result {
    changed.insert(conversations[index])
    let before = (isEmpty: all[index].isEmpty, dependent: all[index].counts.dependent)
    defer {
      empty += (all[index].isEmpty ? 1 : 0) - (before.isEmpty ? 1 : 0)
      dependent += all[index].counts.dependent - before.dependent
    }
    return body(&all[index])
  }

  // MARK: Asking

  /// The uptime at which a lane must be asked again; nil if only an event can make a step due.
  var nextCheck: Duration? { waits.values.min() }

  /// Returns the indexes of the lanes that may have a new step, in the order of the lanes. The caller must
  /// ask each of these lanes for steps until the lane rests or waits.
  ///
  /// - Parameter mayUpload: whether another message with attachments may be prepared.
  mutating func due(at now: Duration, mayUpload: Bool) -> [Int] {
    if empty > all.count / 2 { removeEmpty() }
    var due = changed
    changed = []
    due.formUnion(waits.lazy.filter { $0.value <= now }.map(\.key))
    if mayUpload {
      due.formUnion(uploadWaits)
      uploadWaits = []
    }
    for conversation in due { waits[conversation] = nil }
    return due.compactMap { indexes[$0] }.sorted()
  }

  /// Returns the next step of a lane, and marks its work as under way.
  mutating func next(in index: Int, at now: Duration, mayUpload: Bool) -> OutboxLane.Step {
    let step = all[index].next(at: now, mayUpload: mayUpload)
    if case .wait(let until) = step { waits[conversations[index]] = until }
    if !mayUpload, all[index].counts.media.mayPrepare { uploadWaits.insert(conversations[index]) }
    return step
  }

  // MARK: Indexes

  private func indexOfLane(with operation: OperationID) -> Int? { homes[operation].flatMap { indexes[$0] } }

  private mutating func indexOfLane(of conversation: ConversationID) -> Int {
    if let index = indexes[conversation] { return index }
    indexes[conversation] = all.count
    conversations.append(conversation)
    all.append(OutboxLane(policy))
    empty += 1
    return all.count - 1
  }

  private mutating func removeEmpty() {
    let kept = all.indices.filter { !all[$0].isEmpty }
    conversations = kept.map { conversations[$0] }
    all = kept.map { all[$0] }
    empty = 0
    indexes = [:]
    for (index, conversation) in conversations.enumerated() { indexes[conversation] = index }
  }
}
