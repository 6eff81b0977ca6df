extension Outbox {
  /// Discards the data of an operation, unless a lane still holds it.
  func forget(_ operation: OperationID) {
    guard !lanes.holds(operation) else { return }
    fractions[operation] = nil
    reasons[operation] = nil
    firstAttempts[operation] = nil
  }

  /// Lets each lane continue without its operations that depend, directly or indirectly, on a message that
  /// is parked, is uncertain, or waits for the answer to an invitation. The message may be in any
  /// conversation. An uncertain message is in no lane, because it is not posted again automatically.
  func passStalled() {
    guard lanes.hasDependents else { return }
    let entries = lanes.all.flatMap(\.entries)
    var stalled = Set(entries.compactMap(\.dependsOn)).subtracting(entries.compactMap(\.message))
    for lane in lanes.all where lane.entries.contains(where: \.isHold) {
      stalled.formUnion(lane.entries.compactMap(\.message))
    }
    // A dependent operation has a higher id than the operation that posts the message it depends on.
    for entry in entries.sorted(by: { $0.operation < $1.operation }) {
      guard entry.isParked || entry.dependsOn.map(stalled.contains) == true else { continue }
      if let message = entry.message { stalled.insert(message) }
    }
    lanes.changeAll { $0.stalled(stalled) }
  }
}
