public import SkeinModel

extension MatrixBackend {
  /// Fetches one page of a room, or of the rooms that it replaces. Pages have tokens in both directions.
  ///
  /// - Parameter limit: the maximum number of messages; clamped to 1 to 200.
  public func history(
    of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int
  ) async throws -> HistoryPage {
    let limit = min(max(limit, 1), 200)
    return try await asMember(of: conversation) {
      try await complete(page(of: conversation, at: anchor, limit))
    }
  }

  private func page(
    of room: ConversationRef, at anchor: HistoryAnchor, _ limit: Int
  ) async throws -> EventPage {
    switch anchor {
    case .newest: return try await walk(.back(room, nil), limit, isNewest: true)
    case .token(let token):
      guard let token = PageToken(token, in: room) else {
        throw BackendError(.permanent, "The token is not one of this homeserver's history.")
      }
      return try await walk(token, limit)
    case .message(let id): return try await page(of: room, around: id, limit)
    case .time(let time): return try await page(of: room, at: time, limit)
    case .before, .after, .around:
      throw BackendError(.unsupported, "Pages of this homeserver have tokens and no positions.")
    }
  }

  /// The page around a message. Not the messages that Synapse returns around an event: they omit messages that other
  /// users sent at the same moment, which have the same depth in the room.
  private func page(
    of room: ConversationRef, around id: ServerMessageID, _ limit: Int
  ) async throws -> EventPage {
    let (event, start): (RoomEvent?, String)
    do {
      (event, start) = try await context(of: id, in: room)
    } catch let error as BackendError where error.isMissing {
      guard let before = try await predecessor(of: room) else { throw error }
      return try await page(of: before, around: id, limit)
    }
    guard let event, event.isMessage, event.id == id, event.isIn(room) else {
      throw BackendError(.permanent, "The conversation does not have the message.")
    }
    let older = limit < 3 ? nil : try await walk(.back(room, start), limit / 2, isInOneRoom: true)
    let newer = try await walk(
      .forward(room, start), limit - (older?.events.count ?? 0), isInOneRoom: true)
    return EventPage(
      room: room, events: (older?.events ?? []) + newer.events, reachesStart: older?.reachesStart ?? false,
      reachesEnd: newer.reachesEnd, previous: older == nil ? .back(room, start) : older?.previous,
      next: newer.next)
  }

  /// The page that begins with the first message at or after a time, or else the newest page.
  private func page(of room: ConversationRef, at time: Timestamp, _ limit: Int) async throws -> EventPage {
    for room in try await replaced(by: room).reversed() + [room] {
      do {
        let found = try await calls.get(
          ["rooms", room.rawValue, "timestamp_to_event"],
          [("ts", String(max(time.rawValue, 0))), ("dir", "f")], version: "v1")
        let id = ServerMessageID(rawValue: try found.id("$", "event_id"))
        // The token before an event includes the event when paging forward.
        let start = try await context(of: id, in: room).start
        let page = try await walk(.forward(room, start), limit, isInOneRoom: true)
        if !page.events.isEmpty { return page }
      } catch let error as BackendError where error.refusal?.status == 404 {
        // No event is as new as the time.
      }
    }
    return try await walk(.back(room, nil), limit, isNewest: true)
  }

  /// The maximum number of calls for one page. More pages without any message are no history, but tokens in a circle.
  private static let longestWalk = 200

  /// Pages on until there are `limit` messages, or the room ends: pages of the homeserver may contain edits only. If the
  /// room ends without a message, goes on in the room that it replaces, or in the one that replaces it.
  ///
  /// - Parameters:
  ///   - isInOneRoom: whether the page ends with the room even if it has no message.
  ///   - isNewest: whether no message is after the place.
  private func walk(
    _ place: PageToken, _ limit: Int, isInOneRoom: Bool = false, isNewest: Bool = false
  ) async throws -> EventPage {
    let (room, isBack) = (place.room, place.direction == .back)
    var (from, start, isOver) = (place.origin, place.origin, false)
    var events: [RoomEvent] = []
    var known: Set<ServerMessageID> = []
    var tokens: Set<String?> = [place.origin]
    // A page with some messages is returned after a few calls, an empty page only at the end of the room.
    var calls = 0
    while !isOver, events.count < limit, events.isEmpty || calls < 4 {
      calls += 1
      var query = [("dir", isBack ? "b" : "f"), ("filter", try SyncFilter.messages.text())]
      query.append(("limit", String(limit - events.count)))
      if let from { query.append(("from", from)) }
      let answer = try MessagesAnswer(await self.calls.get(["rooms", room.rawValue, "messages"], query))
      start = start ?? answer.start
      memory.learn(answer.events, in: room)
      events += answer.events.filter {
        $0.isMessage && memory.changes[$0.id] == nil && known.insert($0.id).inserted
      }
      isOver = answer.end == nil || !isBack && answer.end == from
      let isCircle = !isOver && (!tokens.insert(answer.end).inserted || calls == Self.longestWalk)
      guard !isCircle, answer.events.allSatisfy({ $0.isIn(room) }) else {
        throw BackendError(
          damaged: "GET v3/rooms/\(room.rawValue)/messages",
          isCircle ? "The tokens lead in a circle." : "There are events of another room.")
      }
      from = answer.end ?? from
    }
    let following = try await !isOver ? nil : isBack ? predecessor(of: room) : continuation(of: room)
    let next = following.map { PageToken(direction: place.direction, room: $0, origin: nil) }
    if events.isEmpty, !isInOneRoom, let next { return try await walk(next, limit, isNewest: isNewest) }
    if isBack {
      return EventPage(
        room: room, events: events.reversed(), reachesStart: isOver && next == nil, reachesEnd: isNewest,
        previous: next ?? (isOver ? nil : from.map { .back(room, $0) }),
        next: start.map { .forward(room, $0) })
    }
    return EventPage(
      room: room, events: events, reachesStart: false, reachesEnd: isOver && next == nil,
      previous: .back(room, start), next: next ?? from.map { .forward(room, $0) })
  }

  /// Fetches an event, nil if it is malformed, with the token before it and before all events that were sent at the same moment.
  /// Throws `permanent` if the room does not have it.
  private func context(
    of id: ServerMessageID, in room: ConversationRef
  ) async throws -> (event: RoomEvent?, start: String) {
    let answer = try await calls.get(
      ["rooms", room.rawValue, "context", id.rawValue],
      [("limit", "1"), ("filter", try SyncFilter.messages.text())])
    return (answer["event"].flatMap(RoomEvent.init), try answer.requiredToken("start"))
  }

  private func complete(_ page: EventPage) async throws -> HistoryPage {
    let (room, flags) = (page.room, try await flags(of: page.room))
    var found = page.events.compactMap { UnquotedMessage($0) }
    if options.fetchesReactionsOfPages {
      found = try await found.mapConcurrently(limit: options.concurrentCalls) { message in
        var message = message
        try await complete(&message, in: room, flags)
        return message
      }
    } else {
      for index in found.indices { flags.apply(to: &found[index].message) }
    }
    return HistoryPage(
      messages: try await resolveReplies(found, in: room), reachesStart: page.reachesStart,
      reachesEnd: page.reachesEnd, previous: page.previous?.token, next: page.next?.token)
  }
}
