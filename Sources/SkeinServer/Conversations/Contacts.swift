import SkeinStorage
import SkeinWire

extension WriteTransaction {
  /// Adds a contact to a user's list, or restores a removed contact.
  ///
  /// - Returns: whether the list has changed.
  @discardableResult
  func addContact(_ id: ContactID, of user: Wire.UserID) throws -> Bool {
    let known = try find(StoredContact.self, user, id)
    guard known?.isRemoved ?? true else { return false }
    let change = try nextChange()
    var row =
      known
      ?? StoredContact(
        user: user, id: id, remark: nil, isMuted: false, isPinned: false, isRemoved: false, change: change,
        backSince: 0)
    row.change = change
    if row.isRemoved { row.backSince = change }
    row.isRemoved = false
    try upsert(row)
    try markChanged(conversationWith: id, of: user, change)
    return true
  }

  /// Removes a contact from a user's list.
  ///
  /// - Returns: whether the list has changed.
  func removeContact(_ id: ContactID, of user: Wire.UserID) throws -> Bool {
    guard var row = try find(StoredContact.self, user, id), !row.isRemoved else { return false }
    row.isRemoved = true
    row.change = try nextChange()
    return try update(row)
  }

  /// Adds the contact of a conversation to the lists of these members. The contact is the other user of a
  /// direct conversation, or the group.
  ///
  /// - Returns: whether a list has changed.
  func addContacts(of conversation: Wire.Conversation, to users: [Wire.UserID]) throws -> Bool {
    var hasChanged = false
    for user in users {
      let contacts: [ContactID] =
        conversation.kind == .direct
        ? conversation.members.filter { $0 != user }.map { .user($0) }
        : ConversationID(conversation.id).map { [.group($0)] } ?? []
      for contact in contacts where try addContact(contact, of: user) { hasChanged = true }
    }
    return hasChanged
  }

  /// Includes the direct conversation with an added or restored contact in the user's next sync. Does nothing
  /// if the contact is a group, or if there is no direct conversation.
  private func markChanged(
    conversationWith id: ContactID, of user: Wire.UserID, _ change: Int64
  ) throws {
    guard case .user(let peer) = id, peer != user else { return }
    let pair = try ConversationPlan(.direct(peer: peer), by: user)
    guard let row = try first(StoredConversation.self, "WHERE alias = ?", pair.alias) else { return }
    try execute("UPDATE member SET change = ? WHERE user = ? AND conversation = ?", change, user, row.id)
  }
}

extension ReadTransaction {
  /// Returns the contact as the owner of the list sees it; nil if its user or group no longer exists.
  func wire(_ row: StoredContact) throws -> Wire.Contact? {
    let kind: Wire.ContactKind
    let name: String?
    switch row.id {
    case .user(let user):
      kind = .friend
      name = try find(StoredUser.self, user)?.name
    case .group(let id):
      kind = .group
      name = try find(StoredConversation.self, id)?.title
    }
    return name.map {
      Wire.Contact(
        contact: row.id.wire, kind: kind, name: $0, remark: row.remark, isMuted: row.isMuted,
        isPinned: row.isPinned)
    }
  }
}
