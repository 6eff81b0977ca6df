/// The operations of one conversation that the server has not acknowledged, in the order in which they were stored.
///
/// 1. At most one message with attachments and one message without attachments are prepared at a time. One other
///    operation may be posted meanwhile, or several messages together (``following(_:at:limit:)``).
/// 2. The ``LanePolicy`` selects the operation to post. No operation is posted before the opening of its
///    conversation, or before a message that it depends on.
/// 3. An operation that will be retried keeps its place. Operations that may not be posted before this operation
///    wait.
/// 4. A parked operation is retried at intervals. Between the attempts the lane continues without the operation,
///    which blocks only later actions on the same message. Lanes also continue without operations that
///    depend on a parked or uncertain message of any conversation.
/// 5. An operation that leaves the outbox while work for it is under way stays in the lane until the work
///    ends. Only the opening of the conversation leaves the lane at once.
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
  /// The openings of the conversation, then the other operations in their order.
  private(set) var entries = ChunkTree<Entry>()
  /// Counts of the entries. They answer most questions without a search, so that a step of the lane does not
  /// become slower with each waiting operation.
  private(set) var counts = Counts()

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
    if counts.posting == 0, let index = postable(at: now) {
      change(index) {
        $0.work = .posting
        $0.posts = .alone
      }
      return .post(entries[index].operation)
    }
    if let index = preparable(at: now, mayUpload: mayUpload) {
      change(index) { $0.work = .preparing }
      return .prepare(entries[index].operation)
    }
    if counts.held == 0 { return .rest }
    let nextEnd = entries.lazy.compactMap(\.heldUntil).filter { $0 > now }.min()
    return nextEnd.map { .wait(until: $0) } ?? .rest
  }

  /// Returns the operations whose messages can be posted right behind a message that is being posted, and
  /// marks their work as under way. These are the operations that the lane would post next, if each message
  /// were sent before the next one is posted. A copy of the lane determines their order.
  ///
  /// The result ends before an operation that posts no message, and before a parked operation. It ends after
  /// a message that the server may have without the message before it. A further message would be stored
  /// behind that message, even if the server lacks the earlier messages.
  mutating func following(_ operation: OperationID, at now: Duration, limit: Int) -> [OperationID] {
    guard let first = index(of: operation), isOrdinary(entries[first]) else { return [] }
    var lane = self
    var last = operation
    var found: [OperationID] = []
    while found.count < limit {
      lane.ended(last)
      guard case .post(let next) = lane.next(at: now, mayUpload: false), let index = index(of: next),
        isOrdinary(entries[index])
      else { break }
      var isChained = false
      change(index) { isChained = $0.follow(last) }
      found.append(next)
      if !isChained { break }
      last = next
    }
    return found
  }

  private func isOrdinary(_ entry: Entry) -> Bool { entry.message != nil && !entry.isParked }

  /// The index of the first operation that can be posted now: it is prepared, need not wait, and is not
  /// blocked by an operation in front of it.
  private func postable(at now: Duration) -> Int? {
    for (index, entry) in entries.enumerated() {
      if entry.isReady, entry.isFree(at: now), blocker(of: index) == nil { return index }
      if blocksAll(index) { return nil }
    }
    return nil
  }

  private func preparable(at now: Duration, mayUpload: Bool) -> Int? {
    let mayPrepare = (text: counts.texts.mayPrepare, media: counts.media.mayPrepare && mayUpload)
    guard mayPrepare.text || mayPrepare.media else { return nil }
    for (index, entry) in entries.enumerated() where !entry.isReady {
      if entry.isFree(at: now), entry.isMedia ? mayPrepare.media : mayPrepare.text { return index }
      if policy == .strict, !entry.isPassed { return nil }
    }
    return nil
  }

  // MARK: Telling

  /// An operation was stored, or the user requested a retry of a parked operation.
  mutating func added(_ entry: Entry) {
    if let known = index(of: entry.operation) {
      return change(known) {
        $0.patience = entry.patience
        $0.heldUntil = nil
      }
    }
    // Nothing can be sent before the conversation is open, even if its opening is added late.
    entries.insert(entry, at: entry.isBarrier ? 0 : insertionIndex(of: entry.operation))
    counts.add(entry)
  }

  /// Adds or updates an operation from the database, where another process may have stored or changed the
  /// operation.
  mutating func stored(_ entry: Entry) {
    guard let known = index(of: entry.operation) else { return added(entry) }
    if entry.dependsOn == nil { change(known) { $0.nothingToWaitFor() } }
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
    change(index) {
      $0.isReady = true
      $0.backoff.succeeded()
      $0.patience = Patience(waited: $0.patience.waited)
    }
  }

  /// The operation was deleted from the outbox when its attempt ended. The operation leaves the lane.
  mutating func ended(_ operation: OperationID) {
    guard let index = index(of: operation) else { return }
    remove(at: index)
  }

  /// The operation was deleted from the outbox: done, refused or cancelled. While work for the operation is
  /// under way, the operation stays in the lane. Only the opening of the conversation leaves at once, since
  /// the opening blocks nothing any more.
  mutating func removed(_ operation: OperationID) {
    guard let index = index(of: operation) else { return }
    if entries[index].work == nil || entries[index].isBarrier {
      remove(at: index)
    } else {
      change(index) { $0.isGone = true }
    }
  }

  /// The server has a message: operations that depend on it no longer wait for it.
  mutating func sent(_ message: LocalMessageID) {
    guard counts.dependent > 0 else { return }
    changeAll { if $0.dependsOn == message { $0.nothingToWaitFor() } }
  }

  /// Marks the operations that depend on one of these messages, and unmarks all other operations. The lane
  /// continues without the marked operations.
  ///
  /// - Parameter messages: all messages of all conversations that are parked or uncertain, or that depend on
  ///   such a message.
  mutating func stalled(_ messages: Set<LocalMessageID>) {
    guard counts.dependent > 0 else { return }
    changeAll { $0.isStalled = $0.dependsOn.map(messages.contains) ?? false }
  }

  /// The attempt failed, and the operation is retried after a pause.
  mutating func failed(_ operation: OperationID, at now: Duration, retryAfter: Duration?, random: UInt64) {
    guard let index = stopped(operation) else { return }
    change(index) {
      let wait = $0.backoff.failed(random: random, retryAfter: retryAfter)
      $0.heldUntil = now + ($0.isParked ? max(wait, Patience.parkedPause) : wait)
      $0.isHeldByServer = retryAfter != nil
    }
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
    change(index) {
      if blames, $0.successesAtFailure != successes {
        $0.successesAtFailure = successes
        $0.patience.failures += 1
      }
      // No pause between two attempts is longer: the device was asleep.
      $0.patience.waited += min(now - ($0.onlineSince ?? now), RetryBackoff.longestRetryAfter)
      $0.onlineSince = now
      // The opening of the conversation is never parked: nothing can be sent without it.
      if $0.patience.failures >= Patience.failuresBeforeParking, !$0.isBarrier {
        $0.patience.isParked = true
      }
    }
    return entries[index].patience
  }

  /// Notes the upload's progress, from 0 to 1. An upload that gets further than in any earlier attempt is not
  /// the cause of a broken connection: its earlier failures no longer count. A parked operation keeps its
  /// failures and stays parked.
  mutating func advanced(_ operation: OperationID, to fraction: Double) {
    guard let index = index(of: operation), fraction > entries[index].furthest else { return }
    change(index) {
      $0.furthest = fraction
      if !$0.isParked { $0.patience.failures = 0 }
    }
  }

  /// The connection is lost. The time without a connection is not added to `Patience.waited`.
  mutating func disconnected() {
    changeAll { $0.onlineSince = nil }
  }

  /// The work ended without a result: for example, the connection broke, the server did not store an earlier
  /// message, or the work was cancelled. A parked operation is retried after a pause. Any other operation may
  /// be retried at once.
  mutating func interrupted(_ operation: OperationID, at now: Duration) {
    guard let index = stopped(operation) else { return }
    if entries[index].isParked { change(index) { $0.heldUntil = now + Patience.parkedPause } }
  }

  /// The connection is back. Waiting operations are retried at once, except parked operations and operations
  /// for which the server requested the wait.
  mutating func hurry() {
    guard counts.held > 0 else { return }
    changeAll { if !$0.isParked, !$0.isHeldByServer { $0.heldUntil = nil } }
  }

  /// Ends the work of an operation, and removes the operation from the lane if it has left the outbox.
  ///
  /// - Returns: the index of the operation; nil if the operation was removed, or if no work was under way for
  ///   the operation.
  private mutating func stopped(_ operation: OperationID) -> Int? {
    guard let index = index(of: operation), entries[index].work != nil else { return nil }
    change(index) { $0.work = nil }
    if !entries[index].isGone { return index }
    remove(at: index)
    return nil
  }

  // MARK: Entries

  private mutating func change(_ index: Int, _ body: (inout Entry) -> Void) {
    let old = entries[index]
    var entry = old
    body(&entry)
    guard entry != old else { return }
    counts.remove(old)
    counts.add(entry)
    entries.replace(at: index, with: entry)
  }

  private mutating func changeAll(_ body: (inout Entry) -> Void) {
    for index in entries.indices { change(index, body) }
  }

  private mutating func remove(at index: Int) { counts.remove(entries.remove(at: index)) }

  func index(of operation: OperationID) -> Int? {
    if let barrier = entries.prefix(counts.barriers).firstIndex(where: { $0.operation == operation }) {
      return barrier
    }
    let index = insertionIndex(of: operation)
    return index < entries.count && entries[index].operation == operation ? index : nil
  }

  /// The index of an operation, or the index at which it would be inserted. Openings are at the front and are not
  /// found.
  private func insertionIndex(of operation: OperationID) -> Int {
    var low = counts.barriers, high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].operation < operation { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
