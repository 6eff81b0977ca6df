import SkeinModel

/// Rooms that were replaced by others, as an upgrade to another version does.
///
/// A room replaces another one if its first event names that room as predecessor, and if the tombstone of that room names it.
/// One of the two is not enough: anybody may create a room that names another one.
extension MatrixBackend {
  /// The room that a room replaces; nil if there is none, or if the account can't read it.
  func predecessor(of room: ConversationRef, _ create: RoomEvent? = nil) async throws -> ConversationRef? {
    if let known = memory.predecessors[room] { return known }
    let content = if let create { create.content } else { try await state(RoomEvent.Kind.create, of: room) }
    guard let old = content?["predecessor"]?["room_id"]?.roomID, old != room else {
      if content != nil { memory.predecessors[room] = .some(nil) }
      return nil
    }
    let tombstone = try await state(RoomEvent.Kind.tombstone, of: old)
    // The tombstone follows shortly after the first event of the new room.
    guard tombstone?["replacement_room"]?.roomID == room else { return nil }
    memory.predecessors[room] = old
    return old
  }

  /// The rooms that a room replaces, newest first.
  func replaced(by room: ConversationRef, _ create: RoomEvent? = nil) async throws -> [ConversationRef] {
    var (rooms, first): ([ConversationRef], RoomEvent?) = ([], create)
    while rooms.count < 50, let old = try await predecessor(of: rooms.last ?? room, first), old != room,
      !rooms.contains(old)
    {
      rooms.append(old)
      first = nil
    }
    return rooms
  }

  /// The room that replaces a room, if the account is in it. Joins it if the account may.
  ///
  /// - Parameter tombstone: the tombstone of the room, if it is at hand.
  func continuation(of room: ConversationRef, _ tombstone: RoomEvent? = nil) async throws -> ConversationRef?
  {
    if let known = memory.continuations[room], known != nil || tombstone == nil { return known }
    memory.forgetContinuation(of: room)
    guard let tombstone = if let tombstone { tombstone } else { try await self.tombstone(of: room) } else {
      memory.continuations[room] = .some(nil)
      return nil
    }
    guard let new = tombstone.replacement, new != room else { return nil }
    let membership = try await membership(in: new)
    var isIn = membership == "join"
    if !isIn, membership != "leave", membership != "ban" {
      isIn = try await optional(\.isPermanent) { try await join(new, via: tombstone.sender.server) } != nil
    }
    memory.endJoining(after: room)
    guard isIn, try await predecessor(of: new) == room else { return nil }
    if let peer = try await directs.peers()[room] { try await directs.add([(new, peer)]) }
    memory.continuations[room] = new
    return new
  }

  /// Tries every five minutes, until cancelled, to join the rooms whose joining was postponed. A sync reports each room that is
  /// joined.
  func joinUnjoined() async {
    repeat {
      for room in memory.unjoined.sorted(by: { $0.rawValue < $1.rawValue }) {
        _ = try? await optional(\.isPermanent) {
          guard try await membership(in: room) == "join", let tombstone = try await tombstone(of: room) else {
            return memory.endJoining(after: room)
          }
          _ = try await continuation(of: room, tombstone)
        }
      }
      try? await Task.sleep(for: .seconds(300))
    } while !Task.isCancelled
  }

  /// The room to send to: the newest one that replaces a room.
  ///
  /// - Throws: `permanent` if the account is not in that room, and can't join it.
  func newestRoom(of room: ConversationRef) async throws -> ConversationRef {
    var room = room
    for _ in 0..<50 {
      guard let next = try await next(after: room) else { return room }
      room = next
    }
    throw BackendError(.permanent, "The rooms of this conversation replace each other in a circle.")
  }

  /// The room that replaces a room to send to; nil if there is none.
  private func next(after room: ConversationRef) async throws -> ConversationRef? {
    if memory.current[room] == true { return nil }
    if let known = memory.continuations[room], let new = known { return new }
    if let tombstone = try await tombstone(of: room), let new = tombstone.replacement, new != room {
      if try await continuation(of: room, tombstone) != nil { return new }
      // A room that can be read does not replace this one.
      guard try await state(RoomEvent.Kind.create, of: new) != nil else {
        throw BackendError(
          .permanent, "The conversation goes on in another room, which the account can't join.")
      }
    }
    memory.current[room] = true
    return nil
  }

  /// The invitations to rooms that replace a room of the account, with that room. They need no answer of the user.
  func replacements(
    among invitations: [ConversationInvitation], in answer: SyncAnswer
  ) async throws -> [ConversationInvitation: ConversationRef] {
    var found: [ConversationInvitation: ConversationRef] = [:]
    for invitation in invitations {
      guard let old = answer.predecessor(of: invitation.info.ref) else { continue }
      let isReplaced = try await optional({ memory.isHopeless($0, in: old) }) {
        let tombstone = try await state(RoomEvent.Kind.tombstone, of: old)
        guard tombstone?["replacement_room"]?.roomID == invitation.info.ref else { return false }
        return try await membership(in: old) == "join"
      }
      if isReplaced != nil { memory.succeeded(old) }
      if isReplaced == true { found[invitation] = old }
    }
    return found
  }

  /// The membership of this account in a room, such as `join` or `ban`; nil if it was never in the room, or if the room does not say.
  func membership(in room: ConversationRef) async throws -> String? {
    try await state(RoomEvent.Kind.member, of: room, key: user.rawValue)?["membership"]?.string
  }

  private func tombstone(of room: ConversationRef) async throws -> RoomEvent? {
    try await state(RoomEvent.Kind.tombstone, of: room, isWhole: true, unless: \.isNotFound)
      .flatMap(RoomEvent.init)
  }
}
