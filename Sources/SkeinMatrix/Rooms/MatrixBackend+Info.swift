import SkeinModel

extension MatrixBackend {
  /// Describes a room by the answer to a sync, without its members. Parts that have not changed are nil, which leaves them
  /// unchanged.
  func info(
    of ref: ConversationRef, _ room: JoinedRoom, _ news: RoomNews, peer: UserID?, isFirst: Bool
  ) -> ConversationInfo {
    ConversationInfo(
      ref: ref, type: peer == nil ? .group : .direct, peer: peer,
      title: room.current(RoomEvent.Kind.name)?.name, readMark: readMark(room, news),
      receipts: receipts(room, news),
      settings: room.settings(isFirst: isFirst))
  }

  /// The name of a room if the answer to a sync shows a change: the room's own name, or that of the other member of a
  /// one-to-one chat without a name.
  func title(of ref: ConversationRef, _ room: JoinedRoom, peer: UserID?) async throws -> String? {
    let event = room.current(RoomEvent.Kind.name)
    if event != nil || room.current(RoomEvent.Kind.create) != nil { memory.named[ref] = event?.name != nil }
    if let name = event?.name { return name }
    guard let shown = room.name(of: peer) else { return nil }
    let isNamed: Bool
    if let known = memory.named[ref] {
      isNamed = known
    } else {
      let name = try await state(RoomEvent.Kind.name, of: ref)?["name"]?.string ?? ""
      isNamed = !name.isEmpty
      memory.named[ref] = isNamed
    }
    return isNamed ? nil : shown
  }

  /// The joined and the invited members, in the order of their ids, if the answer to a sync shows a change; nil for a large
  /// room. The members of a one-to-one chat follow from their number, without a call.
  func members(of ref: ConversationRef, _ room: JoinedRoom, peer: UserID?) async throws -> [UserID]? {
    // Without a gap, the members in the state are only the senders of the messages.
    let shown = room.isLimited ? room.state + room.events : room.events
    let hasChanged = room.memberCount != nil || shown.contains { $0.type == RoomEvent.Kind.member }
    let count = room.memberCount ?? 0
    if let peer, count == 2 { return [user, peer].sorted { $0.rawValue < $1.rawValue } }
    guard hasChanged, count <= options.largestMemberList else { return nil }
    let members = try await optional(\.isPermanent) { try await self.members(of: ref) }
    return members.flatMap { $0.count <= options.largestMemberList ? $0 : nil }
  }

  /// Fetches the joined and the invited members, in the order of their ids.
  func members(of room: ConversationRef) async throws -> [UserID] {
    let answer = try await calls.get(["rooms", room.rawValue, "members"], [("not_membership", "leave")])
    let users = (answer["chunk"]?.array ?? []).compactMap { event -> String? in
      guard ["join", "invite"].contains(event["content"]?["membership"]?.string) else { return nil }
      return event["state_key"]?.string
    }
    return Set(users).sorted().map { UserID(rawValue: $0) }
  }

  /// How far this account has read: the newest own receipt.
  private func readMark(_ room: JoinedRoom, _ news: RoomNews) -> MessageMark? {
    let own = room.receipts.filter { $0.user == user && ["m.read", "m.read.private"].contains($0.type) }
    return own.max { $0.time < $1.time }.flatMap { news.mark($0.event, in: room) }
  }

  private func receipts(_ room: JoinedRoom, _ news: RoomNews) -> [MemberReceipt]? {
    let others = room.receipts.filter { $0.user != user && $0.type == "m.read" }
    let newest = Dictionary(grouping: others, by: \.user).compactMapValues { receipts in
      receipts.max { $0.time < $1.time }?.event
    }
    guard !newest.isEmpty else { return nil }
    return newest.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { user, event in
      news.mark(event, in: room).map { MemberReceipt(user: user, delivered: nil, read: $0) }
    }
  }
}

extension RoomEvent {
  /// The name that the event gives a room; nil if it removes the name.
  fileprivate var name: String? { content["name"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
}

extension JoinedRoom {
  /// The name that a member has chosen, if this answer contains it.
  fileprivate func name(of user: UserID?) -> String? {
    let member = (state + events).last { $0.type == RoomEvent.Kind.member && $0.stateKey == user?.rawValue }
    return user == nil ? nil : member?.content["displayname"]?.string
  }
}
