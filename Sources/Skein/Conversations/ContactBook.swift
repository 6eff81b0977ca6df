import SkeinStorage

/// The result of applying a contact diff.
enum ContactIntake: Sendable {
  case applied
  /// The diff is not the whole list, and can't be applied. There are two possible reasons: the whole list was
  /// requested, or the diff does not continue from the stored version.
  case notNext
  /// The diff removes more than half of the contacts, so the whole list must be fetched first.
  case doubted
}

/// Applies changes of the contact list.
struct ContactBook {
  private let work: UnitOfWork
  private let records: ContactRecords

  init(_ work: UnitOfWork) {
    self.work = work
    records = ContactRecords(work)
  }

  /// Applies a contact diff completely, or not at all.
  ///
  /// - Parameters:
  ///   - isConfirmed: whether an earlier diff was not applied, and this diff was then requested as the whole list.
  ///   - unlisted: the groups that the server had at the request and that no list has contained. This account has left
  ///     those that a whole list does not contain either.
  func apply(_ delta: ContactDelta, isConfirmed: Bool, unlisted: [Contact.ID] = []) throws -> ContactIntake {
    guard delta.isFull || (delta.from == work.account.contactVersion && !isConfirmed) else { return .notNext }
    let stored = try work.rows.contacts().map(\.id)
    let present = Set(delta.changed.map(\.id))
    let gone = try (delta.removed + (delta.isFull ? stored + reopened() + unlisted : [])).filter {
      !present.contains($0)
    }
    let lost = Set(gone).intersection(stored).count
    guard isConfirmed || lost * 2 <= stored.count else { return .doubted }
    for contact in delta.changed { try store(contact) }
    for id in gone { try remove(id) }
    work.account.contactVersion = delta.next
    return .applied
  }

  /// The removed contacts whose conversations were opened again after the removal, here and on the server.
  private func reopened() throws -> [Contact.ID] {
    try work.rows.removedContacts().map(\.id).filter { id in
      guard let conversation = try work.rows.conversation(of: id), !conversation.isClosed,
        conversation.ref != nil
      else { return false }
      return try work.rows.opening(of: conversation.id) == nil
    }
  }

  private func store(_ contact: Contact) throws {
    let known = try work.rows.find(ContactRow.self, contact.id)
    let conversation = try work.rows.conversation(of: contact.id)
    var row = ContactRow(contact)
    row.version = known?.version ?? 0
    if let conversation, try work.rows.leaving(conversation.id) != nil {
      // The server has not processed the leaving of the group yet, so the server's contact list is out of date. If the
      // leaving is dropped since another device has accepted the invitation, the contact is restored.
      if let known, known.removed == nil { return }
      row.removed = known?.removed ?? work.store.clock.now
      if row != known { try records.save(row) }
      return
    }
    guard row != known else { return }
    try records.save(row)
    work.contactChanges.changed.append(contact)
    guard let conversation else { return }
    // A group that was closed under an earlier ref has no contact under its present one. An invitation that has ended is
    // opened by the sync that lists the conversation.
    let isBack = known.map { $0.removed != nil } ?? true
    if isBack, conversation.invitation == nil {
      try work.change(conversation.id) { $0.isClosed = false }
    }
    if let settings = contact.settings, settings != known?.settings {
      try work.change(conversation.id) { $0.adopt(settings, except: work.store.capabilities.settings) }
    }
  }

  /// Removes a contact, and closes the contact's conversation. The conversation stays open if the server may
  /// not have the conversation.
  private func remove(_ id: Contact.ID) throws {
    try records.noteRemoval(of: id)
    guard let conversation = try work.rows.conversation(of: id), !conversation.isClosed else { return }
    // The account was removed, and invited again.
    if conversation.invitation != nil { return }
    // A conversation with a queued opening stays open. A chat that a restored server may have lost stays open
    // too: the next message to the chat creates the chat again.
    let mayBeLost = conversation.type == .direct && conversation.ref == nil
    if try mayBeLost || work.rows.opening(of: conversation.id) != nil { return }
    try ConversationEnds(work).close(conversation.id)
  }
}
