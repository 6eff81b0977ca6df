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

  /// Fetches a page of a gap; nil if the server does not have the conversation yet.
  ///
  /// On a server without positions, messages of the gap may also lie beyond the message at the far edge. This
  /// is the edge that the page approaches. If the page ends exactly at that message and has a token for the
  /// next page, the next page is fetched too. A next page of another epoch is ignored.
  func fetch(
    _ anchor: HistoryAnchor, _ direction: PagingDirection, through gap: SpanMap.OpenGap, limit: Int
  ) async throws -> FetchedPage? {
    guard var fetched = try await fetch(anchor, limit: limit) else { return nil }
    let page = fetched.page
    let (end, edge, token) =
      switch direction {
      case .older: (page.messages.first, gap.lower, page.previous)
      case .newer: (page.messages.last, gap.upper, page.next)
      }
    guard store.ordering == .arrival, let edge, let end, let token, try await place(of: end) == edge,
      let next = try await fetch(.token(token), limit: limit)?.page, next.epoch == page.epoch
    else { return fetched }
    switch direction {
    case .older:
      fetched.page.messages = next.messages + page.messages
      (fetched.page.previous, fetched.page.reachesStart) = (next.previous ?? token, next.reachesStart)
    case .newer:
      fetched.page.messages += next.messages
      (fetched.page.next, fetched.page.reachesEnd) = (next.next ?? token, next.reachesEnd)
    }
    return fetched
  }

  private func place(of message: IncomingMessage) async throws -> Rank? {
    try await store.read { [conversation] in try $0.message(like: message, in: conversation)?.rank }
  }

  /// Returns `isNews`, or throws if another request would repeat this request.
  ///
  /// - Throws: ``FruitlessFill`` if nothing is new and the next request would use the same token.
  func check(
    _ isNews: Bool, next token: HistoryToken?, after anchor: HistoryAnchor, _ gap: SpanMap.OpenGap
  ) throws -> Bool {
    if !isNews, let token, token == anchor.token { throw FruitlessFill(gap: gap, isFinal: true) }
    return isNews
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
