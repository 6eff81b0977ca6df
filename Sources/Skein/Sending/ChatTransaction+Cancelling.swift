import SkeinStorage

/// What became of a message that was to be taken back.
public enum CancelOutcome: Sendable, Hashable {
  /// The server does not have it and will not get it: it is gone from here, with all that was kept for it.
  case cancelled
  /// The server has it.
  case tooLate
  /// It may have arrived: it is not tried again and is shown as uncertain, until the attempt that is under way, or sync,
  /// tells, or its user decides. If that attempt surely did not bring it to the server, it is gone then as if cancelled.
  case unknown
}

extension ChatTransaction {
  /// Takes a message back that the server can't have, and stops trying one that it may have.
  func cancel(_ id: LocalMessageID) throws -> (outcome: CancelOutcome, message: MessageID) {
    var row = try rows.message(id)
    if row.status == .sent { return (.tooLate, row.messageID) }
    let operations = try rows.operations(of: id)
    if row.status == .uncertain { return (.unknown, row.messageID) }
    if let attempted = operations.first(where: \.mayHaveArrived) {
      let failure = SendFailure(.outcomeUnknown, "It was cancelled when it may have arrived already.")
      try giveUp(attempted.id, as: .uncertain, failure)
      return (.unknown, row.messageID)
    }
    for operation in operations { try end(operation.id) }
    try dropRevisions(of: &row)
    try failDependents(of: id, SendFailure(.cancelled, "The message that it depends on was cancelled."))
    try delete(row)
    if row.status != .failed { noteEnd(of: row, as: .cancelled) }
    return (.cancelled, row.messageID)
  }

  /// The first attempt at a message surely did not bring it to the server: where its user took it back meanwhile, it is gone,
  /// as they asked.
  ///
  /// - Returns: whether it is.
  func takeBack(_ id: LocalMessageID) throws -> Bool {
    guard var row = try rows.find(MessageRow.self, id), row.status == .uncertain,
      try rows.operations(of: id).isEmpty
    else { return false }
    // It was not its user who ended it where its conversation was closed: they find it among what failed.
    let isClosed = try conversation(row.conversation).isClosed
    if isClosed || row.failure?.code == .recipientRemoved { return false }
    try dropRevisions(of: &row)
    try delete(row)
    noteEnd(of: row, as: .cancelled)
    return true
  }
}
