package import SkeinModel
import Synchronization

/// One user's contact list, including removed contacts.
struct ContactBook: Sendable {
  struct Entry: Sendable {
    var contact: Contact
    var version: Int
    var isRemoved = false
  }
  var version = 0
  /// The contacts, in the order in which they were first added.
  var entries: [Entry] = []

  var newest: ContactVersion { ContactVersion(rawValue: String(version)) }

  func isRemoved(_ id: Contact.ID) -> Bool { entries.contains { $0.contact.id == id && $0.isRemoved } }

  /// Adds or replaces a contact. Returns whether the contact had been removed before.
  mutating func put(_ contact: Contact) -> Bool {
    version += 1
    guard let index = entries.firstIndex(where: { $0.contact.id == contact.id }) else {
      entries.append(Entry(contact: contact, version: version))
      return false
    }
    defer { entries[index] = Entry(contact: contact, version: version) }
    return entries[index].isRemoved
  }

  mutating func remove(_ id: Contact.ID) {
    guard let index = entries.firstIndex(where: { $0.contact.id == id && !$0.isRemoved }) else { return }
    version += 1
    entries[index].isRemoved = true
    entries[index].version = version
  }

  func delta(since known: ContactVersion?) -> ContactDelta {
    guard let known, let since = Int(known.rawValue), since <= version else {
      return ContactDelta(
        from: nil, next: newest, isFull: true, changed: entries.filter { !$0.isRemoved }.map(\.contact))
    }
    let new = entries.filter { $0.version > since }
    return ContactDelta(
      from: known, next: newest, isFull: false, changed: new.filter { !$0.isRemoved }.map(\.contact),
      removed: new.filter(\.isRemoved).map(\.contact.id))
  }
}

extension MemoryServer.State {
  /// Whether a user is a member of a conversation and, in a direct chat, has not removed the other user as a
  /// contact.
  func shows(_ info: ConversationInfo, to user: UserID) -> Bool {
    guard info.members?.contains(user) == true else { return false }
    guard info.type == .direct, let peer = info.members?.first(where: { $0 != user }) else { return true }
    return books[user]?.isRemoved(.user(peer)) != true
  }

  /// Adds the contact of a conversation, a peer or a group, to the list of each of these users, unless the
  /// contact is on the list already. Skips users who are not members of a group.
  mutating func addContacts(of info: ConversationInfo, of users: [UserID]) {
    for user in users {
      let contact: Contact
      if info.type == .direct {
        guard let peer = info.members?.first(where: { $0 != user }) else { continue }
        contact = Contact(id: .user(peer), type: .friend, name: peer.rawValue)
      } else {
        guard info.members?.contains(user) == true else { continue }
        contact = Contact(id: .group(info.ref), type: .group, name: info.title ?? "")
      }
      let isThere = books[user]?.entries.contains { $0.contact.id == contact.id && !$0.isRemoved } ?? false
      if !isThere { put(contact, of: user) }
    }
  }

  mutating func put(_ contact: Contact, of user: UserID) {
    guard books[user, default: ContactBook()].put(contact) else { return }
    let room = rooms.firstIndex { room in
      switch contact.id {
      case .user(let peer): room.info.type == .direct && Set(room.info.members ?? []) == [user, peer]
      case .group(let ref): room.info.ref == ref.original
      }
    }
    guard let room else { return }
    change += 1
    rooms[room].shownSince[user] = change
  }
}

extension MemoryServer {
  /// The changes to a user's contact list since a version.
  package func contacts(since version: ContactVersion?, for user: UserID) throws -> ContactDelta {
    try checkReachable()
    return state.withLock { state in
      var delta = (state.books[user] ?? ContactBook()).delta(since: version)
      delta.changed = delta.changed.flatMap { state.shown($0) }
      delta.removed = delta.removed.flatMap { state.shown($0) }
      delta.epoch = state.epoch
      return delta
    }
  }

  /// The contacts on a user's list, and the contacts removed from the list.
  package func contacts(of user: UserID) -> (present: [Contact], removed: [Contact]) {
    state.withLock { state in
      let entries = state.books[user]?.entries ?? []
      return (
        entries.filter { !$0.isRemoved }.flatMap { state.shown($0.contact) },
        entries.filter(\.isRemoved).flatMap { state.shown($0.contact) }
      )
    }
  }

  /// The newest version of a user's contact list.
  package func contactVersion(of user: UserID) -> ContactVersion {
    state.withLock { ($0.books[user] ?? ContactBook()).newest }
  }

  /// Adds a contact to a user's list, or replaces the contact with the same id.
  package func put(_ contact: Contact, of user: UserID) {
    state.withLock { $0.put(contact, of: user) }
    poke([user])
  }

  /// Removes a contact from a user's list. The user's devices no longer receive the direct chat with a
  /// removed user.
  package func removeContact(_ id: Contact.ID, of user: UserID) {
    state.withLock { $0.books[user]?.remove(id) }
    poke([user])
  }

  /// Removes a user from a group and notifies all members, or declines the user's invitation. Does nothing if the user
  /// is neither a member nor invited.
  package func leave(_ ref: ConversationRef, by user: UserID) throws {
    try checkReachable()
    if endInvitation(of: user, to: ref) { return }
    let members = state.withLock { state -> [UserID] in
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref.original }),
        let members = state.rooms[room].info.members, members.contains(user)
      else { return [] }
      state.rooms[room].info.members = members.filter { $0 != user }
      state.rooms[room].settings[user] = nil
      state.change += 1
      state.rooms[room].change = state.change
      // A device that still shows the invitation must learn that it has ended.
      if state.rooms[room].invitedMembers.remove(user) != nil {
        state.rooms[room].invitations[user] = Invitation(
          inviter: user, isPending: false, change: state.change)
      }
      state.books[user]?.remove(.group(ref.original))
      return members
    }
    poke(members)
  }

  /// Adds a user to a group and notifies all members. Does nothing if the user is a member.
  package func join(_ ref: ConversationRef, by user: UserID) {
    let members = state.withLock { state -> [UserID] in
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref.original }),
        let members = state.rooms[room].info.members, !members.contains(user)
      else { return [] }
      state.rooms[room].info.members = members + [user]
      if state.rooms[room].invitations[user]?.isPending == true {
        state.rooms[room].invitedMembers.insert(user)
      }
      state.rooms[room].invitations[user] = nil
      state.change += 1
      state.rooms[room].change = state.change
      state.addContacts(of: state.rooms[room].info, of: [user])
      state.reportPresences(in: state.rooms[room].info)
      return members + [user]
    }
    poke(members)
  }

  /// Whether a conversation is visible to a user.
  ///
  /// - Parameter cursor: The cursor of the user's device; nil if the device is up to date. If the
  ///   conversation became visible again after this cursor, the result is false.
  package func shows(_ ref: ConversationRef, to user: UserID, at cursor: SyncCursor? = nil) -> Bool {
    state.withLock { state in
      guard let room = state.rooms.first(where: { $0.info.ref == ref.original }) else { return false }
      let change = cursor.map { Int($0.rawValue) ?? 0 } ?? .max
      return state.shows(room.info, to: user) && room.shownSince[user] ?? 0 <= change
    }
  }
}
