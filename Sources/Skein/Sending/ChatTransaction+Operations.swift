import SkeinStorage

/// The outbox's table: the lanes hear of every operation that comes, is to go at once, or goes.
extension ChatTransaction {
  func makeOperationID() -> OperationID {
    defer { account.nextOperation += 1 }
    return OperationID(rawValue: account.nextOperation)
  }

  func queue(_ operation: OperationRow) throws {
    try rows.insert(operation)
    queued.append(operation)
  }

  /// Takes an operation out of the outbox, however it ended.
  func end(_ operation: OperationID) throws {
    if try rows.delete(OperationRow.self, operation) { ended.append(operation) }
  }

  /// Takes out whatever would still post a message.
  func endOperations(of message: LocalMessageID) throws {
    for operation in try rows.operations(of: message) { try end(operation.id) }
  }
}

extension ReadTransaction {
  func operations(of message: LocalMessageID) throws -> [OperationRow] {
    try select(OperationRow.self, "WHERE message = ? ORDER BY id", message)
  }
}

extension OutboxLane.Entry {
  init(_ row: OperationRow) {
    self.init(
      row.id, message: row.message, isMedia: row.isMedia, isReady: !row.needsPreparation,
      isBarrier: row.kind == .open, dependsOn: row.dependsOn, isParked: row.isParked)
  }
}
