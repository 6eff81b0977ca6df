import SkeinStorage

extension ChatTransaction {
  /// The attempt failed for now: the message waits for the next one.
  func postpone(_ id: OperationID, outcomeIsUnknown: Bool?, patience: Patience? = nil) throws {
    guard var operation = try rows.find(OperationRow.self, id) else { return }
    operation.outcomeIsUnknown = outcomeIsUnknown ?? operation.outcomeIsUnknown
    operation.patience = patience ?? operation.patience
    _ = try rows.update(operation)
    guard let message = operation.message, var row = try rows.find(MessageRow.self, message),
      row.status == .sending
    else { return }
    row.status = .queued
    try update(row)
  }

  /// The server failed at the operation for too long: what is known of its last attempt decides how it ends.
  func runOut(_ id: OperationID, outcomeIsUnknown: Bool?) throws {
    guard var operation = try rows.find(OperationRow.self, id) else { return }
    operation.outcomeIsUnknown = outcomeIsUnknown ?? operation.outcomeIsUnknown
    let failure = SendFailure(.gaveUp, "The server failed at it for too long.")
    try giveUp(id, as: operation.message != nil && operation.mayHaveArrived ? .uncertain : .failed, failure)
  }

  /// The operation will not be tried again by itself; its message says why and stays where it was composed.
  func giveUp(_ id: OperationID, as status: MessageStatus, _ failure: SendFailure) throws {
    guard let operation = try rows.find(OperationRow.self, id) else { return }
    try end(id)
    if let message = operation.message {
      try fail(message, as: operation.kind == .resend ? .uncertain : status, failure)
    } else if operation.kind == .leave {
      try stay(in: operation.conversation)
    } else if operation.kind == .revise {
      try refuse(operation, failure)
    } else if let row = try rows.find(ConversationRow.self, operation.conversation), row.ref != nil {
      // What the server still has after it was set back it need not open again; this account may have been taken out of it.
      if row.type == .group, try rows.contact(of: row)?.removed != nil { try close(row.id) }
    } else {
      try change(operation.conversation) { $0.refusal = failure.message }
      // Nothing can be sent where there is no conversation.
      let blocked = try rows.select(
        OperationRow.self, "WHERE conversation = ? ORDER BY id", operation.conversation)
      let reason =
        failure.code == .refused ? SendFailure(.conversationRefused, failure.message) : failure
      for next in blocked { try giveUp(next.id, as: status, reason) }
    }
  }

  /// The sending of a message ends without the server; what the participants make of the reason is what is stored.
  func fail(_ id: LocalMessageID, as status: MessageStatus, _ failure: SendFailure) throws {
    guard var row = try rows.find(MessageRow.self, id), row.status != .sent else { return }
    // Of one that may have arrived they wait until that is known.
    if status == .failed, try foldRevisions(into: &row) {
      try delete(row)
      noteEnd(of: row, as: .cancelled)
      return try failDependents(of: id, failure)
    }
    row.status = status
    row.failure = failure
    let shown = store.participants.modify(
      failure, of: row.message(for: store.account, kinds: store.kinds))
    row.failure = shown
    try update(row)
    noteEnd(of: row, as: status == .failed ? .failed(shown) : .uncertain(shown))
    try failDependents(of: id, failure)
    if failure.code == .refused { try forgetUploads(of: row) }
  }

  /// A message that failed goes back to where it was composed, as soon as nothing waits any more that was composed before
  /// it: until then it stays among those. What is uncertain keeps nobody.
  func placeFailed(in conversation: ConversationID) throws {
    // Those that failed before anything was known of the chat get their place with the first that is.
    let unplaced = try rows.select(
      MessageRow.self, "WHERE conversation = ? AND rank = ? ORDER BY id", conversation, Rank.unplaced)
    for var row in unplaced {
      row.rank = try rows.rank(whereComposed: row)
      if row.rank != .unplaced { try update(row) }
    }
    var last = Rank.firstUnsent.predecessor
    while var row = try rows.first(
      MessageRow.self, "WHERE conversation = ? AND rank > ? ORDER BY rank, id LIMIT 1", conversation, last)
    {
      guard row.status == .failed || row.status == .uncertain else { return }
      last = row.rank
      guard row.status == .failed else { continue }
      row.rank = try rows.rank(whereComposed: row)
      try update(row)
    }
  }
}
