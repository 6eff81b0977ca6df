import SkeinStorage

/// Fetches the messages of one conversation from the server and has the intake store them.
struct RemoteMessageLoader: Sendable {
  let conversation: ConversationID
  let store: ChatStore
  let backend: any ChatBackend
  private let fills: GapFills

  init(conversation: ConversationID, store: ChatStore, backend: any ChatBackend) {
    self.conversation = conversation
    self.store = store
    self.backend = backend
    fills = GapFills(runtime: store.runtime)
  }

  /// Fetches the newest messages; false where the server told nothing.
  func loadNewMessages(limit: Int) async throws -> Bool {
    guard let fetched = try await fetch(.newest, limit: limit) else { return true }
    return try await store(fetched) { [conversation] in try $0.ingest($1, in: conversation) }
  }

  /// Fetches a page of what a gap holds, from the side that a reader comes from; false where that made it no smaller.
  ///
  /// - Throws: ``FruitlessFill`` where asking again would give the same.
  func loadMessages(in gap: SpanMap.OpenGap, _ direction: PagingDirection, limit: Int) async throws -> Bool {
    try await fills.fill(gap) { try await fetchMessages(in: gap, direction, limit: limit) }
  }

  private func fetchMessages(in gap: SpanMap.OpenGap, _ direction: PagingDirection, limit: Int) async throws
    -> Bool
  {
    let older = try await anchor(.older, of: gap)
    if direction == .newer, let lower = gap.lower, let anchor = try await anchor(.newer, of: gap) {
      guard let fetched = try await fetch(anchor, .newer, through: gap, limit: limit) else { return true }
      let isNews = try await store(fetched) { [conversation] in
        try $0.ingest($1, above: lower, at: anchor.token, in: conversation)
      }
      // Whether there is nothing any more, or nothing yet, is known on the other side.
      if isNews || older == nil { return try check(isNews, next: fetched.page.next, after: anchor, gap) }
    }
    guard let anchor = older else { throw FruitlessFill(gap: gap, isFinal: true) }
    guard let fetched = try await fetch(anchor, .older, through: gap, limit: limit) else { return true }
    let isNews = try await store(fetched) { [conversation] in
      try $0.ingest($1, below: gap.upper, at: anchor.token, in: conversation)
    }
    return try check(isNews, next: fetched.page.previous, after: anchor, gap)
  }

  /// Fetches the messages around a place that the backend can be asked for.
  ///
  /// - Returns: those that the server handed over, ascending.
  func loadMessages(around anchor: HistoryAnchor, limit: Int) async throws -> [IncomingMessage] {
    guard let fetched = try await fetch(anchor, limit: limit) else { return [] }
    _ = try await store(fetched) { [conversation] in try $0.ingest($1, in: conversation) }
    return fetched.page.messages
  }

  /// Nil where the server does not have the conversation yet.
  func fetch(_ anchor: HistoryAnchor, limit: Int) async throws -> FetchedPage? {
    let (ref, account) = try await store.read { [conversation] in
      (try $0.find(ConversationRow.self, conversation)?.ref, try $0.account())
    }
    let epoch = account?.epoch
    guard let ref else { return nil }
    var page = try await backend.history(of: ref, at: anchor, limit: limit)
    // Where it joins what is stored was said in the epoch in which it was asked for.
    guard epoch == nil || page.epoch ?? epoch == epoch else { throw BackendError.otherEpoch }
    page.epoch = page.epoch ?? epoch
    return FetchedPage(page: page, precedesFirstSync: account?.cursor == nil)
  }

  private func store(
    _ fetched: FetchedPage, _ ingest: @Sendable (Intake, HistoryPage) throws -> Bool
  ) async throws -> Bool {
    try await store.write(.kill) { work in
      try work.requireCurrent(fetched.page.epoch)
      // What is revised before the first sync, that does not tell; unless all that was heard before is of an earlier
      // epoch then.
      let account = work.account
      if fetched.precedesFirstSync, account.cursor != nil || account.epoch != nil {
        throw BackendError.otherEpoch
      }
      return try ingest(Intake(work), fetched.page)
    }
  }
}

/// A page of history, and the state in which it was asked for.
struct FetchedPage: Sendable {
  var page: HistoryPage
  /// Whether nothing had been synced yet when the server was asked.
  let precedesFirstSync: Bool
}
