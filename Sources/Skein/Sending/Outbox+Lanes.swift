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
}
