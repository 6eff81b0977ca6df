import SkeinStorage

/// Loads the stored messages of one conversation. Paging stops at the gaps that the server may still fill.
struct LocalMessageLoader: Sendable {
  let conversation: ConversationID
  let store: ChatStore

  /// Returns the stored messages next to a place, up to the first gap that the server may still fill. The
  /// message at the place is not included.
  ///
  /// - Parameter passing: gaps at which loading no longer stops.
  func loadMessages(
    from anchor: MessageOrder, _ direction: PagingDirection, limit: Int, passing: Set<SpanMap.OpenGap>
  ) async throws -> MessagePage {
    try await read { database, facts in
      switch direction {
      case .older: try database.messages(before: anchor, of: conversation, facts, limit, passing)
      case .newer: try database.messages(after: anchor, of: conversation, facts, limit, passing)
      }
    }
  }

  /// Returns the stored messages around a place, including the message at the place. If enough messages are
  /// stored, about half of the returned messages are on each side.
  func loadMessages(around anchor: MessageOrder, limit: Int, passing: Set<SpanMap.OpenGap>) async throws
    -> MessagePage
  {
    try await read { database, facts in
      let next = MessageOrder(rank: anchor.rank, id: anchor.id.next)
      let before = try database.messages(before: next, of: conversation, facts, limit / 2 + 1, passing)
      let after = try database.messages(
        after: anchor, of: conversation, facts, max(limit - before.rows.count, 1), passing)
      return MessagePage(
        rows: before.rows + after.rows, bounds: before.bounds.lowerBound...after.bounds.upperBound, stop: nil,
        facts: facts)
    }
  }

  /// Returns a message's place; nil if the message is not stored in this conversation, or was deleted here.
  func place(of id: LocalMessageID) async throws -> MessageOrder? {
    let row = try await store.read { try $0.find(MessageRow.self, id) }
    guard let row, row.conversation == conversation, !row.isHidden else { return nil }
    return row.order
  }

  /// Returns the place of a message with a server id; nil if the message is not stored in this conversation, or was
  /// deleted here.
  func place(of id: ServerMessageID) async throws -> MessageOrder? {
    try await store.read { [conversation] in try $0.place(of: id, in: conversation) }
  }

  /// Returns the place of the first message that is not older than a time, if the stored messages determine
  /// this place.
  func place(of time: Timestamp, passing: Set<SpanMap.OpenGap>) async throws -> TimePlace {
    try await read { database, facts in try database.place(of: time, in: conversation, facts, passing) }
  }

  /// Returns all stored messages between two places; no messages if the conversation no longer exists.
  func loadMessages(within bounds: ClosedRange<MessageOrder>) async throws -> MessagePage {
    let isDense = store.ordering == .dense
    return try await store.read { [conversation] database in
      let facts =
        try database.facts(of: conversation, isDense: isDense)
        ?? HistoryFacts(
          spans: SpanMap(isDense: isDense), stored: nil, isBound: false,
          version: database.account()?.version ?? 0, epoch: database.account()?.epoch)
      return MessagePage(
        rows: try database.messages(of: conversation, within: bounds), bounds: bounds, stop: nil, facts: facts
      )
    }
  }

  private func read<Result: Sendable>(_ body: @Sendable (ReadTransaction, HistoryFacts) throws -> Result)
    async throws -> Result
  {
    let isDense = store.ordering == .dense
    return try await store.read { [conversation] database in
      guard let facts = try database.facts(of: conversation, isDense: isDense) else {
        throw ChatError(.conversationUnknown, "There is no such conversation in this database.")
      }
      return try body(database, facts)
    }
  }
}

extension ReadTransaction {
  /// The facts about a conversation's history; nil for an unknown conversation.
  fileprivate func facts(of conversation: ConversationID, isDense: Bool) throws -> HistoryFacts? {
    guard let row = try find(ConversationRow.self, conversation), let account = try account() else {
      return nil
    }
    return HistoryFacts(
      spans: try spans(of: row, isDense: isDense),
      stored: try storedMessages(of: row.id, upTo: lastMessage(of: row.id)), isBound: row.joinedRef != nil,
      version: account.version, epoch: account.epoch)
  }
}

extension ReadTransaction {
  // Each query requests one message more than the limit, to find out whether more messages are stored.

  fileprivate func messages(
    before anchor: MessageOrder, of conversation: ConversationID, _ facts: HistoryFacts, _ limit: Int,
    _ passing: Set<SpanMap.OpenGap>
  ) throws -> MessagePage {
    let stop = facts.spans.openGap(below: anchor.rank, passing: passing)
    let bottom = stop.flatMap { $0.upper <= anchor.rank ? $0.upper : nil }
    let found = try messages(of: conversation, below: anchor, from: bottom ?? .lowest, limit: limit + 1)
    let rows = Array(found.prefix(limit).reversed())
    let end = bottom.map { MessageOrder(above: $0) } ?? .lowest
    let lower = found.count > limit ? rows.first?.order ?? end : end
    return MessagePage(rows: rows, bounds: min(lower, anchor)...anchor, stop: stop, facts: facts)
  }

  fileprivate func messages(
    after anchor: MessageOrder, of conversation: ConversationID, _ facts: HistoryFacts, _ limit: Int,
    _ passing: Set<SpanMap.OpenGap>
  ) throws -> MessagePage {
    let stop = facts.spans.openGap(above: anchor.rank, passing: passing)
    let top = stop.map { gap in
      gap.lower.flatMap { anchor.rank <= $0 ? $0 : nil } ?? gap.upper.predecessor
    }
    let found = try messages(of: conversation, above: anchor, upTo: top ?? .highest, limit: limit + 1)
    let rows = Array(found.prefix(limit))
    let end = top.map { MessageOrder(rank: $0, id: .init(rawValue: .max)) } ?? .highest
    let upper = found.count > limit ? rows.last?.order ?? end : end
    return MessagePage(rows: rows, bounds: anchor...max(upper, anchor), stop: stop, facts: facts)
  }
}
