import SkeinStorage

/// Stores the rows of contacts, notes the changes for the contact list, and applies stored settings to conversations.
struct ContactRecords {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// Stores a contact's row with ``UnitOfWork/nextVersion``.
  func save(_ row: ContactRow) throws {
    var row = row
    row.version = work.nextVersion
    try work.rows.upsert(row)
  }

  /// Removes a contact from the list. The contact's row stays and records the time of the removal.
  func noteRemoval(of id: Contact.ID) throws {
    let time = work.store.clock.now
    let known = try work.rows.find(ContactRow.self, id)
    if known != nil, known?.removed == nil { work.contactChanges.removed.append(id) }
    var row = known ?? ContactRow(removed: id, at: time)
    row.removed = time
    try save(row)
  }

  /// Restores a removed contact to the list, if the list ever contained the contact.
  func restore(_ id: Contact.ID) throws {
    guard var contact = try work.rows.find(ContactRow.self, id) else { return }
    // The contact list never contained this contact: the row only records a removal.
    if contact.name.isEmpty { return _ = try work.rows.delete(ContactRow.self, contact.id) }
    contact.removed = nil
    try save(contact)
    work.contactChanges.changed.append(contact.contact)
  }

  /// Applies the settings of a stored contact to a conversation that has just become the contact's conversation.
  func applySettings(to id: ConversationID) throws {
    guard let settings = try work.rows.contact(of: work.row(of: id))?.settings else { return }
    try work.change(id) { $0.adopt(stored: settings, except: work.store.capabilities.settings) }
  }
}
