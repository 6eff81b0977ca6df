import SkeinStorage

/// What became of a message that was to be taken back.
public enum CancelOutcome: Sendable, Hashable {
  /// The server does not have it and will not get it: it is gone from here, with all that was kept for it.
  case cancelled
  /// The server has it.
  case tooLate
  /// It may have arrived: it is not tried again and is shown as uncertain, until sync brings it or its user decides.
  case unknown
}

extension ChatTransaction {
  /// Takes a message back that the server can't have, and stops trying one that it may have.
  func cancel(_ id: LocalMessageID) throws -> (outcome: CancelOutcome, message: MessageID) {
    guard let row = try rows.find(MessageRow.self, id) else {
      throw ChatError(.messageUnknown, "There is no such message in this database.")
    }
    if row.status == .sent { return (.tooLate, row.messageID) }
    let operations = try rows.operations(of: id)
    if row.status == .uncertain { return (.unknown, row.messageID) }
    if let attempted = operations.first(where: \.outcomeIsUnknown) {
      let failure = SendFailure(.outcomeUnknown, "It was cancelled when it may have arrived already.")
      try giveUp(attempted.id, as: .uncertain, failure)
      return (.unknown, row.messageID)
    }
    for operation in operations { try end(operation.id) }
    try failDependents(of: id, SendFailure(.cancelled, "The message that it depends on was cancelled."))
    try delete(row)
    return (.cancelled, row.messageID)
  }

  /// What waits for a message that will not be sent, fails for its reason.
  func failDependents(of message: LocalMessageID, _ failure: SendFailure) throws {
    let dependents = try rows.select(OperationRow.self, "WHERE depends_on = ? ORDER BY id", message)
    for operation in dependents { try giveUp(operation.id, as: .failed, failure) }
  }

  /// The server has a message: nothing is left to post of it, and what waits for it may go.
  func settle(_ message: LocalMessageID) throws {
    try endOperations(of: message)
    try rows.execute("UPDATE operation SET depends_on = NULL WHERE depends_on = ?", message)
  }
}
