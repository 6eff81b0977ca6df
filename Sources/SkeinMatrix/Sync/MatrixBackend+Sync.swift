public import SkeinModel
import SkeinTransport

extension MatrixBackend {
  /// Fetches the news of all rooms, and lists or accepts the invitations among them. A batch with accepted invitations
  /// has more to follow: their rooms come with the next batch.
  ///
  /// - Parameter limit: the maximum number of messages of one conversation; clamped to 1 to 200.
  public func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    let limit = min(max(limit, 1), 200)
    let answer = try await answer(since: cursor, limit)
    memory.answered(since: cursor)
    let batch = try await batch(answer, since: cursor, limit)
    memory.learn(newest: batch.next)
    return batch
  }

  /// Fetches the answer to a sync. If it exceeds ``MatrixOptions/maximumAnswerSize``, requests fewer messages.
  private func answer(since cursor: SyncCursor?, _ limit: Int) async throws -> SyncAnswer {
    var query = [("timeout", "0"), ("set_presence", "offline")]
    let number = memory.request(since: cursor)
    query.append(("filter", try SyncFilter.news(limit: limit, isPush: false).numbered(number).text()))
    if let cursor { query.append(("since", cursor.rawValue)) }
    do {
      // A sync of many rooms takes the homeserver some minutes, in which it sends nothing.
      let deadline = options.deadline * 5
      return try SyncAnswer(
        await (cursor == nil ? polls : calls).get(["sync"], query, within: deadline, idle: deadline))
    } catch let error as BackendError where error.isOversize {
      guard limit > 1 else {
        throw error.described("\(error.message) That is so even with one message of each room.")
      }
      return try await answer(since: cursor, limit / 2)
    } catch let error as BackendError where cursor != nil && error.refusal?.status == 400 {
      throw BackendError(.cursorRejected, "The homeserver does not know the cursor.", cause: error.cause)
    }
  }

  /// Converts the answer to a sync.
  func batch(_ answer: SyncAnswer, since cursor: SyncCursor?, _ limit: Int) async throws -> SyncBatch {
    if let content = answer.directRooms { await directs.learn(content) }
    let invitations = answer.invitations(to: user)
    let replacing = try await replacements(among: invitations, in: answer)
    let accepted = options.acceptsInvitations ? invitations : invitations.filter { replacing[$0] != nil }
    let refused = try await accept(accepted)
    for old in Set(replacing.values) { _ = try await replacement(of: old) }
    let rooms = try await answer.joined.filter { cursor == nil || $0.room.hasNews }
      .mapConcurrently(limit: options.concurrentCalls) { ref, room in
        (ref: ref, room: room, replacement: try await replacement(of: ref, room))
      }
    let peers = try await directs.peers()
    let conversations = try await rooms.mapConcurrently(limit: options.concurrentCalls) {
      ref, room, replacement -> ConversationDelta? in
      guard let replacement else {
        return try await delta(of: ref, room, peers: peers, since: cursor, limit)
      }
      // A replaced room is not reported. Its tombstone may come after the room that replaces it, which is then reported again.
      let isListed = rooms.contains { $0.ref == replacement && $0.room.current(RoomEvent.Kind.create) != nil }
      guard !isListed, room.current(RoomEvent.Kind.tombstone) != nil else { return nil }
      let peer = peers[replacement]
      let info = ConversationInfo(
        ref: replacement, type: peer == nil ? .group : .direct, peer: peer,
        replaces: try await replaced(by: replacement))
      return ConversationDelta(info: info, count: nil, messages: [])
    }
    // A room that was joined now comes with the next sync.
    let hasFollowed = rooms.contains { _, room, replacement in
      guard let replacement, room.current(RoomEvent.Kind.tombstone) != nil else { return false }
      return !rooms.contains { $0.ref == replacement }
    }
    return SyncBatch(
      from: cursor, next: answer.next, hasMore: refused.count < accepted.count || hasFollowed,
      conversations: conversations.compactMap(\.self), left: answer.left,
      invitations: invitations.filter { !accepted.contains($0) || refused[$0] != nil },
      muted: answer.mutedRooms)
  }

  /// The room that replaces a room; nil if there is none that the account is in, or if the calls fail again and again.
  private func replacement(of ref: ConversationRef, _ room: JoinedRoom? = nil) async throws
    -> ConversationRef?
  {
    let tombstone = room?.current(RoomEvent.Kind.tombstone)
    if tombstone == nil, room?.current(RoomEvent.Kind.create) != nil {
      // The answer has the whole state of a room that is new to it.
      memory.continuations[ref] = .some(nil)
      memory.current[ref] = true
    }
    if tombstone == nil, memory.unjoined.contains(ref) { return nil }
    do {
      return try await continuation(of: ref, tombstone)
    } catch let error as BackendError where error.isPermanent {
      return nil
    } catch let error as BackendError where memory.isHopeless(error, in: ref) {
      memory.postponeJoining(after: ref)
      return nil
    }
  }

  /// Describes the news of a room, without the details that the homeserver refuses. If the calls for details fail again and
  /// again in other ways, they would stop the news of all rooms. The messages are then received without further details.
  private func delta(
    of ref: ConversationRef, _ room: JoinedRoom, peers: [ConversationRef: UserID], since cursor: SyncCursor?,
    _ limit: Int
  ) async throws -> ConversationDelta {
    let peer = peers[ref]
    if room.current(RoomEvent.Kind.encryption) != nil { memory.encryption[ref] = true }
    memory.learn(room.events, in: ref)
    memory.learnOrder(of: room.events, follows: !room.isLimited, in: ref)
    var news = RoomNews(room, in: ref, isFirst: cursor == nil, memory)
    var info = info(of: ref, room, news, peer: peer, isFirst: cursor == nil)
    var (resolved, revised): ([IncomingMessage]?, [IncomingMessage]) = (nil, [])
    do {
      if let create = room.current(RoomEvent.Kind.create) {
        info.replaces = try await replaced(by: ref, create)
        if !info.replaces.isEmpty { news.continues() }
        // The account data may list the room only after the tombstone of the former one has come.
        if peer == nil, let former = info.replaces.lazy.compactMap({ peers[$0] }).first {
          (info.type, info.peer) = (.direct, former)
        }
      }
      if let cursor, let end = room.previous, news.count == nil, !room.isJoined(by: user) {
        let omitted = try await optional(\.isPermanent) {
          try await events(in: ref, between: cursor, and: end)
        }
        news.collect(omitted: omitted?.events ?? [])
        // Changes in a gap that is too long to be read mostly concern the newest messages before it.
        if omitted?.isWhole != true {
          revised = try await page(of: ref, before: cursor.rawValue, limit: 100)?.messages ?? []
        }
      }
      // The history before the account joined may be hidden, and long.
      if news.messages.isEmpty, news.count == nil, !room.isJoined(by: user) {
        let page = try await page(of: ref, before: room.previous, limit: limit)
        if let page { news.take(page, in: ref) }
      }
      info.title = try await title(of: ref, room, peer: peer)
      info.members = try await members(of: ref, room, peer: peer)
      resolved = try await resolveReplies(news.messages, in: ref)
      revised += try await optional(\.isPermanent) { try await self.revised(news, in: ref) } ?? []
      memory.succeeded(ref)
    } catch let error as BackendError where memory.isHopeless(error, in: ref) {}
    return ConversationDelta(
      info: info, count: news.count,
      unread: unread(room, "notification_count"), unreadMentions: unread(room, "highlight_count"),
      messages: resolved ?? news.messages.map(\.message), reachesStart: news.reachesStart,
      previous: news.previous?.token, revised: revised)
  }

  /// Fetches the events of a gap, at most 1,000: a change among them may concern a message from before the gap.
  private func events(
    in room: ConversationRef, between cursor: SyncCursor, and end: String
  ) async throws -> (events: [RoomEvent], isWhole: Bool) {
    var (events, from): ([RoomEvent], String?) = ([], end)
    let query = [
      ("dir", "b"), ("to", cursor.rawValue), ("limit", "100"), ("filter", try SyncFilter.changes.text()),
    ]
    for _ in 0..<10 {
      guard let token = from else { break }
      let path = ["rooms", room.rawValue, "messages"]
      let page = try MessagesAnswer(await calls.get(path, query + [("from", token)]))
      memory.learn(page.events, in: room)
      events = page.events.reversed() + events
      from = page.end == token ? nil : page.end
    }
    return (events, from == nil)
  }

  /// Fetches the messages before a token, or the newest ones, as they are now; nil if the homeserver refuses them.
  private func page(
    of room: ConversationRef, before token: String?, limit: Int
  ) async throws -> HistoryPage? {
    let anchor = token.map { HistoryAnchor.token(PageToken.back(room, $0).token) } ?? .newest
    return try await optional(\.isPermanent) { try await history(of: room, at: anchor, limit: limit) }
  }

  private func unread(_ room: JoinedRoom, _ name: String) -> Int? {
    guard options.countsNotifications else { return nil }
    return room.notifications?[name]?.integer.map { Int(clamping: max($0, 0)) }
  }

  /// Fetches the older messages that have changed, as they are now.
  private func revised(_ news: RoomNews, in room: ConversationRef) async throws -> [IncomingMessage] {
    let changed = news.changed.sorted { $0.key.rawValue < $1.key.rawValue }
    guard !changed.isEmpty else { return [] }
    let flags = try await flags(of: room, pins: news.pins, stars: news.stars)
    let found = try await changed.mapConcurrently(limit: options.concurrentCalls) {
      try await current(
        $0.key, in: room, flags, changed: $0.value, edits: news.edits[$0.key] ?? [])
    }
    return try await resolveReplies(found.compactMap(\.self), in: room)
  }
}
