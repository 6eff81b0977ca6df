import SkeinStorage

/// What waits for another message, in whatever conversation.
extension ChatTransaction {
  /// A message that others may wait for; nil for one that the server has already.
  func pending(_ target: LocalMessageID) throws -> MessageRow? {
    guard let row = try rows.find(MessageRow.self, target) else {
      throw ChatError(.messageUnknown, "There is no such message in this database.")
    }
    switch row.status {
    case .sent: return nil
    case .queued, .sending: return row
    case .failed, .uncertain:
      throw ChatError(.notPossibleNow, "Nothing can follow a message that was not sent.")
    }
  }

  /// Copies messages to conversations: the bytes of those that the server has, and of the others once it does.
  func forward(_ messages: [LocalMessageID], to conversations: [ConversationID]) throws -> [MessageRow] {
    try conversations.flatMap { conversation in
      try messages.map { try forward($0, to: conversation) }
    }
  }

  private func forward(_ id: LocalMessageID, to conversation: ConversationID) throws -> MessageRow {
    let isPending = try pending(id) != nil
    guard let source = try rows.find(MessageRow.self, id) else {
      throw ChatError(.messageUnknown, "There is no such message in this database.")
    }
    let attachments = store.kinds.decode(source.kind, source.payload).attachments ?? []
    // A file that a stranger's message names is none of this device's that may be uploaded.
    guard isPending || attachments.allSatisfy({ $0.media != nil }) else {
      throw ChatError(.notPossibleNow, "An attachment of the message is not on the server.")
    }
    let draft = Draft(
      messageID: MessageID(rawValue: store.runtime.makeIdentifier()), kind: source.kind,
      payload: source.payload, needsPreparation: false, isMedia: !attachments.isEmpty,
      takesContent: isPending)
    return try compose(draft, in: conversation, after: id)
  }

  /// The server has a message: nothing is left to post of it, and what waits for it may go.
  func settle(_ message: MessageRow) throws {
    try endOperations(of: message.id)
    for var operation in try rows.dependents(of: message.id) {
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

  /// What waits for a message goes behind its new place: an operation waits for older ones alone, so that no two wait for
  /// each other.
  func requeueDependents(of message: LocalMessageID) throws {
    for var operation in try rows.dependents(of: message) {
      guard let waiting = operation.message, var row = try rows.find(MessageRow.self, waiting) else {
        continue
      }
      try end(operation.id)
      operation.id = makeOperationID()
      try queue(operation)
      row.rank = Rank(unsent: operation.id)
      try update(row)
      try requeueDependents(of: waiting)
    }
  }

  /// What waits for a message that will not be sent, fails for its reason.
  func failDependents(of message: LocalMessageID, _ failure: SendFailure) throws {
    for operation in try rows.dependents(of: message) { try giveUp(operation.id, as: .failed, failure) }
  }
}

extension ReadTransaction {
  fileprivate func dependents(of message: LocalMessageID) throws -> [OperationRow] {
    try select(OperationRow.self, "WHERE depends_on = ? ORDER BY id", message)
  }
}
