extension Outbox {
  /// Two conversations turned out to be one, and so are their lanes; what is under way goes on.
  func mergeLane(of other: ConversationID, into conversation: ConversationID) {
    guard let index = lanes.firstIndex(where: { $0.conversation == other }) else { return }
    let lane = lanes.remove(at: index).lane
    changeLane(of: conversation) { $0.merge(lane) }
  }

  func changeLane(of conversation: ConversationID, _ body: (inout OutboxLane) -> Void) {
    if let index = lanes.firstIndex(where: { $0.conversation == conversation }) {
      body(&lanes[index].lane)
    } else {
      var lane = OutboxLane(policy)
      body(&lane)
      lanes.append((conversation, lane))
    }
  }

  /// Changes the lane that an operation is in by now; nil for an operation that is gone.
  @discardableResult
  func changeLane<Result>(of operation: OperationID, _ body: (inout OutboxLane) -> Result?) -> Result? {
    guard let index = lanes.firstIndex(where: { $0.lane.holds(operation) }) else { return nil }
    return body(&lanes[index].lane)
  }

  /// Keeps nothing about an operation that is in no lane any more.
  func forget(_ operation: OperationID) {
    guard !lanes.contains(where: { $0.lane.holds(operation) }) else { return }
    fractions[operation] = nil
    reasons[operation] = nil
    firstAttempts[operation] = nil
  }

  /// What waits for a parked message, in whatever chat, or for one that waits for such a one, holds up its own chat as
  /// little as that; so does what waits for one that nothing will post, as it may have arrived.
  func passStalled() {
    guard lanes.contains(where: { $0.lane.entries.contains { $0.dependsOn != nil } }) else { return }
    let entries = lanes.flatMap(\.lane.entries)
    var stalled = Set(entries.compactMap(\.dependsOn)).subtracting(entries.compactMap(\.message))
    // Whatever waits for a message was stored after it.
    for entry in entries.sorted(by: { $0.operation < $1.operation }) {
      guard entry.isParked || entry.dependsOn.map(stalled.contains) == true else { continue }
      if let message = entry.message { stalled.insert(message) }
    }
    for index in lanes.indices { lanes[index].lane.stalled(stalled) }
  }
}
