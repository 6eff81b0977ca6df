public import SkeinModel
import SkeinTransport

extension MatrixBackend {
  /// Opens a one-to-one chat or a group.
  ///
  /// A chat is found in the account data that all clients share, among the invitations, or by an alias that follows
  /// from both users. Two users who open their chat at once on one homeserver get one room; on two homeservers they may
  /// get two rooms. A group is found by an alias that follows from this account and the group's id.
  public func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    var info = try await opened(request)
    // The first message is then sent without delay. A room that was replaced by one that the account can't join can be read.
    let newest = try await optional(\.isPermanent) { [info] in try await newestRoom(of: info.ref) }
    info.ref = newest ?? info.ref
    try await learnEncryption(of: info.ref)
    return info
  }

  private func opened(_ request: ConversationRequest) async throws -> ConversationInfo {
    switch request {
    case .direct(let peer):
      try Self.check(peer)
      let room = try await directRoom(with: peer)
      return ConversationInfo(ref: room, type: .direct, peer: peer)
    case .group(let id, let title, let members):
      for member in members { try Self.check(member) }
      let creation: JSONValue = ["preset": "private_chat", "name": .string(title)]
      let room = try await room(alias: alias("group", [user.rawValue, id]), creation) { room in
        // Somebody else may have taken the alias.
        try await creator(of: room) == user
      }
      guard let room else { throw BackendError(.permanent, "Another room has the alias of this group.") }
      // One by one: homeservers limit the invitations of a new room, and an earlier call may have been interrupted.
      let known = try await self.members(of: room)
      for member in members where !known.contains(member) { try await invite(member, to: room) }
      return ConversationInfo(ref: room, type: .group, title: title)
    case .invitation(let room):
      let invitations = try await pendingInvitations().filter { $0.info.ref == room }
      // Without an invitation the account has joined before, or is refused.
      if invitations.isEmpty { try await join(room) }
      if let refusal = try await accept(invitations).values.first { throw refusal }
      let peer = try await directs.peers()[room]
      return ConversationInfo(ref: room, type: peer == nil ? .group : .direct, peer: peer)
    }
  }

  private static func check(_ user: UserID) throws {
    guard user.isOnMatrix else {
      throw BackendError(.permanent, "\(user.rawValue) is no Matrix user: the id has the form @name:server.")
    }
  }

  /// Invites a user; does nothing if the homeserver refuses it, since the user is banned or does not exist.
  private func invite(_ user: UserID, to room: ConversationRef) async throws {
    _ = try await optional({ $0.isPermanent || memory.isHopeless($0, in: room) }) {
      try await calls.post(["rooms", room.rawValue, "invite"], ["user_id": .string(user.rawValue)])
    }
  }

  private func directRoom(with peer: UserID) async throws -> ConversationRef {
    let joined = Set(try await calls.get(["joined_rooms"])["joined_rooms"]?.strings ?? [])
    for room in try await directs.rooms(with: peer) where joined.contains(room.rawValue) {
      if try await isPair(room, peer) { return room }
    }
    let invitation = try await pendingInvitations().first { $0.info.peer == peer }
    if let invitation, try await accept([invitation]).isEmpty { return invitation.info.ref }
    var creation: JSONValue = ["preset": "trusted_private_chat", "is_direct": true]
    if peer != user { creation["invite"] = [.string(peer.rawValue)] }
    let users = [user.rawValue, peer.rawValue].sorted()
    let found = try await self.room(alias: alias("direct", users), creation) {
      try await becomesPair($0, peer)
    }
    // One of the users may have left the room with the alias, or somebody else may have taken the alias.
    let room = if let found { found } else { try await create(creation) }
    try await directs.add([(room, peer)])
    return room
  }

  /// Whether a room has no members but this account and one user, who has not left.
  private func isPair(_ room: ConversationRef, _ peer: UserID) async throws -> Bool {
    try await optional(\.isMissing) { Set(try await members(of: room)) == [user, peer] } ?? false
  }

  /// Whether a room is one of this account and one user, made by one of them: others may have taken the alias. If this account
  /// is alone in a room of its own, invites the user: an earlier call that was interrupted may not have come that far, or the
  /// user has left the room.
  private func becomesPair(_ room: ConversationRef, _ peer: UserID) async throws -> Bool {
    let creator = try await creator(of: room)
    guard creator == user || creator == peer else { return false }
    if creator == user, try await members(of: room) == [user] {
      try await invite(peer, to: room)
    }
    return try await isPair(room, peer)
  }

  private func creator(of room: ConversationRef) async throws -> UserID? {
    let path = ["rooms", room.rawValue, "state", RoomEvent.Kind.create, ""]
    let event = try await calls.get(path, [("format", "event")])
    return (event["sender"] ?? event["creator"])?.string.map { UserID(rawValue: $0) }
  }

  /// The first part of an alias. It follows from the names, and does not reveal them.
  private func alias(_ kind: String, _ names: [String]) -> String {
    let text = names.map { "\($0.utf8.count):\($0)" }.joined()
    return "skein-\(kind)-\(ContentHash.hash(of: text.utf8))"
  }

  /// Creates a room with an alias, or joins the room that has the alias. Returns nil if that room is another one.
  private func room(
    alias: String, _ creation: JSONValue, isRight: @Sendable (ConversationRef) async throws -> Bool
  ) async throws -> ConversationRef? {
    var creation = creation
    creation["room_alias_name"] = .string(alias)
    let created = try await optional({ $0.refusal?.status == 409 || $0.refusal?.code == "M_ROOM_IN_USE" }) {
      try await create(creation)
    }
    if let created { return created }
    // The room exists, or has come into being meanwhile.
    let found = try await optional(\.isMissing) {
      try await calls.get(["directory", "room", "#\(alias):\(user.server)"])
    }
    guard let found else { return nil }
    let room = ConversationRef(rawValue: try found.id("!", "room_id"))
    // The other user may have created the room this moment: the alias exists some time before the invitation, on a
    // busy homeserver for seconds.
    for attempt in 1...15 {
      do {
        try await join(room)
        return try await isRight(room) ? room : nil
      } catch let error as BackendError where error.isMissing {
        // Others can't read the state of a room.
        if try await membership(in: room) != nil { return nil }
        try await Task.sleep(for: .milliseconds(min(200 * attempt, 1000)))
      }
    }
    return nil
  }

  private func create(_ creation: JSONValue) async throws -> ConversationRef {
    ConversationRef(rawValue: try await calls.post(["createRoom"], creation).id("!", "room_id"))
  }
}

extension UserID {
  /// The name of the user's homeserver.
  var server: String { String(rawValue.split(separator: ":", maxSplits: 1).last ?? "") }

  /// Whether this is a whole id of a Matrix user.
  var isOnMatrix: Bool {
    let parts = rawValue.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].hasPrefix("@") && parts[0].count > 1 && !parts[1].isEmpty
  }
}
