import SkeinStorage

/// What one transaction changed in the contact list.
struct ContactChanges: Sendable {
  var changed: [Contact] = []
  var removed: [Contact.ID] = []
  var isEmpty: Bool { changed.isEmpty && removed.isEmpty }
}

/// What became of a contact diff.
enum ContactIntake: Sendable {
  case taken
  /// It does not go on from the stored version.
  case notNext
  /// It takes away so much that it is to be asked again.
  case doubted
}

extension ChatTransaction {
  /// Takes in what happened to the contact list, all of it or nothing.
  ///
  /// - Parameter isConfirmed: whether it is the whole list, asked for because the answer before took more than half away or did
  ///   not go on from what is stored.
  func take(_ delta: ContactDelta, isConfirmed: Bool) throws -> ContactIntake {
    if let epoch = delta.epoch, epoch != account.epoch { try begin(epoch) }
    guard delta.isFull || (delta.from == account.contactVersion && !isConfirmed) else { return .notNext }
    let stored = try rows.select(ContactRow.self, "WHERE removed IS NULL ORDER BY id").map(\.id)
    let present = Set(delta.changed.map(\.id))
    let gone = try (delta.isFull ? stored + reopened() : delta.removed).filter { !present.contains($0) }
    let lost = Set(gone).intersection(stored).count
    guard isConfirmed || lost * 2 <= stored.count else { return .doubted }
    for contact in delta.changed { try take(contact) }
    for id in gone { try removeContact(id) }
    account.contactVersion = delta.next
    return .taken
  }

  /// Contacts that were removed, and with whom a chat was opened again since, as the server knows.
  private func reopened() throws -> [Contact.ID] {
    try rows.select(ContactRow.self, "WHERE removed IS NOT NULL ORDER BY id").map(\.id).filter { id in
      guard let conversation = try rows.conversation(of: id), !conversation.isClosed,
        conversation.ref != nil
      else { return false }
      return try rows.opening(of: conversation.id) == nil
    }
  }

  private func take(_ contact: Contact) throws {
    let known = try rows.find(ContactRow.self, contact.id)
    let conversation = try rows.conversation(of: contact.id)
    // The server does not know yet that the group was left: what it says is older.
    if let conversation, try rows.leaving(conversation.id) != nil { return }
    var row = ContactRow(contact)
    row.version = known?.version ?? 0
    guard row != known else { return }
    try upsert(row)
    contactChanges.changed.append(contact)
    guard let conversation else { return }
    if known?.removed != nil { try change(conversation.id) { $0.isClosed = false } }
    if let settings = contact.settings, settings != known?.settings {
      try change(conversation.id) { $0.take(settings) }
    }
  }

  /// A contact is no more, and its conversation with it.
  private func removeContact(_ id: Contact.ID) throws {
    try noteRemoval(of: id)
    guard let conversation = try rows.conversation(of: id), !conversation.isClosed else { return }
    // A server that was set back may have lost it: it is made anew for what waits, or once something is written to it.
    let mayBeLost = conversation.type == .direct && conversation.ref == nil
    if try mayBeLost || rows.opening(of: conversation.id) != nil { return }
    try close(conversation.id)
  }

  /// Takes a contact off the list, and remembers that it was removed.
  func noteRemoval(of id: Contact.ID) throws {
    let time = store.clock.now
    let known = try rows.find(ContactRow.self, id)
    if known != nil, known?.removed == nil { contactChanges.removed.append(id) }
    var row = known ?? ContactRow(removed: id, at: time)
    row.removed = time
    try upsert(row)
  }

  /// Stores a contact's new values under the next version.
  func upsert(_ row: ContactRow) throws {
    var row = row
    row.version = nextVersion
    try rows.upsert(row)
  }

  /// A conversation that has just been made is treated as the contact list says.
  func applyContact(to id: ConversationID) throws {
    guard let contact = try rows.contact(of: try conversation(id)) else { return }
    try change(id) { row in
      row.isClosed = contact.removed != nil
      if let settings = contact.settings { row.take(settings) }
    }
  }
}

extension ConversationRow {
  fileprivate mutating func take(_ settings: ContactSettings) {
    isMuted = settings.isMuted
    isPinned = settings.isPinned
  }
}
