import SkeinStorage

/// Fetches the messages of one conversation from the server and has the intake store them.
struct RemoteMessageLoader: Sendable {
  let conversation: ConversationID
  let store: ChatStore
  let backend: any ChatBackend

  /// Fetches the newest messages; false where the server told nothing.
  func loadNewMessages(limit: Int) async throws -> Bool {
    guard let page = try await fetch(.newest, limit: limit) else { return true }
    return try await store.write(.kill) { [conversation] in try $0.take(page, in: conversation) }
  }

  /// Fetches a page of what a gap holds, from the side that a reader comes from; false where that made it no smaller.
  func loadMessages(in gap: SpanMap.OpenGap, _ direction: PagingDirection, limit: Int) async throws -> Bool {
    if direction == .newer, let lower = gap.lower, backend.capabilities.history.contains(.after) {
      guard let page = try await fetch(.after(Position(rawValue: lower.rawValue)), limit: limit) else {
        return true
      }
      return try await store.write(.kill) { [conversation] in
        try $0.take(page, above: lower, in: conversation)
      }
    }
    guard let page = try await fetch(.before(Position(rawValue: gap.upper.rawValue)), limit: limit) else {
      return true
    }
    return try await store.write(.kill) { [conversation] in
      try $0.take(page, below: gap.upper, in: conversation)
    }
  }

  /// Fetches the messages around a place that the backend can be asked for.
  ///
  /// - Returns: those that the server handed over, ascending.
  func loadMessages(around anchor: HistoryAnchor, limit: Int) async throws -> [IncomingMessage] {
    guard let page = try await fetch(anchor, limit: limit) else { return [] }
    try await store.write(.kill) { [conversation] in _ = try $0.take(page, in: conversation) }
    return page.messages
  }

  /// Nil where the server does not have the conversation yet.
  private func fetch(_ anchor: HistoryAnchor, limit: Int) async throws -> HistoryPage? {
    let ref = try await store.read { [conversation] in try $0.find(ConversationRow.self, conversation)?.ref }
    guard let ref else { return nil }
    return try await backend.history(of: ref, at: anchor, limit: limit)
  }
}
