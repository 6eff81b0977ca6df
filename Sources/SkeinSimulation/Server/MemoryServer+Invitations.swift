package import SkeinModel
import Synchronization

extension MemoryServer {
  /// An invitation of a user to a room.
  struct Invitation: Sendable {
    let inviter: UserID
    /// Whether the invitation waits for the user's answer.
    var isPending = true
    /// The change in which the invitation was made or ended.
    var change: Int
  }

  /// Invites a user to a conversation. Does nothing if the user is a member.
  package func invite(_ user: UserID, to ref: ConversationRef, by inviter: UserID) {
    let isNew = state.withLock { state in
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref.original }),
        state.rooms[room].info.members?.contains(user) != true
      else { return false }
      state.change += 1
      state.rooms[room].invitations[user] = Invitation(inviter: inviter, change: state.change)
      return true
    }
    if isNew { poke([user]) }
  }

  /// Whether an invitation of a user waits for an answer.
  package func isInvited(_ user: UserID, to ref: ConversationRef) -> Bool {
    state.withLock { state in
      state.rooms.contains { $0.info.ref == ref.original && $0.invitations[user]?.isPending == true }
    }
  }

  /// Whether the last invitation of a user was declined or withdrawn, and the user has not become a member since.
  package func hasEndedInvitation(of user: UserID, to ref: ConversationRef) -> Bool {
    state.withLock { state in
      state.rooms.contains { room in
        room.info.ref == ref.original && room.invitations[user]?.isPending == false
          && room.info.members?.contains(user) != true
      }
    }
  }

  /// Ends a pending invitation: the user has declined it, or it was withdrawn.
  ///
  /// - Returns: whether there was an invitation.
  @discardableResult
  package func endInvitation(of user: UserID, to ref: ConversationRef) -> Bool {
    let wasPending = state.withLock { state in
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref.original }),
        state.rooms[room].invitations[user]?.isPending == true
      else { return false }
      state.change += 1
      state.rooms[room].invitations[user]?.isPending = false
      state.rooms[room].invitations[user]?.change = state.change
      return true
    }
    if wasPending { poke([user]) }
    return wasPending
  }
}

extension MemoryServer.State {
  /// Makes an invited user a member.
  mutating func accept(_ ref: ConversationRef, by user: UserID) throws -> ConversationInfo {
    guard let room = rooms.firstIndex(where: { $0.info.ref == ref.original }),
      rooms[room].info.members?.contains(user) == true || rooms[room].invitations[user]?.isPending == true
    else { throw BackendError(.permanent, "The invitation was withdrawn.") }
    guard rooms[room].info.members?.contains(user) != true else { return rooms[room].info }
    change += 1
    rooms[room].invitations[user] = nil
    rooms[room].invitedMembers.insert(user)
    rooms[room].info.members?.append(user)
    rooms[room].change = change
    // The conversation is sent to the user from its beginning.
    rooms[room].shownSince[user] = change
    addContacts(of: rooms[room].info, of: [user])
    reportPresences(in: rooms[room].info)
    return rooms[room].info
  }

  /// The pending invitations of a user that were made after a change.
  func invitations(of user: UserID, since: Int) -> [ConversationInvitation] {
    rooms.compactMap { room in
      guard let invitation = room.invitations[user], invitation.isPending, invitation.change > since else {
        return nil
      }
      var info = ConversationInfo(ref: room.ref, type: room.info.type, title: room.info.title)
      if info.type == .direct { info.peer = invitation.inviter }
      return ConversationInvitation(info: info, inviter: invitation.inviter)
    }
  }

  /// The conversations whose invitation of a user has ended after a change, without the user becoming a member.
  func endedInvitations(of user: UserID, since: Int) -> [ConversationRef] {
    rooms.filter { room in
      room.invitations[user].map { !$0.isPending && $0.change > since } ?? false
    }.map(\.ref)
  }
}
