import SkeinStorage

/// How conversations end: their contact was removed, or their group left.
extension ChatTransaction {
  /// Closes a conversation at once: it leaves the list and all counters, and what was to be sent to it fails.
  ///
  /// What still comes for it is stored and seen by nobody, so that nothing is missing should it be opened again.
  /// - Parameter keepsOpening: whether the server is still to make it, since it must be there to be left.
  func close(_ id: ConversationID, keepsOpening: Bool = false) throws {
    let failure = SendFailure(.recipientRemoved, "Who it was for is not among the contacts any more.")
    for operation in try rows.select(OperationRow.self, "WHERE conversation = ? ORDER BY id", id) {
      switch operation.kind {
      case .open: if !keepsOpening { try end(operation.id) }
      case .leave: break
      case .send, .resend, .forward:
        try giveUp(operation.id, as: operation.mayHaveArrived ? .uncertain : .failed, failure)
      case .revise: try giveUp(operation.id, as: .failed, failure)
      }
    }
    try change(id) { $0.isClosed = true }
    if store.keepRemovedFor <= .zero { while try purge(id) == false {} }
  }

  /// Opens a closed conversation again.
  func reopen(_ id: ConversationID) throws {
    if let leaving = try rows.leaving(id) {
      // Where the server has heard of it all the same, its contact list will say so.
      try end(leaving.id)
      try stay(in: id)
    } else {
      // The server is to hear that they are in touch again.
      try queueOpening(of: id)
    }
    try change(id) { $0.isClosed = false }
  }

  /// Leaves a group here at once, and has the outbox tell the server.
  func leave(_ id: ConversationID) throws {
    let row = try conversation(id)
    guard row.type == .group else { throw ChatError(.notPossibleNow, "Only a group can be left.") }
    guard !row.isClosed else { return }
    try queue(
      OperationRow(
        id: makeOperationID(), conversation: id, kind: .leave, message: nil, parameters: nil,
        needsPreparation: false, attempts: 0, outcomeIsUnknown: false, queued: store.runtime.now()))
    try close(id, keepsOpening: true)
    if let ref = row.ref { try noteRemoval(of: .group(ref)) }
  }

  /// The server knows that a group was left.
  func left(_ operation: OperationID) throws {
    guard let row = try rows.find(OperationRow.self, operation) else { return }
    try end(operation)
    if let ref = try conversation(row.conversation).ref { try noteRemoval(of: .group(ref)) }
  }

  /// The server does not let this account leave: the group is back.
  func stay(in id: ConversationID) throws {
    guard let ref = try conversation(id).ref else { return }
    try change(id) { $0.isClosed = false }
    guard var contact = try rows.find(ContactRow.self, Contact.ID.group(ref)) else { return }
    // The contact list never held it.
    if contact.name.isEmpty { return _ = try rows.delete(ContactRow.self, contact.id) }
    contact.removed = nil
    try upsert(contact)
    contactChanges.changed.append(contact.contact)
  }

  /// Takes up to 500 messages of a closed conversation away, and in the end all else that was kept of it; its row stays,
  /// so that it stays closed. One that was opened again meanwhile keeps what is left.
  ///
  /// - Returns: whether that was all.
  func purge(_ id: ConversationID) throws -> Bool {
    guard try conversation(id).isClosed else { return true }
    let doomed = try rows.select(
      MessageRow.self, "WHERE conversation = ? ORDER BY rank, id LIMIT 500", id)
    for row in doomed {
      store.cleared.note(row)
      try delete(row)
    }
    guard doomed.count < 500 else { return false }
    try changeSpans(of: id) { $0 = SpanMap(isDense: store.ordering == .dense) }
    try change(id) { $0.draft = nil }
    try noteReceiptsOrPins(of: id)
    for table in ["member", "revised", "reply"] {
      try rows.execute("DELETE FROM \(table) WHERE conversation = ?", id)
    }
    return true
  }
}

extension ReadTransaction {
  /// What is to tell the server that a group was left, until the server knows.
  func leaving(_ id: ConversationID) throws -> OperationRow? {
    try first(OperationRow.self, "WHERE conversation = ? AND kind = ?", id, OperationRow.Kind.leave)
  }

  /// Closed conversations that still hold messages, and whose contacts were removed before a time.
  func conversationsToPurge(removedBefore time: Timestamp) throws -> [ConversationID] {
    let closed = try select(
      ConversationRow.self,
      """
      WHERE is_closed = 1 AND EXISTS (SELECT 1 FROM message WHERE message.conversation = conversation.id)
      ORDER BY id
      """)
    return try closed.filter { try contact(of: $0)?.removed.map { $0 <= time } ?? false }.map(\.id)
  }
}
