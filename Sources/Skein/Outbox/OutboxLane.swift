/// The operations of one conversation that the server has not acknowledged, in the order in which they were stored.
///
/// 1. At most one message with attachments and one message without attachments are prepared at a time. One other
///    operation may be posted meanwhile.
/// 2. The ``LanePolicy`` selects the operation to post. No operation is posted before the opening of its
///    conversation, or before a message that it depends on.
/// 3. An operation that will be retried keeps its place. Operations that may not be posted before this operation
///    wait.
/// 4. A parked operation is retried at intervals. Between the attempts the lane continues without the operation,
///    which blocks only later actions on the same message. Lanes also continue without operations that depend on a
///    parked operation of any lane.
/// 5. If an operation leaves the outbox while it is being posted, it occupies the lane until the attempt ends. Only
///    the opening of the conversation leaves the lane at once.
///
/// The lane does no work itself: the caller reports events to it, and carries out the steps that it returns.
struct OutboxLane: Sendable, Equatable {
  /// The next step of the lane.
  enum Step: Sendable, Equatable {
    /// Prepare an operation's message, and report the result.
    case prepare(OperationID)
    /// Carry out an operation, and report the result.
    case post(OperationID)
    /// Ask again at this uptime.
    case wait(until: Duration)
    /// Nothing until the next event.
    case rest
  }

  let policy: LanePolicy
  private(set) var entries: [Entry] = []

  init(_ policy: LanePolicy = .mediaLane) { self.policy = policy }

  /// Whether the lane has no operations.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether an operation is in the lane.
  func holds(_ operation: OperationID) -> Bool { index(of: operation) != nil }

  // MARK: Asking

  /// Returns the next step, and marks its work as under way.
  ///
  /// - Parameter mayUpload: whether another message with attachments may be prepared; all lanes share this
  ///   limit.
  mutating func next(at now: Duration, mayUpload: Bool = true) -> Step {
    if !entries.contains(where: { $0.work == .posting }), let index = postable(at: now) {
      entries[index].work = .posting
      return .post(entries[index].operation)
    }
    if let index = preparable(at: now, mayUpload: mayUpload) {
      entries[index].work = .preparing
      return .prepare(entries[index].operation)
    }
    let nextEnd = entries.lazy.compactMap(\.heldUntil).filter { $0 > now }.min()
    return nextEnd.map { .wait(until: $0) } ?? .rest
  }

  /// The index of the first operation that can be posted now: it is prepared, need not wait, and is not
  /// blocked by an operation in front of it.
  private func postable(at now: Duration) -> Int? {
    entries.indices.first { index in
      let entry = entries[index]
      return entry.isReady && entry.isFree(at: now) && blocker(of: index) == nil
    }
  }

  private func preparable(at now: Duration, mayUpload: Bool) -> Int? {
    for index in entries.indices where !entries[index].isReady {
      let entry = entries[index]
      let isTaken = entries.contains { $0.work == .preparing && $0.isMedia == entry.isMedia }
      if entry.isFree(at: now), !isTaken, mayUpload || !entry.isMedia { return index }
      if policy == .strict, !entry.isPassed { return nil }
    }
    return nil
  }

  // MARK: Telling

  /// An operation was stored, or the user requested a retry of a parked operation.
  mutating func added(_ entry: Entry) {
    if let known = index(of: entry.operation) {
      entries[known].patience = entry.patience
      entries[known].heldUntil = nil
      return
    }
    // Nothing can be sent before the conversation is open, even if its opening is added late.
    let place = entry.isBarrier ? 0 : entries.lastIndex { $0.operation < entry.operation }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: place)
  }

  /// Adds or updates an operation from the database, where another process may have stored or changed the
  /// operation.
  mutating func stored(_ entry: Entry) {
    guard let known = index(of: entry.operation) else { return added(entry) }
    if entry.dependsOn == nil { entries[known].dependsOn = nil }
    // While work is running, the lane keeps its own failure count, which is stored when the work ends.
    if entries[known].isParked, !entry.isParked, entries[known].work == nil { added(entry) }
  }

  /// Merges the lane of a conversation that turned out to be the same conversation. The operations of `other`
  /// are sorted into this lane, unchanged.
  mutating func merge(_ other: OutboxLane) {
    for entry in other.entries { added(entry) }
  }

  /// The operation's message is ready to be posted.
  mutating func prepared(_ operation: OperationID) {
    guard let index = stopped(operation) else { return }
    entries[index].isReady = true
    entries[index].backoff.succeeded()
    entries[index].patience = Patience(waited: entries[index].patience.waited)
  }

  /// The operation was deleted from the outbox when its attempt ended. The operation leaves the lane.
  mutating func ended(_ operation: OperationID) {
    guard let index = index(of: operation) else { return }
    entries.remove(at: index)
  }

  /// The operation was deleted from the outbox: done, refused or cancelled. While work for the operation is
  /// under way, the operation stays in the lane. Only the opening of the conversation leaves at once, since
  /// the opening blocks nothing any more.
  mutating func removed(_ operation: OperationID) {
    guard let index = index(of: operation) else { return }
    if entries[index].work == nil || entries[index].isBarrier {
      entries.remove(at: index)
    } else {
      entries[index].isGone = true
    }
  }

  /// The server has a message: operations that depend on it no longer wait for it.
  mutating func sent(_ message: LocalMessageID) {
    for index in entries.indices where entries[index].dependsOn == message {
      entries[index].dependsOn = nil
      entries[index].isStalled = false
    }
  }

  /// Marks the operations that depend on one of these messages, and unmarks all other operations. The lane
  /// continues without the marked operations.
  ///
  /// - Parameter messages: all messages of all conversations that are parked or uncertain, or that depend on
  ///   such a message.
  mutating func stalled(_ messages: Set<LocalMessageID>) {
    for index in entries.indices {
      entries[index].isStalled = entries[index].dependsOn.map(messages.contains) ?? false
    }
  }

  /// The attempt failed, and the operation is retried after a pause.
  mutating func failed(_ operation: OperationID, at now: Duration, retryAfter: Duration?, random: UInt64) {
    guard let index = stopped(operation) else { return }
    let wait = entries[index].backoff.failed(random: random, retryAfter: retryAfter)
    entries[index].heldUntil = now + (entries[index].isParked ? max(wait, Patience.parkedPause) : wait)
    entries[index].isHeldByServer = retryAfter != nil
  }

  /// Counts a server failure of an operation that is under way.
  ///
  /// - Parameters:
  ///   - blames: whether the failure concerned this very operation.
  ///   - successes: the number of operations, uploads and fetches that have succeeded so far. A failure
  ///     counts only if this number has changed since the operation's last counted failure.
  /// - Returns: the values to store; nil for an operation that is not in the lane, or not under way.
  mutating func count(failureOf operation: OperationID, at now: Duration, blames: Bool, successes: Int)
    -> Patience?
  {
    guard let index = index(of: operation), entries[index].work != nil else { return nil }
    if blames, entries[index].successesAtFailure != successes {
      entries[index].successesAtFailure = successes
      entries[index].patience.failures += 1
    }
    entries[index].patience.waited += now - (entries[index].onlineSince ?? now)
    entries[index].onlineSince = now
    // The opening of the conversation is never parked: nothing can be sent without it.
    if entries[index].patience.failures >= Patience.failuresBeforeParking, !entries[index].isBarrier {
      entries[index].patience.isParked = true
    }
    return entries[index].patience
  }

  /// Notes the upload's progress, from 0 to 1. An upload that gets further than in any earlier attempt is not
  /// the cause of a broken connection: its earlier failures no longer count. A parked operation keeps its
  /// failures and stays parked.
  mutating func advanced(_ operation: OperationID, to fraction: Double) {
    guard let index = index(of: operation), fraction > entries[index].furthest else { return }
    entries[index].furthest = fraction
    if !entries[index].isParked { entries[index].patience.failures = 0 }
  }

  /// The connection is lost. The time without a connection is not added to `Patience.waited`.
  mutating func disconnected() {
    for index in entries.indices { entries[index].onlineSince = nil }
  }

  /// The connection broke during the operation, or the work was cancelled. A parked operation is retried
  /// after a pause. Any other operation may be retried at once.
  mutating func interrupted(_ operation: OperationID, at now: Duration) {
    guard let index = stopped(operation) else { return }
    if entries[index].isParked { entries[index].heldUntil = now + Patience.parkedPause }
  }

  /// The connection is back. Waiting operations are retried at once, except parked operations and operations
  /// for which the server requested the wait.
  mutating func hurry() {
    for index in entries.indices where !entries[index].isParked && !entries[index].isHeldByServer {
      entries[index].heldUntil = nil
    }
  }

  /// Ends the work of an operation, and removes the operation from the lane if it has left the outbox.
  ///
  /// - Returns: the index of the operation; nil if the operation was removed, or if no work was under way for
  ///   the operation.
  private mutating func stopped(_ operation: OperationID) -> Int? {
    guard let index = index(of: operation), entries[index].work != nil else { return nil }
    entries[index].work = nil
    if !entries[index].isGone { return index }
    entries.remove(at: index)
    return nil
  }

  private func index(of operation: OperationID) -> Int? {
    entries.firstIndex { $0.operation == operation }
  }
}
