package import SkeinModel
import Synchronization

/// Conversations whose ref is replaced. The server itself and the checks name a conversation by its first ref.
extension MemoryServer {
  /// Gives a conversation another ref and notifies its members. Messages for the old ref are refused until their sender
  /// has learned the new one; other requests may name either. Does nothing if a user was ever invited to the
  /// conversation, or has removed the other user: the server does not show that user the conversation.
  ///
  /// - Returns: The new ref; nil if there is none.
  @discardableResult
  package func replace(_ ref: ConversationRef) -> ConversationRef? {
    let replaced = state.withLock { state -> (ref: ConversationRef, members: [UserID])? in
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref.original }),
        state.rooms[room].invitations.isEmpty
      else { return nil }
      let info = state.rooms[room].info
      guard info.type == .group || (info.members ?? []).allSatisfy({ state.shows(info, to: $0) }) else {
        return nil
      }
      state.change += 1
      state.replacements[ref.original, default: 0] += 1
      state.rooms[room].replacements = (state.replacements[ref.original] ?? 0, state.change)
      state.rooms[room].change = state.change
      let contact = Contact.ID.group(ref.original)
      for user in state.books.keys {
        guard
          let entry = state.books[user]?.entries.first(where: { $0.contact.id == contact && !$0.isRemoved })
        else { continue }
        _ = state.books[user]?.put(entry.contact)
      }
      return (state.rooms[room].ref, state.rooms[room].info.members ?? [])
    }
    guard let replaced else { return nil }
    poke(replaced.members)
    return replaced.ref
  }
}

extension MemoryServer.Room {
  /// The current ref.
  var ref: ConversationRef { info.ref.replaced(replacements.count) }

  /// The refs that were replaced, newest first.
  var formerRefs: [ConversationRef] { (0..<replacements.count).reversed().map { info.ref.replaced($0) } }
}

extension MemoryServer.State {
  /// A contact under each ref of its group, since a device may know an older one.
  fileprivate func refs(of contact: Contact.ID) -> [Contact.ID] {
    guard case .group(let ref) = contact, let room = rooms.first(where: { $0.info.ref == ref }) else {
      return [contact]
    }
    return ([room.ref] + room.formerRefs).map { .group($0) }
  }

  func shown(_ contact: Contact) -> [Contact] {
    refs(of: contact.id).map { id in
      Contact(
        id: id, type: contact.type, name: contact.name, remark: contact.remark, avatar: contact.avatar,
        settings: contact.settings)
    }
  }

  func shown(_ contact: Contact.ID) -> [Contact.ID] { refs(of: contact) }
}

extension ConversationRef {
  /// The first ref of the conversation.
  var original: ConversationRef {
    rawValue.firstIndex(of: "~").map { ConversationRef(rawValue: String(rawValue[..<$0])) } ?? self
  }

  /// The ref after a number of replacements.
  fileprivate func replaced(_ count: Int) -> ConversationRef {
    count == 0 ? self : ConversationRef(rawValue: "\(rawValue)~\(count)")
  }
}

extension Contact.ID {
  /// The contact under the first ref of its group.
  var original: Contact.ID { if case .group(let ref) = self { .group(ref.original) } else { self } }
}
