extension OutboxLane {
  /// An operation's place in its lane.
  enum Place: Sendable, Equatable {
    case preparing, posting, parked
    /// The operation waits for its next attempt.
    case held(until: Duration)
    /// Another message must be sent or prepared first.
    case blocked(by: LocalMessageID)
    /// No message blocks the operation. The opening of the conversation, an action on a message or the limit
    /// of parallel uploads may block it.
    case next
  }

  /// A message's place, and its operation; nil for a message that is not in the lane.
  func standing(of message: LocalMessageID, at now: Duration) -> (operation: OperationID, place: Place)? {
    guard let index = entries.firstIndex(where: { $0.message == message && !$0.isGone }) else { return nil }
    return (entries[index].operation, place(of: index, at: now))
  }

  func isPreparing(_ operation: OperationID) -> Bool {
    index(of: operation).map { entries[$0].work == .preparing } ?? false
  }

  func postsText(_ operation: OperationID) -> Bool {
    index(of: operation).map { entries[$0].message != nil && !entries[$0].isMedia } ?? false
  }

  private func place(of index: Int, at now: Duration) -> Place {
    let entry = entries[index]
    switch entry.work {
    case .preparing: return .preparing
    case .posting: return .posting
    case nil: break
    }
    if entry.isParked { return .parked }
    if let until = entry.heldUntil, until > now { return .held(until: until) }
    if let target = entry.dependsOn { return .blocked(by: target) }
    return blocker(of: index)?.message.map { .blocked(by: $0) } ?? .next
  }

  /// The first earlier entry that an operation must wait for; nil if there is none.
  func blocker(of index: Int) -> Entry? {
    let later = entries[index]
    return entries[..<index].indices.first { blocks($0, later) }.map { entries[$0] }
  }

  /// Whether all later operations must wait for this operation.
  func blocksAll(_ index: Int) -> Bool {
    let entry = entries[index]
    if entry.isBarrier || entry.work == .posting { return true }
    return switch policy {
    case .strict: !isPassed(index)
    case .mediaLane: !entry.isOnItsWay && !isPassed(index)
    case .free: false
    }
  }

  /// Whether a later operation must wait for an earlier operation.
  private func blocks(_ index: Int, _ later: Entry) -> Bool {
    let earlier = entries[index]
    if earlier.isBarrier || earlier.work == .posting { return true }
    // Actions on one message keep their order, even if the earlier action is parked, because the action that
    // is applied last determines the result.
    if let target = earlier.target, target == later.target { return true }
    if isPassed(index) { return false }
    if !later.isReady, earlier.work == .preparing, earlier.isMedia == later.isMedia { return true }
    return switch policy {
    case .strict: true
    case .mediaLane: later.isMedia || !earlier.isOnItsWay
    case .free: false
    }
  }

  /// Whether the lane continues without an operation. This is also true for an action if the lane continues
  /// without an earlier action on the same message.
  private func isPassed(_ index: Int) -> Bool {
    let entry = entries[index]
    guard !entry.isPassed, let target = entry.target else { return entry.isPassed }
    return entries[..<index].contains { $0.target == target && $0.isPassed }
  }
}
