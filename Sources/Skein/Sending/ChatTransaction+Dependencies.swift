import SkeinStorage

/// One message on its way to one more conversation.
struct ForwardedCopy: Sendable {
  let source: LocalMessageID
  let conversation: ConversationID
  /// Whether it has a content of its own, and not its source's.
  let isReplaced: Bool
  let draft: Draft
}

extension ChatError {
  static let attachmentElsewhere = ChatError(
    .notPossibleNow, "An attachment of the message is not on the server.")
}

/// What waits for another message, in whatever conversation.
extension ChatTransaction {
  /// A message that others may wait for; nil for one that the server has already.
  func pending(_ target: LocalMessageID) throws -> MessageRow? {
    let row = try rows.message(target)
    switch row.status {
    case .sent: return nil
    case .queued, .sending: return row
    case .failed, .uncertain:
      throw ChatError(.notPossibleNow, "Nothing can follow a message that was not sent.")
    }
  }

  /// Copies a message to a conversation: its bytes where the server has it, and otherwise once it does; a content that it was
  /// replaced with goes as it is.
  func forward(_ copy: ForwardedCopy) throws -> MessageRow {
    _ = try rows.forwardable(copy.source)
    let isPending = try pending(copy.source) != nil
    var draft = copy.draft
    if !copy.isReplaced {
      let source = try rows.message(copy.source)
      let attachments = store.kinds.decode(source.kind, source.payload).attachments ?? []
      // A file that a stranger's message names is none of this device's that may be uploaded.
      guard isPending || attachments.allSatisfy({ $0.media != nil }) else {
        throw ChatError.attachmentElsewhere
      }
      draft.kind = source.kind
      draft.payload = source.payload
      draft.takesContent = isPending
    }
    return try compose(draft, in: copy.conversation, after: copy.source)
  }

  /// The server has a message: nothing is left to post of it, and what waits for it may go.
  func settle(_ message: MessageRow) throws {
    try endOperations(of: message.id)
    for var operation in try rows.dependents(of: message.id) {
      if operation.kind == .forward, message.isRecalled {
        try giveUp(operation.id, as: .failed, SendFailure(.cancelled, "The message was recalled."))
        continue
      }
      if operation.kind == .forward, let copy = operation.message,
        var row = try rows.find(MessageRow.self, copy)
      {
        row.kind = message.kind
        row.payload = message.payload
        try update(row)
      }
      operation.dependsOn = nil
      _ = try rows.update(operation)
    }
  }

  /// What waits for a message that does not go any more by itself fails for its reason, and holds up nothing.
  func failDependents(of message: LocalMessageID, _ failure: SendFailure) throws {
    for operation in try rows.dependents(of: message) where operation.kind != .revise {
      try giveUp(operation.id, as: .failed, failure)
    }
  }
}

extension ReadTransaction {
  fileprivate func dependents(of message: LocalMessageID) throws -> [OperationRow] {
    try select(OperationRow.self, "WHERE depends_on = ? ORDER BY id", message)
  }
}
