import SkeinStorage

/// Queries of the contact list's table.
extension ReadTransaction {
  func contacts() throws -> [ContactRow] { try select(ContactRow.self, "WHERE removed IS NULL ORDER BY id") }

  func removedContacts() throws -> [ContactRow] {
    try select(ContactRow.self, "WHERE removed IS NOT NULL ORDER BY id")
  }

  func contacts(changedAfter version: Int64) throws -> [ContactRow] {
    try select(ContactRow.self, "WHERE version > ? ORDER BY version, id", version)
  }

  /// The conversation of a contact; nil if no such conversation is stored here.
  func conversation(of contact: Contact.ID) throws -> ConversationRow? {
    switch contact {
    case .user(let peer): try direct(with: peer)
    case .group(let ref): try conversation(named: ref)
    }
  }

  /// The row of a conversation's contact, also of a removed contact; nil if there is none.
  func contact(of row: ConversationRow) throws -> ContactRow? {
    switch row.type {
    case .direct: try row.peer.flatMap { try find(ContactRow.self, Contact.ID.user($0)) }
    case .group: try row.ref.flatMap { try find(ContactRow.self, Contact.ID.group($0)) }
    case .temporary: nil
    }
  }
}
