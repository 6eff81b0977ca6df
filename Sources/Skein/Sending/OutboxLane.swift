/// The operations of one conversation that the server has not acknowledged, in strict order.
///
/// 1. One operation is under way at a time: the oldest.
/// 2. An operation that failed for now keeps its place, and the lane waits with it.
/// 3. An operation that ended, one way or the other, lets the next one go.
///
/// The lane decides and does nothing else: give it what happened, carry out what it answers.
struct OutboxLane: Sendable, Equatable {
  /// What the lane wants done.
  enum Step: Sendable, Equatable {
    /// Carry out an operation, and report how it ended.
    case perform(OperationID)
    /// Ask again at this uptime.
    case wait(until: Duration)
    /// Nothing, until something happens.
    case rest
  }

  private var waiting: [OperationID] = []
  private var current: OperationID?
  private var backoff = RetryBackoff()
  private var heldUntil: Duration?

  /// Whether nothing is left.
  var isEmpty: Bool { waiting.isEmpty }

  /// An operation was stored.
  mutating func added(_ operation: OperationID) {
    guard !waiting.contains(operation) else { return }
    let place = waiting.firstIndex { $0 > operation } ?? waiting.endIndex
    waiting.insert(operation, at: place)
  }

  /// Asks what to do now.
  mutating func next(at now: Duration) -> Step {
    guard current == nil, let head = waiting.first else { return .rest }
    if let heldUntil, heldUntil > now { return .wait(until: heldUntil) }
    heldUntil = nil
    current = head
    return .perform(head)
  }

  /// The operation is gone from the outbox: done, refused or cancelled.
  mutating func ended(_ operation: OperationID) {
    waiting.removeAll { $0 == operation }
    if current == operation { current = nil }
    backoff.succeeded()
    heldUntil = nil
  }

  /// The operation failed for now.
  mutating func failed(_ operation: OperationID, at now: Duration, retryAfter: Duration?, random: UInt64) {
    guard current == operation else { return }
    current = nil
    heldUntil = now + backoff.failed(random: random, retryAfter: retryAfter)
  }

  /// The connection held the operation up: it goes again as soon as the connection is back.
  mutating func interrupted(_ operation: OperationID) {
    if current == operation { current = nil }
  }

  /// The connection is back, or the user asks: try at once.
  mutating func hurry() {
    heldUntil = nil
  }
}
