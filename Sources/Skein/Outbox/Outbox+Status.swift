import SkeinStorage

extension Outbox {
  /// An upload has come this far, from 0 to 1.
  func uploadProgressed(_ operation: OperationID, _ fraction: Double) {
    guard lanes.contains(where: { $0.lane.isPreparing(operation) }) else { return }
    changeLane(of: operation) { $0.advanced(operation, to: fraction) }
    fractions[operation] = max(fraction.clamped(to: 0...1), fractions[operation] ?? 0)
    publishStatus()
  }

  /// Says how everything stands. The lanes are values: what listeners hold stays as it was.
  func publishStatus() {
    revision += 1
    status.publish(
      OutboxStatus(
        lanes: lanes.map(\.lane), heldUntil: heldUntil, isSignedOut: isSignedOut, fractions: fractions,
        reasons: reasons, now: runtime.now(), uptime: runtime.uptime(), revision: revision))
  }

  /// One sentence for a person.
  static func reason(of error: any Error) -> String {
    let error = (error as? InconclusiveFailure)?.cause ?? error
    if error is StorageError || error is ChatError { return "The disk does not take it." }
    return BackendError(from: error).message
  }
}
