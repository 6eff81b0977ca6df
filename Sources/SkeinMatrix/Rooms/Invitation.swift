import SkeinModel

/// An invitation of this account to a room.
struct Invitation: Sendable, Hashable {
  let room: ConversationRef
  let inviter: UserID
  /// Whether the inviter wants the room to be a one-to-one chat.
  let isDirect: Bool

  /// Reads the events that come with an invitation; nil if the invitation itself is not among them.
  init?(_ room: String, _ events: [JSONValue], to user: UserID) {
    let own = events.last {
      $0["type"]?.string == RoomEvent.Kind.member && $0["state_key"]?.string == user.rawValue
    }
    guard let own, let inviter = own["sender"]?.id("@"), JSONValue.string(room).id("!") != nil else {
      return nil
    }
    self.room = ConversationRef(rawValue: room)
    self.inviter = UserID(rawValue: inviter)
    isDirect = own["content"]?["is_direct"]?.bool ?? false
  }
}

extension MatrixBackend {
  /// Accepts invitations, and lists the one-to-one chats among them. Returns whether this account has joined a room.
  /// An invitation that can't be accepted, such as one to a room that is gone, is passed over.
  func accept(_ invitations: [Invitation]) async throws -> Bool {
    let joined = try await invitations.mapConcurrently(limit: options.concurrentCalls) {
      invitation -> Invitation? in
      do {
        try await calls.post(["rooms", invitation.room.rawValue, "join"])
        return invitation
      } catch let error as BackendError where error.code == .permanent {
        return nil
      }
    }.compactMap(\.self)
    let direct = joined.filter(\.isDirect).map { (room: $0.room, peer: $0.inviter) }
    if !direct.isEmpty { try await directs.add(direct) }
    return !joined.isEmpty
  }

  /// Fetches the pending invitations, without any room.
  func pendingInvitations() async throws -> [Invitation] {
    let answer = try await calls.get(
      ["sync"],
      [("filter", try SyncFilter.invitations.unique.text), ("timeout", "0"), ("set_presence", "offline")],
      as: SyncAnswer.self)
    return answer.invitations(to: user)
  }

  /// Makes a call for a room. If the account is not in the room but is invited, accepts the invitation and makes the
  /// call once more: a conversation may be opened by a push or a link before a sync has met its invitation.
  func joining<Value: Sendable>(
    _ room: ConversationRef, _ call: @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await call()
    } catch let error as BackendError where error.isForbidden && options.acceptsInvitations {
      let invitations = try await pendingInvitations().filter { $0.room == room }
      guard try await accept(invitations) else { throw error }
      return try await call()
    }
  }
}
