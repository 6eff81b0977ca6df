import SkeinStorage

/// Stores, accepts and declines invitations of this account.
///
/// An invitation is a conversation whose row has an ``InvitationState``. It has no unread messages, its history is not
/// requested, and nothing is sent to it before it is accepted. It is accepted by a queued opening, and declined by a
/// queued leaving.
struct Invitations {
  private let work: UnitOfWork
  private let openings: ConversationOpenings
  private let ends: ConversationEnds

  init(_ work: UnitOfWork) {
    self.work = work
    openings = ConversationOpenings(work)
    ends = ConversationEnds(work)
  }

  /// Stores the invitations of a batch. A batch from the beginning lists all of them: the others were withdrawn.
  func storeInvitations(of batch: SyncBatch) throws {
    let joined = Set(batch.conversations.map(\.info.ref))
    for invitation in batch.invitations where !joined.contains(invitation.info.ref) {
      try store(invitation, isNews: batch.from != nil)
    }
    guard batch.from == nil else { return }
    let listed = joined.union(batch.invitations.map(\.info.ref))
    for row in try work.rows.openInvitations() {
      // One that was accepted, here or on another device, may be among the conversations of the next batch.
      guard let ref = row.ref, !listed.contains(ref) else { continue }
      let isWaited = try row.invitation == .accepted || work.rows.hasWaitingMessages(in: row.id)
      if !isWaited || !batch.hasMore {
        try ends.noteLeaving(ref)
      } else if row.invitation == .accepted {
        // If no batch contains it, the server refuses this acceptance.
        try openings.queueOpening(of: row.id)
      }
    }
  }

  /// Stores an invitation, unless it was accepted or declined here: this report is then older than the answer. The
  /// waiting operations of a former member wait for the answer.
  ///
  /// - Parameter isNews: whether an invitation that was not stored before is new.
  private func store(_ invitation: ConversationInvitation, isNews: Bool) throws {
    let known = try work.rows.conversation(named: invitation.info.ref)
    if let known, try work.rows.leaving(known.id) != nil { return }
    if let known, known.invitation == .accepted {
      // Does nothing while the acceptance is queued. Otherwise see `noteAcceptance(of:)`.
      return try openings.queueOpening(of: known.id)
    }
    let id = try ConversationBook(work).findOrCreate(invitation.info, isInvitation: true)
    let before = try work.row(of: id)
    if isNews, before.invitation == nil || before.isClosed { try work.noteInvitation(to: id) }
    try work.change(id) { row in
      if row.invitation == nil || row.isClosed { row.lastActivity = work.store.clock.now }
      (row.invitation, row.inviter) = (.pending, invitation.inviter)
      (row.isClosed, row.isHidden) = (false, false)
    }
    try holdWaitingMessages(of: id)
  }

  /// Lets the waiting operations of a former member wait until the invitation is accepted.
  func holdWaitingMessages(of id: ConversationID) throws {
    if try work.rows.hasWaitingMessages(in: id) { try openings.hold(id) }
  }

  /// Accepts an invitation here at once, and queues the opening of its conversation. Takes a declining back that the
  /// server has not confirmed.
  ///
  /// - Throws: ``ChatError`` if the account is not invited.
  func accept(_ id: ConversationID) throws {
    let row = try invited(id)
    if row.isClosed { try ends.reopen(id) }
    guard row.invitation == .pending else { return }
    try work.change(id) { ($0.invitation, $0.refusal) = (.accepted, nil) }
    try openings.release(id)
    // Another opening, as after a change of the epoch, would find the group without joining it.
    try openings.endOpening(of: id)
    try openings.queueOpening(of: id)
  }

  /// Declines an invitation here at once, and queues the leaving of its conversation.
  ///
  /// - Throws: ``ChatError`` if the account is not invited.
  func decline(_ id: ConversationID) throws {
    _ = try invited(id)
    try ends.leave(id)
  }

  /// Returns an invitation that waits for an answer, or for the server's confirmation of an answer.
  private func invited(_ id: ConversationID) throws -> ConversationRow {
    let row = try work.row(of: id)
    guard row.invitation != nil, try work.rows.leaving(id) != nil || !row.isClosed else {
      throw ChatError(.notPossibleNow, "This account is not invited to the conversation.")
    }
    return row
  }

  /// Notes that the server has accepted the answer to an invitation: the account is a member.
  ///
  /// Without a cursor, a sync from the beginning may be under way that still lists the invitation. The conversation then
  /// counts as an accepted invitation until a sync returns it.
  func noteAcceptance(of id: ConversationID) throws {
    guard try work.row(of: id).invitation != nil, work.account.cursor == nil else {
      return try noteJoining(of: id)
    }
    try openings.release(id)
    try work.change(id) { ($0.invitation, $0.refusal) = (.accepted, nil) }
  }

  /// Notes that the account is a member of a conversation: an invitation was accepted, here or on another device, or the
  /// account was added after its end. A declining of this device that the server has not processed is dropped, unless the
  /// invitation was accepted here before.
  func noteJoining(of id: ConversationID) throws {
    let row = try work.row(of: id)
    guard let invitation = row.invitation else { return }
    try openings.endOpening(of: id)
    try openings.release(id)
    let declining = try invitation == .pending ? work.rows.leaving(id) : nil
    if let declining { try work.end(declining.id) }
    try work.change(id) { row in
      (row.invitation, row.inviter, row.refusal) = (nil, nil, nil)
      if invitation == .pending { row.isClosed = false }
    }
    guard let ref = row.ref, row.type == .group else { return }
    if work.store.capabilities.contacts {
      // The contact list may have contained the group while its invitation was declined.
      if declining != nil { try ContactRecords(work).restore(.group(ref)) }
      return
    }
    // Without a contact list, this ends an earlier leaving of the group. A leaving that still waits comes after it.
    if try work.rows.leaving(id) == nil {
      try ContactRecords(work).restore(.group(ref))
    } else {
      try ContactRecords(work).noteRemoval(of: .group(ref))
    }
  }
}
