import Skein
import SkeinTesting

extension StyledServer.State {
  func contacts(since version: ContactVersion?, of user: UserID) -> ContactDelta {
    let own = listings.filter { $0.user == user }
    let known = (0...own.count).first { Self.version($0) == version }
    var ids: [Contact.ID] = []
    for listing in own.dropFirst(known ?? 0) where !ids.contains(listing.contact) {
      ids.append(listing.contact)
    }
    let removed = ids.filter { isListed($0, by: user) == false }
    return ContactDelta(
      from: known == nil ? nil : version, next: Self.version(own.count), isFull: known == nil,
      changed: ids.filter { !removed.contains($0) }.map(contact), removed: known == nil ? [] : removed)
  }

  func contactVersion(of user: UserID) -> ContactVersion {
    Self.version(listings.count { $0.user == user })
  }

  private static func version(_ number: Int) -> ContactVersion { ContactVersion(rawValue: "v\(number)") }

  /// Whether a contact is on a user's list; nil if the contact never was.
  private func isListed(_ id: Contact.ID, by user: UserID) -> Bool? {
    listings.last { $0.user == user && $0.contact == id }?.isListed
  }

  private func contact(_ id: Contact.ID) -> Contact {
    switch id {
    case .user(let user): Contact(id: id, type: .friend, name: user.rawValue)
    case .group(let ref):
      Contact(id: id, type: .group, name: rooms.first { $0.info.ref == ref }?.info.title ?? "")
    }
  }

  /// The other side of a one-to-one chat, or the group.
  private func contact(_ room: Int, of user: UserID) -> Contact.ID? {
    guard rooms[room].info.type == .direct else { return .group(rooms[room].info.ref) }
    return rooms[room].members.first { $0 != user }.map { .user($0) }
  }

  /// Whether the user has removed the other side, or has left the group.
  func isHidden(_ room: Int, from user: UserID) -> Bool {
    contact(room, of: user).flatMap { isListed($0, by: user) } == false
  }

  /// Puts the other side of a conversation, or the group, on a member's contact list.
  mutating func list(_ room: Int, for user: UserID) {
    if let contact = contact(room, of: user) { list(contact, true, for: user) }
  }

  mutating func list(_ contact: Contact.ID, _ isListed: Bool, for user: UserID) {
    let known = self.isListed(contact, by: user)
    guard known ?? false != isListed else { return }
    listings.append(StyledServer.Listing(user: user, contact: contact, isListed: isListed))
    guard known == false, let room = rooms.indices.first(where: { self.contact($0, of: user) == contact })
    else { return }
    // If a contact is back, syncs return the chat again from its beginning.
    rooms[room].shownAgain[user] = log.count
    log.append(StyledServer.Entry(room: room, message: nil, device: 0, user: user))
  }

  mutating func leave(_ group: ConversationRef, by user: UserID) throws {
    if endInvitation(of: user, to: group) { return }
    guard let room = try? room(group, for: user) else { return }
    guard rooms[room].info.type == .group else {
      throw BackendError(.permanent, "Only a group can be left.")
    }
    rooms[room].info.members?.removeAll { $0 == user }
    rooms[room].settings[user] = nil
    // The remaining members get the new list of members, and the user learns on all devices that the group was left.
    for concerned in [nil, user] {
      log.append(StyledServer.Entry(room: room, message: nil, device: 0, user: concerned))
    }
    list(.group(group), false, for: user)
  }
}

extension StyledServer: ContactEditingServer {
  func addContact(_ contact: UserID, of user: UserID) async throws {
    try await call(by: 0, of: user) { $0.list(.user(contact), true, for: user) }
  }

  func removeContact(_ contact: UserID, of user: UserID) async throws {
    try await call(by: 0, of: user) { $0.list(.user(contact), false, for: user) }
  }
}
