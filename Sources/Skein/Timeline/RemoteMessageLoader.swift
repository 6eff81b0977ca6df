import SkeinStorage

/// Fetches the messages of one conversation from the server and has the intake store them.
struct RemoteMessageLoader: Sendable {
  let conversation: ConversationID
  let store: ChatStore
  let backend: any ChatBackend
  let fills: GapFills

  init(conversation: ConversationID, store: ChatStore, backend: any ChatBackend) {
    self.conversation = conversation
    self.store = store
    self.backend = backend
    fills = GapFills(runtime: store.runtime)
  }

  /// Fetches the newest messages.
  ///
  /// - Returns: whether the page extended the spans, or showed that the conversation is empty. Also true if
  ///   the server does not have the conversation yet.
  func loadNewMessages(limit: Int) async throws -> Bool {
    try await loadFree(.newest, limit: limit)?.isNews ?? true
  }

  /// Fetches a page of a gap. The side at which paging has reached the gap is requested first, if there is an
  /// anchor for this side.
  ///
  /// - Returns: whether the page contained anything new. Also true in two cases: the page was discarded
  ///   because the span has changed, or the server does not have the conversation yet.
  /// - Throws: ``FruitlessFill`` if another request would return the same page, or if there is no anchor for
  ///   a request.
  func loadMessages(in gap: SpanMap.OpenGap, _ direction: PagingDirection, limit: Int) async throws -> Bool {
    try await fills.fill(gap) { try await fetchMessages(in: gap, direction, limit: limit) }
  }

  private func fetchMessages(in gap: SpanMap.OpenGap, _ direction: PagingDirection, limit: Int) async throws
    -> Bool
  {
    let older = try await anchor(.older, of: gap)
    if direction == .newer, let lower = gap.lower, let anchor = try await anchor(.newer, of: gap) {
      if try await rereadEnd(below: gap) { return true }
      guard let fetched = try await fetch(anchor, .newer, through: gap, limit: limit) else { return true }
      let isNews = try await store(fetched) { [conversation] in
        try $0.ingest($1, above: lower, at: anchor.token, in: conversation)
      }
      try await noteEndIsCurrent(from: lower, below: gap)
      // If this side of the gap returned nothing new, the other side is requested, provided there is an
      // anchor for it.
      if isNews || older == nil {
        return try requireProgress(isNews, next: fetched.page.next, after: anchor, gap)
      }
    }
    guard let anchor = older else { throw FruitlessFill(gap: gap, isFinal: true) }
    guard let fetched = try await fetch(anchor, .older, through: gap, limit: limit) else { return true }
    let isNews = try await store(fetched) { [conversation] in
      try $0.ingest($1, below: gap.upper, at: anchor.token, in: conversation)
    }
    return try requireProgress(isNews, next: fetched.page.previous, after: anchor, gap)
  }

  /// Fetches the messages around an anchor.
  ///
  /// - Returns: the fetched messages, in ascending order; none if the server does not have the conversation yet.
  func loadMessages(around anchor: HistoryAnchor, limit: Int) async throws -> [IncomingMessage] {
    try await loadFree(anchor, limit: limit)?.page.messages ?? []
  }

  /// Fetches a page that is not at the edge of a span, and stores it.
  ///
  /// - Returns: the page, and whether it extended the spans or showed that the conversation is empty. Nil if the server does
  ///   not have the conversation yet.
  func loadFree(_ anchor: HistoryAnchor, limit: Int) async throws -> (page: HistoryPage, isNews: Bool)? {
    guard let fetched = try await fetchFree(anchor, limit: limit) else { return nil }
    let isNews = try await store(fetched) { [conversation] in try $0.ingest($1, in: conversation) }
    return (fetched.page, isNews)
  }

  /// Fetches a page of history; nil if the server does not have the conversation yet.
  func fetch(_ anchor: HistoryAnchor, limit: Int) async throws -> FetchedPage? {
    let (ref, account) = try await store.read { [conversation] in
      (try $0.find(ConversationRow.self, conversation)?.joinedRef, try $0.account())
    }
    let epoch = account?.epoch
    guard let ref else { return nil }
    var page = try await backend.history(of: ref, at: anchor, limit: limit)
    // The page must be of the epoch in which it was requested, since the page joins the messages stored in
    // that epoch.
    guard epoch == nil || page.epoch ?? epoch == epoch else { throw BackendError.otherEpoch }
    page.epoch = page.epoch ?? epoch
    // The next messages of such a server may be listed before the end of this page: the gap after it is filled from above.
    if page.reachesEnd, backend.capabilities.reordersHistory { page.next = nil }
    page.messages = page.messages.inOrder
    return FetchedPage(page: page, precedesFirstSync: account?.cursor == nil)
  }

  func store(
    _ fetched: FetchedPage, _ ingest: @Sendable (Intake, HistoryPage) throws -> Bool
  ) async throws -> Bool {
    try await store.write(.kill) { work in
      try work.requireCurrent(fetched.page.epoch)
      // The first sync does not report earlier changes, so a page that was requested before the first sync
      // may be out of date afterwards. Such a page is stored only before the first sync and before the first
      // epoch. When the server then states its first epoch, the stored messages of the page become messages
      // of an earlier epoch, and the client fetches them again with their current state.
      let account = work.account
      if fetched.precedesFirstSync, account.cursor != nil || account.epoch != nil {
        throw BackendError.otherEpoch
      }
      return try ingest(Intake(work), fetched.page)
    }
  }
}

/// A page of history, and whether the request preceded the first sync.
struct FetchedPage: Sendable {
  var page: HistoryPage
  /// Whether the page was requested before the first sync.
  let precedesFirstSync: Bool
}
