extension Outbox {
  /// Merges the lanes of two conversations that turned out to be the same conversation. Running work
  /// continues.
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

  /// Changes the lane that now holds an operation. Does nothing and returns nil if no lane holds it.
  @discardableResult
  func changeLane<Result>(of operation: OperationID, _ body: (inout OutboxLane) -> Result?) -> Result? {
    guard let index = lanes.firstIndex(where: { $0.lane.holds(operation) }) else { return nil }
    return body(&lanes[index].lane)
  }

  /// Discards the data of an operation, unless a lane still holds it.
  func forget(_ operation: OperationID) {
    guard !lanes.contains(where: { $0.lane.holds(operation) }) else { return }
    fractions[operation] = nil
    reasons[operation] = nil
    firstAttempts[operation] = nil
  }

  /// Lets each lane continue without its operations that depend, directly or indirectly, on a parked or
  /// uncertain message. The message may be in any conversation. An uncertain message is in no lane, because
  /// it is not posted again automatically.
  func passStalled() {
    guard lanes.contains(where: { $0.lane.entries.contains { $0.dependsOn != nil } }) else { return }
    let entries = lanes.flatMap(\.lane.entries)
    var stalled = Set(entries.compactMap(\.dependsOn)).subtracting(entries.compactMap(\.message))
    // A dependent operation has a higher id than the operation that posts the message it depends on.
    for entry in entries.sorted(by: { $0.operation < $1.operation }) {
      guard entry.isParked || entry.dependsOn.map(stalled.contains) == true else { continue }
      if let message = entry.message { stalled.insert(message) }
    }
    for index in lanes.indices { lanes[index].lane.stalled(stalled) }
  }
}
