extension Outbox {
  /// Notes an upload's progress, from 0 to 1.
  func uploadProgressed(_ operation: OperationID, _ fraction: Double) {
    guard lanes.isPreparing(operation) else { return }
    lanes.change(of: operation) { $0.advanced(operation, to: fraction) }
    fractions[operation] = max(fraction.clamped(to: 0...1), fractions[operation] ?? 0)
    publishStatus()
  }

  /// Publishes the current status. Lanes are values, so earlier statuses do not change.
  func publishStatus() {
    revision += 1
    status.publish(
      OutboxStatus(
        lanes: lanes.all, heldUntil: heldUntil, isSignedOut: isSignedOut, fractions: fractions,
        reasons: reasons, now: runtime.now(), uptime: runtime.uptime(), revision: revision))
  }
}
