import SkeinModel

extension ConversationInvitation {
  /// Reads the events that come with an invitation; nil if the invitation itself is not among them.
  init?(_ room: String, _ events: [JSONValue], to user: UserID) {
    func content(_ type: String, _ key: String) -> JSONValue? {
      events.last { $0["type"]?.string == type && $0["state_key"]?.string == key }
    }
    guard let own = content(RoomEvent.Kind.member, user.rawValue), let inviter = own["sender"]?.id("@"),
      JSONValue.string(room).id("!") != nil
    else { return nil }
    let isDirect = own["content"]?["is_direct"]?.bool ?? false
    let name = content(RoomEvent.Kind.name, "")?["content"]?["name"]?.string
    let inviterName = content(RoomEvent.Kind.member, inviter)?["content"]?["displayname"]?.string
    let title = name?.isEmpty == false ? name : isDirect ? inviterName : nil
    self.init(
      info: ConversationInfo(
        ref: ConversationRef(rawValue: room), type: isDirect ? .direct : .group,
        peer: isDirect ? UserID(rawValue: inviter) : nil, title: title),
      inviter: UserID(rawValue: inviter))
  }
}

extension MatrixBackend {
  /// Accepts invitations. Returns the reasons for those that can't be accepted, such as one to a room that is gone.
  ///
  /// The one-to-one chats among them are listed for all clients before: an interrupted call has then not lost their type.
  func accept(_ invitations: [ConversationInvitation]) async throws -> [ConversationInvitation: BackendError]
  {
    let direct = invitations.compactMap { invitation in
      invitation.info.peer.map { (room: invitation.info.ref, peer: $0) }
    }
    // A chat that can't be listed becomes a group.
    if !direct.isEmpty { _ = try await optional(\.isPermanent) { try await directs.add(direct) } }
    let refused = try await invitations.mapConcurrently(limit: options.concurrentCalls) {
      invitation -> (ConversationInvitation, BackendError)? in
      let room = invitation.info.ref
      do {
        try await join(room)
        return nil
      } catch let error as BackendError where error.isPermanent || memory.isHopeless(error, in: room) {
        // A room that can't be joined is no chat with the inviter. A failure to say so leaves a useless entry.
        if error.isPermanent, invitation.info.peer != nil { try? await directs.remove(room) }
        return (invitation, error)
      }
    }
    return Dictionary(refused.compactMap(\.self)) { $1 }
  }

  /// Joins a room that the account is invited to, or that is public.
  ///
  /// - Parameter server: a homeserver that knows the room.
  func join(_ room: ConversationRef, via server: String? = nil) async throws {
    let query = ["server_name", "via"].compactMap { name in server.map { (name, $0) } }
    try await calls.post(["rooms", room.rawValue, "join"], query: query)
  }

  /// Fetches the pending invitations, without any room.
  func pendingInvitations() async throws -> [ConversationInvitation] {
    let filter = try SyncFilter.invitations.numbered().text()
    let answer = try await calls.get(
      ["sync"], [("filter", filter), ("timeout", "0"), ("set_presence", "offline")])
    return try SyncAnswer(answer).invitations(to: user)
  }

  /// Makes a call that members of a room may make. If the account is not in the room but is invited, and accepts
  /// invitations, joins the room and makes the call once more: a conversation may be opened by a push or a link before a
  /// sync has met its invitation.
  func asMember<Value: Sendable>(
    of room: ConversationRef, _ call: @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await call()
    } catch let error as BackendError where error.isForbidden && options.acceptsInvitations {
      let invitations = try await pendingInvitations().filter { $0.info.ref == room }
      guard !invitations.isEmpty, try await accept(invitations).isEmpty else { throw error }
      return try await call()
    }
  }
}
