/// The operations of one conversation that the server has not acknowledged, in the order in which they were stored.
///
/// 1. Of messages with attachments one is prepared at a time, and of those without, and one of all is posted; each may
///    happen while the others do.
/// 2. Which one is posted is the ``LanePolicy``'s affair. Nothing passes the opening of the conversation, and nothing
///    goes before the message that it depends on.
/// 3. An operation that failed for now keeps its place; whoever may not pass it waits with it.
/// 4. A parked operation has lost its place: the lane goes on without it, and tries it again now and then. What waits for
///    one, in whatever lane, is passed as well until that goes.
/// 5. What leaves the outbox while it is posted keeps the lane until that attempt has ended.
///
/// The lane decides and does nothing else: give it what happened, carry out what it answers.
struct OutboxLane: Sendable, Equatable {
  /// What the lane wants done.
  enum Step: Sendable, Equatable {
    /// Get an operation's message ready, and report how that ended.
    case prepare(OperationID)
    /// Carry out an operation, and report how it ended.
    case post(OperationID)
    /// Ask again at this uptime.
    case wait(until: Duration)
    /// Nothing, until something happens.
    case rest
  }

  let policy: LanePolicy
  private(set) var entries: [Entry] = []

  init(_ policy: LanePolicy = .mediaLane) { self.policy = policy }

  /// Whether nothing is left.
  var isEmpty: Bool { entries.isEmpty }

  /// Whether an operation is in the lane.
  func holds(_ operation: OperationID) -> Bool { index(of: operation) != nil }

  // MARK: Asking

  /// Asks what to do now.
  ///
  /// - Parameter mayUpload: whether there is room for another message with attachments; the lanes share it.
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

  /// The first operation that may be posted before everything in front of it.
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

  /// An operation was stored, or its user wants it tried again at once.
  mutating func added(_ entry: Entry) {
    if let known = index(of: entry.operation) {
      entries[known].patience = entry.patience
      entries[known].heldUntil = nil
      return
    }
    // Nothing can be sent before the conversation is there, however late that shows.
    let place = entry.isBarrier ? 0 : entries.lastIndex { $0.operation < entry.operation }.map { $0 + 1 } ?? 0
    entries.insert(entry, at: place)
  }

  /// This is how the table has an operation, which another process may have put there or changed.
  mutating func stored(_ entry: Entry) {
    guard let known = index(of: entry.operation) else { return added(entry) }
    if entry.dependsOn == nil { entries[known].dependsOn = nil }
    // What is under way has a count of its own, which is stored when it ends.
    if entries[known].isParked, !entry.isParked, entries[known].work == nil { added(entry) }
  }

  /// Another lane turned out to be of the same conversation: its operations take their places here, as they stand.
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

  /// The operation's attempt has ended, and nothing is left of it in the outbox.
  mutating func ended(_ operation: OperationID) {
    guard let index = index(of: operation) else { return }
    entries.remove(at: index)
  }

  /// The operation is gone from the outbox: done, refused or cancelled. What is under way for its message has yet to end; an
  /// opening that came another way has no bearing any more.
  mutating func removed(_ operation: OperationID) {
    guard let index = index(of: operation) else { return }
    if entries[index].work == nil || entries[index].isBarrier {
      entries.remove(at: index)
    } else {
      entries[index].isGone = true
    }
  }

  /// The server has a message: what depends on it may go.
  mutating func sent(_ message: LocalMessageID) {
    for index in entries.indices where entries[index].dependsOn == message {
      entries[index].dependsOn = nil
      entries[index].isStalled = false
    }
  }

  /// These messages are parked, or wait for one that is, in whatever lane: nothing waits behind what depends on them.
  mutating func stalled(_ messages: Set<LocalMessageID>) {
    for index in entries.indices {
      entries[index].isStalled = entries[index].dependsOn.map(messages.contains) ?? false
    }
  }

  /// The operation failed for now.
  mutating func failed(_ operation: OperationID, at now: Duration, retryAfter: Duration?, random: UInt64) {
    guard let index = stopped(operation) else { return }
    let wait = entries[index].backoff.failed(random: random, retryAfter: retryAfter)
    entries[index].heldUntil = now + (entries[index].isParked ? max(wait, Patience.rest) : wait)
    entries[index].isHeldByServer = retryAfter != nil
  }

  /// Counts a failure of the server at an operation that is under way.
  ///
  /// - Parameters:
  ///   - blames: whether it was this very operation that the server failed at.
  ///   - successes: how much has got through to the server so far; only a failure while others got through counts.
  /// - Returns: what is to be stored; nil for an operation that is gone.
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
    // Nothing can go on without the opening of the conversation.
    if entries[index].patience.failures >= Patience.failuresBeforeParking, !entries[index].isBarrier {
      entries[index].patience.isParked = true
    }
    return entries[index].patience
  }

  /// The operation's upload has come this far, from 0 to 1. What gets further than before is not what a connection breaks at.
  mutating func advanced(_ operation: OperationID, to fraction: Double) {
    guard let index = index(of: operation), fraction > entries[index].furthest else { return }
    entries[index].furthest = fraction
    if !entries[index].isParked { entries[index].patience.failures = 0 }
  }

  /// The connection is gone: what passes until it is back is no time that an operation was tried in.
  mutating func disconnected() {
    for index in entries.indices { entries[index].onlineSince = nil }
  }

  /// The connection held the operation up: it goes again as soon as the connection is back, unless it is parked.
  mutating func interrupted(_ operation: OperationID, at now: Duration) {
    guard let index = stopped(operation) else { return }
    if entries[index].isParked { entries[index].heldUntil = now + Patience.rest }
  }

  /// The connection is back: what waits for its next attempt goes at once, unless it is parked or the server asked for the
  /// wait.
  mutating func hurry() {
    for index in entries.indices where !entries[index].isParked && !entries[index].isHeldByServer {
      entries[index].heldUntil = nil
    }
  }

  /// What was under way for an operation has ended; nil for one that has left the outbox, which is gone now.
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
