import SkeinStorage

extension RemoteMessageLoader {
  /// The anchor at one edge of a gap: the upper edge for `older`, the lower edge for `newer`. Nil if there is
  /// no such anchor.
  func anchor(_ direction: PagingDirection, of gap: SpanMap.OpenGap) async throws -> HistoryAnchor? {
    if store.ordering == .arrival { return try await token(direction, of: gap).map { .token($0) } }
    if direction == .older { return .before(Position(rawValue: gap.upper.rawValue)) }
    guard backend.capabilities.history.contains(.after) else { return nil }
    // The server does not know the places of an earlier epoch.
    return gap.lower.flatMap { $0.isEarlier ? nil : .after(Position(rawValue: $0.rawValue)) }
  }

  private func token(_ direction: PagingDirection, of gap: SpanMap.OpenGap) async throws -> HistoryToken? {
    let spans = try await store.read { [conversation] database in
      try database.find(ConversationRow.self, conversation).map { try database.spans(of: $0, isDense: false) }
    }
    return switch direction {
    case .older: spans?.spans.first { $0.lower == gap.upper }?.lowerToken
    case .newer: spans?.spans.first { $0.upper == gap.lower }?.upperToken
    }
  }

  /// Fetches a page of a gap; nil if the server does not have the conversation yet. If ``GapWalk`` decides so, further pages
  /// are fetched and stored together with this page.
  func fetch(
    _ anchor: HistoryAnchor, _ direction: PagingDirection, through gap: SpanMap.OpenGap, limit: Int
  ) async throws -> FetchedPage? {
    guard store.ordering == .arrival else { return try await fetch(anchor, limit: limit) }
    let edge = direction == .older ? gap.lower : gap.upper
    guard backend.capabilities.reordersHistory else {
      guard let edge else { return try await fetch(anchor, limit: limit) }
      return try await fetch(anchor, direction, GapWalk(to: edge), limit: limit)
    }
    let (spans, chat) = try await storedSpans()
    let stretches =
      switch direction {
      case .older:
        spans.filter { span in gap.lower.map { span.upper <= $0 } ?? false }
          .map { GapWalk.Stretch(near: $0.upper, far: $0.lower) }
      case .newer:
        spans.filter { $0.lower >= gap.upper }.map { GapWalk.Stretch(near: $0.lower, far: $0.upper) }
      }
    // Only what is older than the last cleared message was cleared.
    let cleared = direction == .older ? chat : nil
    let walk = GapWalk(
      to: edge, direction, beyond: stretches, clearedUpTo: cleared?.clearedUpTo ?? .lowest,
      clearedTime: cleared?.clearedTimeToFind)
    return try await fetch(anchor, direction, walk, limit: limit)
  }

  /// Fetches a page that was not requested at the edge of a span. On a server that reorders its history, further pages
  /// follow on each side at which the page reaches a stored stretch.
  func fetchFree(_ anchor: HistoryAnchor, limit: Int) async throws -> FetchedPage? {
    guard var fetched = try await fetch(anchor, limit: limit) else { return nil }
    guard backend.capabilities.reordersHistory else { return fetched }
    let (spans, chat) = try await storedSpans()
    let page = fetched.page
    let older = GapWalk(
      fromPageTo: spans.map { GapWalk.Stretch(near: $0.upper, far: $0.lower) },
      clearedUpTo: chat?.clearedUpTo ?? .lowest, clearedTime: chat?.clearedTimeToFind)
    try await extend(&fetched, from: page, .older, older, limit: limit)
    let newer = GapWalk(
      fromPageTo: spans.map { GapWalk.Stretch(near: $0.lower, far: $0.upper) }, clearedUpTo: .lowest)
    try await extend(&fetched, from: page, .newer, newer, limit: limit)
    return fetched
  }

  private func storedSpans() async throws -> (spans: [Span], conversation: ConversationRow?) {
    try await store.read { [conversation] rows in
      guard let row = try rows.find(ConversationRow.self, conversation) else { return ([], nil) }
      return (try rows.spans(of: row, isDense: false).spans, row)
    }
  }

  private func fetch(
    _ anchor: HistoryAnchor, _ direction: PagingDirection, _ walk: GapWalk, limit: Int
  ) async throws -> FetchedPage? {
    guard var fetched = try await fetch(anchor, limit: limit) else { return nil }
    try await extend(&fetched, from: fetched.page, direction, walk, tokens: [anchor.token], limit: limit)
    return fetched
  }

  /// Adds the pages after a page in one direction, as long as the walk continues.
  ///
  /// - Parameter tokens: the tokens of earlier requests.
  private func extend(
    _ fetched: inout FetchedPage, from page: HistoryPage, _ direction: PagingDirection, _ walk: GapWalk,
    tokens: Set<HistoryToken?> = [nil], limit: Int
  ) async throws {
    var (page, walk, tokens) = (page, walk, tokens)
    do {
      while tokens.count < Self.longestWalk, let token = page.token(direction),
        tokens.insert(token).inserted,
        walk.continues(after: try await places(of: page, direction), at: page.messages.map(\.time)),
        let next = try await fetch(.token(token), limit: limit)?.page, next.epoch == page.epoch
      {
        fetched.page.append(next, direction)
        page = next
      }
    } catch let error as BackendError where error.code != .unauthorized && walk.joinsNothing {
      // The pages so far extend the stretch from which paging started.
    }
    // As in `fetch(_:limit:)`: the next messages may be listed before this end.
    if fetched.page.reachesEnd, backend.capabilities.reordersHistory { fetched.page.next = nil }
  }

  /// The maximum number of pages of a walk in one direction, with its first page. Messages that lie further beyond the edge
  /// stay missing, and no gap shows it.
  private static var longestWalk: Int { 20 }

  /// The ranks of a page's messages in the direction of paging; nil for a message that is in no span. An own message has a
  /// place of its own before the server returns it.
  private func places(of page: HistoryPage, _ direction: PagingDirection) async throws -> [Rank?] {
    let ranks = try await store.read { [conversation] rows -> [Rank?] in
      guard let stored = try rows.find(ConversationRow.self, conversation) else { return [] }
      let spans = try rows.spans(of: stored, isDense: false)
      return try page.messages.map { message -> Rank? in
        guard let row = try rows.message(like: message, in: conversation), row.isPlaced,
          !row.isTimeEstimated, spans.span(containing: row.rank) != nil
        else { return nil }
        return row.rank
      }
    }
    return direction == .older ? ranks.reversed() : ranks
  }

  // MARK: Paging to newer messages

  /// Fetches the messages around the last one below a gap again. A server that reorders its history may list messages there
  /// that it received after that stretch was fetched, and paging from the stretch to newer messages does not pass them.
  ///
  /// - Returns: whether anything was new. False if the stretch was read again before, if the server no longer has the
  ///   message, does not reorder its history, or has no pages around a message.
  func rereadEnd(below gap: SpanMap.OpenGap) async throws -> Bool {
    guard backend.capabilities.reordersHistory, let lower = gap.lower,
      !(await fills.isEndCurrent(below: gap)),
      let end = try await jumpAnchor(at: lower)
    else { return false }
    var isNews = false
    do {
      isNews = try await loadFree(end, limit: Self.rereadLimit)?.isNews ?? false
    } catch let error as BackendError where error.code == .permanent {
      // The server no longer has the message.
    }
    try await noteEndIsCurrent(from: lower, below: gap)
    return isNews
  }

  /// Notes that the stretch from a message up to a gap is current.
  func noteEndIsCurrent(from lower: Rank, below gap: SpanMap.OpenGap) async throws {
    guard backend.capabilities.reordersHistory else { return }
    guard let span = try await storedSpans().spans.last(where: { $0.lower <= lower }) else { return }
    await fills.noteEndIsCurrent(below: SpanMap.OpenGap(lower: span.upper, upper: gap.upper))
  }

  /// The anchor of a page around a stored message; nil if the server has no such pages.
  private func jumpAnchor(at rank: Rank) async throws -> HistoryAnchor? {
    let row = try await store.read { [conversation] rows in
      try rows.firstMessage(of: conversation, from: rank, to: rank)
    }
    let history = backend.capabilities.history
    if history.contains(.message), let id = row?.serverID { return .message(id) }
    return history.contains(.time) ? row.map { .time($0.time) } : nil
  }

  /// The number of messages around the last one below a gap that are fetched again.
  private static var rereadLimit: Int { 20 }

  // MARK: Results

  /// Returns `isNews`, or throws if another request would repeat this request.
  ///
  /// - Throws: ``FruitlessFill`` if nothing is new and the next request would use the same token.
  func requireProgress(
    _ isNews: Bool, next token: HistoryToken?, after anchor: HistoryAnchor, _ gap: SpanMap.OpenGap
  ) throws -> Bool {
    if !isNews, let token, token == anchor.token { throw FruitlessFill(gap: gap, isFinal: true) }
    return isNews
  }
}

extension HistoryPage {
  /// The token of the next page in a direction.
  fileprivate func token(_ direction: PagingDirection) -> HistoryToken? {
    direction == .older ? previous : next
  }

  /// Adds the next page in a direction. If that page has no token for the page after it, the token of this page remains.
  fileprivate mutating func append(_ page: HistoryPage, _ direction: PagingDirection) {
    switch direction {
    case .older:
      messages = page.messages + messages
      (previous, reachesStart) = (page.previous ?? previous, page.reachesStart)
    case .newer:
      messages += page.messages
      (next, reachesEnd) = (page.next ?? next, page.reachesEnd)
    }
  }
}

extension HistoryAnchor {
  /// The anchor for the page before a given page. On servers with positions, the anchor is the page's lowest
  /// position. On other servers, the anchor is the page's token. Nil if the page has no such position or
  /// token.
  init?(before page: HistoryPage, on ordering: BackendCapabilities.Ordering) {
    if ordering == .arrival {
      guard let token = page.previous else { return nil }
      self = .token(token)
    } else {
      guard let first = page.messages.compactMap(\.position).min() else { return nil }
      self = .before(first)
    }
  }

  var token: HistoryToken? { if case .token(let token) = self { token } else { nil } }
}
