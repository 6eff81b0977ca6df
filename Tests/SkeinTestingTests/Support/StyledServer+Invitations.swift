import Skein
import SkeinTesting

extension StyledServer.State {
  /// Makes an invited user a member. Does nothing if the user is a member.
  mutating func accept(_ ref: ConversationRef, by user: UserID) throws -> ConversationInfo {
    guard let room = rooms.firstIndex(where: { $0.info.ref == ref }),
      rooms[room].members.contains(user) || rooms[room].invitations[user]?.isPending == true
    else { throw BackendError(.permanent, "There is no such invitation.") }
    guard !rooms[room].members.contains(user) else { return info(room, for: user) }
    rooms[room].invitations[user]?.isPending = false
    rooms[room].info.members?.append(user)
    list(room, for: user)
    rooms[room].shownAgain[user] = log.count
    log.append(StyledServer.Entry(room: room, message: nil, device: 0, user: nil))
    return info(room, for: user)
  }

  /// Ends the pending invitation of a user.
  ///
  /// - Returns: whether there was one.
  mutating func endInvitation(of user: UserID, to ref: ConversationRef) -> Bool {
    guard let room = rooms.firstIndex(where: { $0.info.ref == ref }),
      rooms[room].invitations[user]?.isPending == true
    else { return false }
    rooms[room].invitations[user]?.isPending = false
    log.append(StyledServer.Entry(room: room, message: nil, device: 0, user: user))
    return true
  }

  /// The pending invitations of a user that were made in a part of the log.
  func invitations(of user: UserID, among places: Range<Int>) -> [ConversationInvitation] {
    rooms.compactMap { room in
      guard let invitation = room.invitations[user], invitation.isPending, places.contains(invitation.place)
      else { return nil }
      return ConversationInvitation(
        info: ConversationInfo(ref: room.info.ref, type: room.info.type, title: room.info.title),
        inviter: invitation.inviter)
    }
  }

  /// The conversations that a user has left, or to which an invitation has ended, in a part of the log.
  func left(by user: UserID, among places: Range<Int>, hasContacts: Bool) -> [ConversationRef] {
    let own = Set(log[places].filter { $0.user == user }.map(\.room))
    return own.sorted().map { rooms[$0] }.filter { room in
      let invitation = room.invitations[user]
      return !room.members.contains(user) && invitation?.isPending != true
        && (!hasContacts || invitation != nil)
    }.map(\.info.ref)
  }
}

extension StyledServer: InvitingServer {
  func invite(_ user: UserID, to conversation: ConversationRef, by member: UserID) async throws {
    try await call(by: 0, of: user) { state in
      let room = try state.room(conversation, for: member)
      guard !state.rooms[room].members.contains(user) else { return }
      state.rooms[room].invitations[user] = Invitation(inviter: member, place: state.log.count)
      state.log.append(Entry(room: room, message: nil, device: 0, user: user))
    }
  }

  func withdrawInvitation(of user: UserID, to conversation: ConversationRef, by member: UserID) async throws {
    try await call(by: 0, of: user) { _ = $0.endInvitation(of: user, to: conversation) }
  }
}
