import SkeinStorage

/// Closes and reopens conversations. The contact of a closed conversation was removed, the group was left, the account was
/// removed from the group, or an invitation has ended.
struct ConversationEnds {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Closes a conversation at once: the conversation disappears from the list and from all counters.
  ///
  /// Waiting messages become failed, or uncertain if the server may have them. Waiting actions are undone. A
  /// queued leaving stays. A queued opening stays only if `keepsOpening` is true.
  ///
  /// Messages received later are stored but not shown, so that no message is missing when the conversation is
  /// reopened. If ``ChatOptions/keepRemovedFor`` is zero, the messages stored so far are removed at once.
  ///
  /// - Parameters:
  ///   - keepsOpening: whether a queued opening stays. It stays when a group is left, since the server must have the
  ///     group before the group can be left.
  ///   - reason: the reason that the failed messages state.
  func close(
    _ id: ConversationID, keepsOpening: Bool = false,
    because reason: String = "The recipient was removed from the contacts, or the group was left."
  ) throws {
    let failure = SendFailure(.recipientRemoved, reason)
    let operations = OperationEnds(work)
    for operation in try work.rows.operations(in: id) {
      switch operation.kind {
      case .open: if !keepsOpening { try work.end(operation.id) }
      case .leave: break
      case .hold: try work.end(operation.id)
      case .send, .resend, .forward:
        try operations.giveUp(operation.id, as: operation.mayHaveArrived ? .uncertain : .failed, failure)
      case .revise: try operations.giveUp(operation.id, as: .failed, failure)
      }
    }
    try work.change(id) { ($0.isClosed, $0.closed) = (true, work.store.clock.now) }
    if work.store.keepRemovedFor <= .zero { while try purge(id) == false {} }
  }

  /// Reopens a closed conversation.
  func reopen(_ id: ConversationID) throws {
    if let leaving = try work.rows.leaving(id) {
      try work.end(leaving.id)
      try stay(in: id)
      // The server may have processed the leaving already, so the account asks to come back. If it is not readmitted, a
      // sync that reports so closes the conversation. A pending invitation is opened once it is accepted.
      if leaving.outcomeIsUnknown, try work.row(of: id).invitation != .pending {
        try ConversationOpenings(work).queueOpening(of: id)
      }
    } else {
      // The server must learn that this account wants the conversation again.
      try ConversationOpenings(work).queueOpening(of: id)
    }
    try work.change(id) { $0.isClosed = false }
  }

  /// Closes a conversation that the account has left, or was removed from, on a server without a contact list. On every
  /// server, closes an invitation that was withdrawn or declined.
  func noteLeaving(_ ref: ConversationRef) throws {
    guard let row = try work.rows.conversation(named: ref) else { return }
    if row.invitation == nil, work.store.capabilities.contacts { return try noteDoubt(about: row) }
    if !row.isClosed, row.invitation != nil {
      try close(row.id, because: "The invitation to the conversation has ended.")
    } else if !row.isClosed {
      try close(row.id)
    } else if row.invitation == nil, let leaving = try work.rows.leaving(row.id), leaving.outcomeIsUnknown {
      // The server has processed the leaving of this device, whose answer is late or lost.
      try work.end(leaving.id)
    }
    if row.invitation != nil {
      // A later invitation needs another answer.
      if let declining = try work.rows.leaving(row.id) { try work.end(declining.id) }
      try endInvitation(row.id)
    }
    // This confirms a leaving of this device. If a sync reports the group from now on, the account has joined it again.
    if row.type == .group, !work.store.capabilities.contacts { try ContactRecords(work).restore(.group(ref)) }
  }

  /// Notes that this account may not be a member of a group any more: an invitation has ended that this device has not
  /// received. If the contact list never contained the group, its next whole version decides, see ``ContactBook``.
  private func noteDoubt(about row: ConversationRow) throws {
    guard row.type == .group, !row.isClosed, let ref = row.ref, try work.rows.contact(of: row) == nil else {
      return
    }
    try ContactRecords(work).noteRemoval(of: .group(ref))
  }

  /// Opens a closed conversation that a server without a contact list reports again. A group that this device has left
  /// stays closed until the server has confirmed it: a report that was requested before may be older.
  ///
  /// - Parameter requested: the change counter when the report was requested; nil if nobody requested it.
  func noteReturn(to id: ConversationID, requestedAt requested: Int64?) throws {
    let row = try work.row(of: id)
    guard row.isClosed, try work.rows.leaving(id) == nil else { return }
    if let contact = try work.rows.contact(of: row), contact.removed != nil {
      // The removal has the counter of the confirmation. The account has joined the group again since.
      guard let requested, contact.version <= requested else { return }
      try ContactRecords(work).restore(contact.id)
    }
    try work.change(id) { $0.isClosed = false }
  }

  /// Leaves a group, or declines an invitation, on this device at once, and queues the leaving for the server. Does
  /// nothing if the conversation is closed already.
  ///
  /// - Throws: ``ChatError`` if the conversation is neither a group nor an invitation.
  func leave(_ id: ConversationID) throws {
    let row = try work.row(of: id)
    guard row.type == .group || row.invitation != nil else {
      throw ChatError(.notPossibleNow, "Only a group can be left.")
    }
    guard !row.isClosed else { return }
    // A server that can't know of the acceptance never has to know. Another opening might join the group.
    if let invitation = row.invitation, let opening = try work.rows.opening(of: id),
      invitation == .pending || !opening.outcomeIsUnknown
    {
      try work.end(opening.id)
      try work.change(id) { $0.invitation = .pending }
    }
    try work.queue(
      OperationRow(
        id: work.makeOperationID(), conversation: id, kind: .leave, message: nil, parameters: nil,
        needsPreparation: false, attempts: 0, outcomeIsUnknown: false, queued: work.store.runtime.now()))
    if row.invitation == nil {
      try close(id, keepsOpening: true)
    } else {
      try close(id, keepsOpening: true, because: "The invitation to the conversation was declined.")
    }
    if let ref = row.ref, row.invitation == nil { try ContactRecords(work).noteRemoval(of: .group(ref)) }
  }

  /// Ends a leaving that the server has processed. Does nothing if the operation does not exist any more.
  func completeLeaving(_ operation: OperationID) throws {
    guard let row = try work.rows.find(OperationRow.self, operation) else { return }
    try work.end(operation)
    let left = try work.row(of: row.conversation)
    // An invitation that a sync lists from now on is a new one, or is listed as declined by the next sync.
    if left.invitation != nil { return try endInvitation(left.id) }
    guard left.type == .group, let ref = left.ref else { return }
    // Without a contact list, a sync may have confirmed the leaving before, and the account may have joined again since.
    if try !work.store.capabilities.contacts && work.rows.contact(of: left)?.removed == nil { return }
    try ContactRecords(work).noteRemoval(of: .group(ref))
  }

  /// Notes that a closed invitation can't be answered any more. Another chat may then be the chat with its user.
  private func endInvitation(_ id: ConversationID) throws {
    try work.change(id) { ($0.invitation, $0.peer) = (.pending, nil) }
    try work.save(id)
  }

  /// Restores a group that was to be left, or an invitation that was to be declined. Called when the leaving is given up,
  /// or when the user opens the conversation again. Does nothing for a group without a ref, since the server does not have
  /// such a group.
  func stay(in id: ConversationID) throws {
    let row = try work.row(of: id)
    guard let ref = row.ref else { return }
    try work.change(id) { $0.isClosed = false }
    // An invitation is not in the contact list.
    if row.invitation == nil { try ContactRecords(work).restore(.group(ref)) }
  }

  /// Removes up to 500 messages of a closed conversation, or all if the server has no positions. Once no message is left,
  /// also removes the conversation's draft, members, reply targets and absent messages.
  ///
  /// The conversation's row stays, so that the conversation remains closed. A conversation that was reopened
  /// meanwhile keeps its remaining messages.
  ///
  /// - Returns: false if messages may be left to remove: call this method again.
  func purge(_ id: ConversationID) throws -> Bool {
    // Without positions, later messages get places above those of all messages that are left, so none may be left.
    let limit = work.store.ordering == .arrival ? Int.max : 500
    guard try work.row(of: id).isClosed else { return true }
    for row in try work.rows.messages(of: id, limit: limit) {
      work.store.cleared.note(row)
      try work.delete(row)
    }
    // The conversation may be opened again before the next step. No range of it is complete any more.
    try work.changeSpans(of: id) { $0 = SpanMap(isDense: work.store.ordering == .dense) }
    if try work.rows.hasMessages(in: id) { return false }
    try work.change(id) { row in
      row.draft = nil
      // Later messages get places without regard to the removed ones. The times show which messages were cleared.
      guard work.store.ordering == .arrival else { return }
      (row.readMark, row.pendingReadMark) = (.lowest, nil)
      if row.clearedUpTo > .unplaced { row.clearedUpTo = Rank(earlier: 1) }
    }
    try work.note(.receipts, of: id)
    try work.note(.flags, of: id)
    try work.rows.deleteAttachedRows(of: id)
    return true
  }
}
