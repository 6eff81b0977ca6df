import SkeinStorage

extension OperationRow {
  var patience: Patience {
    get { Patience(failures: failures, isParked: isParked, waited: .milliseconds(waited)) }
    set {
      failures = newValue.failures
      isParked = newValue.isParked
      waited = newValue.waited.milliseconds
    }
  }
}

extension OutboxLane.Entry {
  init(_ row: OperationRow) {
    self.init(
      row.id, message: row.message, isMedia: row.isMedia, isReady: !row.needsPreparation,
      isBarrier: row.kind == .open || row.kind == .hold, isHold: row.kind == .hold,
      dependsOn: row.dependsOn,
      target: row.action?.action == .recall ? nil : row.target, patience: row.patience,
      posts: row.attempts > 0 || row.mayHaveArrived ? .alone : .none)
  }
}
