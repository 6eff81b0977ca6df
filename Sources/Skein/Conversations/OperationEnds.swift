import SkeinStorage

/// Ends operations that will not be retried, and the operations that depend on the ended operations. If a
/// message becomes uncertain, the actions on the message stay queued.
struct OperationEnds {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Gives up an operation. Does nothing if the operation does not exist any more. The effect depends on the
  /// operation:
  ///
  /// - A message to post becomes failed or uncertain. A failed message whose recall is waiting is removed.
  /// - An action is undone.
  /// - A group that was to be left is restored, and so is an invitation that was accepted or declined.
  /// - If a conversation without a ref was to be opened, or an invitation was accepted, the messages and actions that wait
  ///   for it are given up too.
  func giveUp(_ id: OperationID, as status: MessageStatus, _ failure: SendFailure) throws {
    guard let operation = try work.rows.find(OperationRow.self, id) else { return }
    switch operation.kind {
    case .send, .resend, .forward: try MessageEnds(work).giveUp(operation, as: status, failure)
    case .revise:
      try work.end(id)
      try MessageActions(work).refuse(operation, failure)
    case .leave:
      try work.end(id)
      try ConversationEnds(work).stay(in: operation.conversation)
      try work.change(operation.conversation) { if $0.invitation != nil { $0.refusal = failure.message } }
    case .hold: try work.end(id)
    case .open:
      try work.end(id)
      try giveUpOpening(of: operation.conversation, as: status, failure)
    }
  }

  private func giveUpOpening(of id: ConversationID, as status: MessageStatus, _ failure: SendFailure) throws {
    let row = try work.row(of: id)
    if row.ref != nil, row.invitation == nil {
      // The conversation was to be opened again. The conversation has a ref, so the server is assumed to have
      // it. A group that was removed from the contacts is closed, since this account may have been removed
      // from the group.
      if row.type == .group, try work.rows.contact(of: row)?.removed != nil {
        try ConversationEnds(work).close(row.id)
      }
      return
    }
    try work.change(id) {
      $0.refusal = failure.message
      if row.invitation != nil { $0.invitation = .pending }
    }
    // Nothing can be sent without the conversation.
    let reason = failure.code == .refused ? SendFailure(.conversationRefused, failure.message) : failure
    for blocked in try work.rows.operations(in: id) {
      // An invitation that can't be accepted can still be declined.
      if blocked.kind == .leave, row.invitation != nil { continue }
      // Actions on an uncertain message wait until its outcome is known.
      if let target = blocked.target, try work.rows.find(MessageRow.self, target)?.status == .uncertain {
        continue
      }
      try giveUp(blocked.id, as: blocked.mayHaveArrived ? .uncertain : status, reason)
    }
  }
}
