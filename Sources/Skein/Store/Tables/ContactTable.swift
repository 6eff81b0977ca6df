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

  /// The open groups that the server has and whose contact this device has never received.
  func unlistedGroups() throws -> [Contact.ID] {
    let groups = try select(
      ConversationRow.self,
      "WHERE type = ? AND ref IS NOT NULL AND is_closed = 0 AND invitation IS NULL ORDER BY id",
      ConversationType.group)
    return try groups.compactMap { row in
      guard let ref = row.ref, try contact(of: row) == nil, try opening(of: row.id) == nil else { return nil }
      return .group(ref)
    }
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
    try row.contactID.flatMap { try find(ContactRow.self, $0) }
  }
}
