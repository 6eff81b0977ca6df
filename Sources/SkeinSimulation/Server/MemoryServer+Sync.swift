package import SkeinModel
import Synchronization

/// How a ``MemoryServer`` delivers its conversations.
extension MemoryServer {
  /// Opens a push channel, which lasts until it is disconnected.
  package func connect(_ user: UserID, on device: String = "") throws -> AsyncStream<BackendEvent> {
    try checkReachable()
    let (stream, continuation) = AsyncStream<BackendEvent>.makeStream(bufferingPolicy: .bufferingNewest(64))
    continuation.yield(.connected)
    let number = state.withLock { state in
      for peer in state.online where state.shareConversation(peer, user) {
        continuation.yield(.presence(peer, .online))
      }
      state.connected += 1
      state.connections.append(
        Connection(number: state.connected, user: user, device: device, continuation: continuation))
      return state.connected
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { $0.connections.removeAll { $0.number == number } }
    }
    return stream
  }

  /// Notifies all devices of some users that something is new.
  func poke(_ users: [UserID]) {
    guard !users.isEmpty else { return }
    let connections = state.withLock { state in
      state.connections.filter { users.contains($0.user) }.map(\.continuation)
    }
    for connection in connections { connection.yield(.poke) }
  }

  /// Notifies the other connected members of a conversation that a user is typing.
  package func noteTyping(in ref: ConversationRef, by user: UserID) throws {
    try checkReachable()
    let connections = state.withLock { state in
      let members = state.rooms.first { $0.info.ref == ref.original }?.info.members ?? []
      guard members.contains(user) else { return [AsyncStream<BackendEvent>.Continuation]() }
      return state.connections.filter { $0.user != user && members.contains($0.user) }.map(\.continuation)
    }
    for connection in connections { connection.yield(.typing(ref, user, isTyping: true)) }
  }

  /// Opens a conversation, or returns the existing conversation.
  package func open(_ request: ConversationRequest, by user: UserID) throws -> ConversationInfo {
    try checkReachable()
    let info = try state.withLock { state in
      let ref: ConversationRef
      let info: ConversationInfo
      switch request {
      case .direct(let peer):
        let pair = [user.rawValue, peer.rawValue].sorted()
        ref = ConversationRef(rawValue: pair.joined(separator: "+"))
        info = ConversationInfo(ref: ref, type: .direct, members: pair.map { UserID(rawValue: $0) })
      case .group(let id, let title, let members):
        ref = ConversationRef(rawValue: "group-\(id)")
        info = ConversationInfo(ref: ref, type: .group, title: title, members: [user] + members)
      case .invitation(let invited):
        (ref, info) = (invited, try state.accept(invited, by: user))
      }
      if let room = state.rooms.first(where: { $0.info.ref == ref.original }) {
        // A late request does not readmit a user who has left.
        state.addContacts(of: room.info, of: [user])
        return room.info(for: user)
      }
      state.change += 1
      let replacements = (state.replacements[ref] ?? 0, state.change)
      let room = Room(info: info, change: state.change, replacements: replacements)
      state.rooms.append(room)
      state.addContacts(of: info, of: info.members ?? [])
      state.reportPresences(in: info)
      return room.info(for: user)
    }
    poke(info.members ?? [])
    return info
  }

  /// The changes in a user's conversations since a cursor, with at most the newest `limit` messages of each
  /// conversation.
  package func sync(since cursor: SyncCursor?, limit: Int, for user: UserID) throws -> SyncBatch {
    try checkReachable()
    return state.withLock { state in
      let since = cursor.flatMap { Int($0.rawValue) } ?? 0
      let changed = state.rooms.filter { room in
        room.lastChange(for: user) > since && state.shows(room.info, to: user)
      }
      let deltas = changed.map { room in
        // A conversation that was hidden from this user is sent from its beginning, with all its revisions.
        let known = room.shownSince[user] ?? 0 > since ? 0 : since
        let new = room.kept.filter { $0.change > known }
        // If a conversation is sent again, the device may already have some of its messages. The count then
        // does not reveal the messages that a push has lost. The revisions of all messages are therefore sent
        // as well.
        let handed = known < since ? [] : Set(new.suffix(limit).map(\.message.serverID))
        let mark = room.readPositions[user] ?? 0
        // The first count is that of the messages that exist. A later count includes trimmed messages: without dense
        // positions, nothing else reveals them.
        let trimmed = cursor == nil ? 0 : room.messages.prefix(room.trimmed).count { $0.change > known }
        var info = room.info(for: user)
        if room.replacements.change <= known { info.replaces = [] }
        return ConversationDelta(
          info: info, count: new.count + trimmed,
          unread: room.kept.count { $0.message.isUnread(by: user, after: mark) },
          unreadMentions: room.kept.count { stored in
            stored.message.isUnread(by: user, after: mark) && stored.message.calls(user)
          },
          messages: new.suffix(limit).map { room.shown($0, to: user) },
          revised: room.kept.filter {
            $0.isRevised(after: known, isFirst: cursor == nil, for: user)
              && !handed.contains($0.message.serverID)
          }.map { room.shown($0, to: user) })
      }
      return SyncBatch(
        from: cursor, next: SyncCursor(rawValue: String(state.change)), epoch: state.epoch,
        conversations: deltas, left: cursor == nil ? [] : state.endedInvitations(of: user, since: since),
        invitations: state.invitations(of: user, since: since),
        contactVersion: state.books[user].map { $0.newest }, time: time)
    }
  }

  /// One page of a conversation.
  package func history(
    of ref: ConversationRef, at anchor: HistoryAnchor, limit: Int, for user: UserID
  ) throws -> HistoryPage {
    try checkReachable()
    let (known, epoch) = state.withLock { state in
      (state.rooms.first { $0.info.ref == ref.original }, state.epoch)
    }
    guard let room = known else {
      throw BackendError(.permanent, "There is no such conversation.")
    }
    let kept = order.paged(Array(room.kept)) { $0.message.position?.rawValue ?? 0 }
    let all = kept.map(\.message)
    let place = { [order] (message: IncomingMessage) in
      message.position.map { order.place(of: $0.rawValue) } ?? 0
    }
    let page: ArraySlice<IncomingMessage>
    switch anchor {
    case .newest: page = all.suffix(limit)
    case .before(let position): page = all.prefix { place($0) < position.rawValue }.suffix(limit)
    case .after(let position):
      page = all.drop { place($0) <= position.rawValue }.prefix(limit)
    case .around(let position): page = all.page(around: all.firstIndex { $0.position == position }, limit)
    case .time(let time): page = all.page(around: all.firstIndex { $0.time >= time }, limit)
    case .message(let id):
      guard let index = all.firstIndex(where: { $0.serverID == id }) else {
        throw BackendError(.permanent, "There is no such message.")
      }
      page = all.page(around: index, limit)
    case .token: throw BackendError(.unsupported, "This server's history has positions and no tokens.")
    }
    return HistoryPage(
      messages: page.indices.map { room.shown(kept[$0], to: user) },
      reachesStart: page.startIndex == all.startIndex,
      reachesEnd: page.endIndex == all.endIndex, epoch: epoch)
  }

  /// Moves a user's read mark forward and notifies all members of the conversation.
  package func markRead(
    _ ref: ConversationRef, upTo mark: MessageMark, in epoch: Epoch?, by user: UserID
  ) throws {
    try checkReachable()
    guard let position = mark.position else {
      throw BackendError(.permanent, "This server needs a position.")
    }
    let members = try state.withLock { state -> [UserID] in
      guard epoch == nil || epoch == state.epoch else {
        throw BackendError(.permanent, "This position belongs to another epoch.")
      }
      guard let room = state.rooms.firstIndex(where: { $0.info.ref == ref.original }) else { return [] }
      state.change += 1
      state.rooms[room].change = state.change
      state.rooms[room].readPositions[user] = max(
        state.rooms[room].readPositions[user] ?? 0, position.rawValue)
      return state.rooms[room].info.members ?? []
    }
    poke(members)
  }
}

extension MemoryServer {
  /// Notes that one of a user's devices has everything up to a cursor. If the receipts of a conversation
  /// change, notifies all members of the conversation.
  package func markDelivered(upTo cursor: SyncCursor, to user: UserID) throws {
    try checkReachable()
    let members = state.withLock { state -> [UserID] in
      let known = Int(cursor.rawValue) ?? 0
      var members: Set<UserID> = []
      for room in state.rooms.indices where state.shows(state.rooms[room].info, to: user) {
        let position = state.rooms[room].messages.last { $0.change <= known }?.message.position?.rawValue
        guard let position, position > state.rooms[room].delivered[user] ?? 0 else { continue }
        state.change += 1
        state.rooms[room].change = state.change
        state.rooms[room].delivered[user] = position
        members.formUnion(state.rooms[room].info.members ?? [])
      }
      return members.sorted { $0.rawValue < $1.rawValue }
    }
    poke(members)
  }
}

extension MemoryServer.Room {
  /// The conversation as the server describes it to a user.
  func info(for user: UserID) -> ConversationInfo {
    var info = info
    (info.ref, info.replaces) = (ref, formerRefs)
    if info.type == .direct { info.peer = info.members?.first { $0 != user } }
    info.readMark = readPositions[user].map(mark)
    info.settings = ConversationSettings(all: settings[user] ?? [])
    info.receipts = (info.members ?? []).filter { $0 != user }.compactMap { other in
      let (delivered, read) = (delivered[other] ?? 0, readPositions[other] ?? 0)
      guard max(delivered, read) > 0 else { return nil }
      return MemberReceipt(
        user: other, delivered: mark(max(delivered, read)), read: mark(read))
    }
    return info
  }

  private func mark(_ number: Int64) -> MessageMark {
    let message = number > 0 && number <= messages.count ? messages[Int(number) - 1].message : nil
    return MessageMark(position: Position(rawValue: number), serverID: message?.serverID)
  }
}

extension IncomingMessage {
  func isUnread(by user: UserID, after mark: Int64) -> Bool {
    (position?.rawValue ?? 0) > mark
      && UnreadRule.counts(sender: sender, account: user, isCountable: isCountable ?? true)
  }

  func calls(_ user: UserID) -> Bool { mentions?.include(user) == true }
}

extension [IncomingMessage] {
  /// A page around the message at `index`, which is in the middle if both sides have enough messages. Without
  /// an index, the page has the newest messages.
  fileprivate func page(around index: Int?, _ limit: Int) -> ArraySlice<IncomingMessage> {
    let first = Swift.max(Swift.min((index ?? count) - limit / 2, count - limit), 0)
    return dropFirst(first).prefix(limit)
  }
}
