import SkeinStorage

/// The decisions about an answer of the server, made before the messages of the answer are stored.
///
/// 1. Each message gets a place, with these exceptions: cleared messages, second copies of a message,
///    messages outside the requested part of the history, and messages below a hole in the answer. If there
///    is no room for the answer, no message gets a place.
/// 2. The spans change in one step, after the messages are stored.
/// 3. In a conversation that was cleared in an earlier epoch, the server's time shows which messages were cleared.
struct IntakePlan: Equatable {
  /// The change of the spans.
  enum SpanStep: Equatable {
    case none
    case foundEmpty
    case syncedNothing
    case synced(
      ClosedRange<Rank>, isComplete: Bool, reachesStart: Bool, token: HistoryToken?, unreadBelow: Int?)
    case paged(ClosedRange<Rank>, reachesStart: Bool, previous: HistoryToken?, next: HistoryToken?)
  }

  /// The answer's last message that was cleared in an earlier epoch.
  struct ClearedEnd: Equatable {
    let rank: Rank
    /// The stored time of the last cleared message. The message at `rank` may have an earlier time.
    let time: Timestamp
    /// The index of the message in the answer.
    let message: Int
  }

  /// The stored state before the answer.
  struct Known {
    /// The prior place of each message of the answer.
    var priorPlaces: [SpanMap.PriorPlace]
    var spans: SpanMap
    /// The anchor for an answer whose neighbours are not known in advance.
    var free = SpanMap.PageAnchor.free(above: 0)
    /// The rank up to which messages were cleared.
    var clearedUpTo = Rank.lowest
    /// The server's time of the last message that was cleared in an earlier epoch; nil if it does not need to be found.
    var clearedTimeToFind: Timestamp?
    /// Whether the server's pages may have another order than its syncs.
    var reorders = false

    /// The prior places; `leftOut` for new messages before the last cleared message. They need no room.
    fileprivate var visiblePlaces: [SpanMap.PriorPlace] {
      guard let end = priorPlaces.firstIndex(of: .known(clearedUpTo)) else { return priorPlaces }
      return priorPlaces[..<end].map { $0 == .new ? .leftOut : $0 } + priorPlaces[end...]
    }

    /// Extends the range of a page that reaches the start of the history down to the first span that the page has passed,
    /// which closes the gaps between them. A server that reorders its history may list the last messages of such a span after
    /// the range.
    fileprivate func joined(_ stretch: ClosedRange<Rank>) -> ClosedRange<Rank> {
      guard reorders else { return stretch }
      // New messages before those of the span would belong below it.
      let passed = priorPlaces.prefix { $0 != .new }.compactMap { place -> Rank? in
        guard case .known(let rank) = place else { return nil }
        return spans.span(containing: rank)?.lower
      }
      return min(passed.min() ?? stretch.lowerBound, stretch.lowerBound)...stretch.upperBound
    }

    /// Whether a page contains the last cleared message, but not the last message of the span that begins with it. On a
    /// server that reorders its history, everything that is missing is then listed before that message, and counts as cleared.
    fileprivate func reachesCleared(_ stretch: ClosedRange<Rank>) -> Bool {
      reorders && clearedUpTo < stretch.lowerBound && priorPlaces.contains(.known(clearedUpTo))
    }
  }

  /// The place of each message of the answer; nil for a message without a place. A message without a place is
  /// not stored as a new message. Empty if the answer has no messages, or if there is no room for the answer.
  fileprivate(set) var ranks: [Rank?] = []
  fileprivate(set) var clearedEnd: ClearedEnd?
  fileprivate(set) var step = SpanStep.none
  /// Whether a conversation deleted here is listed again, because it has new messages that the server did not
  /// return.
  fileprivate(set) var unhides = false
  /// Whether the server's unread count can be applied.
  fileprivate(set) var countsUnread = false
}

extension IntakePlan {
  /// Decides about one conversation of a sync.
  ///
  /// - Parameters:
  ///   - missing: the number of new messages that the server did not return; nil if unknown. These messages
  ///     come before the answer's first message.
  ///   - startsDense: whether the positions are dense and the answer begins with position 1.
  init(
    sync delta: ConversationDelta, missing: Int?, isFirstSync: Bool, startsDense: Bool, known: Known
  ) {
    let surelyOmits = missing ?? 0 > 0
    guard !delta.messages.isEmpty else {
      unhides = surelyOmits
      countsUnread = missing == 0
      let isEmpty = delta.count == 0 && (isFirstSync || delta.reachesStart)
      step = missing != 0 ? .syncedNothing : isEmpty ? .foundEmpty : .none
      return
    }
    let adjoins = missing == 0 && known.spans.syncedTo != nil
    let mayOmit = missing != 0 && !delta.reachesStart
    // If there is no room at the right place, the messages are placed above all spans.
    guard
      let placement = place(
        delta.messages, adjoins ? .sync : known.free, reachesEnd: true, isNews: true, mayOmit: mayOmit, known)
        ?? place(
          delta.messages, .free(above: known.spans.spans.count), reachesEnd: true, isNews: true,
          mayOmit: mayOmit,
          known),
      let stretch = placement.stretch
    else { return }
    let clearedUpTo = max(known.clearedUpTo, clearedEnd?.rank ?? .lowest)
    unhides = surelyOmits && stretch.lowerBound > clearedUpTo
    let isComplete = missing == 0 && !placement.hasHole
    let reachesStart = delta.reachesStart ? !placement.hasHole : isComplete && (isFirstSync || startsDense)
    let isOwn = placement.isOwnLower
    // `missing` also includes messages that do not count as unread. The gap gets this number as its unread
    // count only if the server also returned an unread count. The server's count corrects the number
    // afterwards.
    let isCounted = isOwn && missing != 0 && !placement.hasHole && delta.unread != nil
    step = .synced(
      stretch, isComplete: isComplete, reachesStart: isOwn && reachesStart,
      token: isOwn ? delta.previous : nil, unreadBelow: isCounted ? missing : nil)
    countsUnread = true
  }

  /// Decides about a page of history.
  init(page: HistoryPage, at anchor: SpanMap.PageAnchor, known: Known) {
    guard
      let placement = place(
        page.messages, anchor, reachesStart: page.reachesStart, reachesEnd: page.reachesEnd, known),
      var stretch = placement.stretch
    else { return }
    if page.reachesStart { stretch = known.joined(stretch) }
    let endsAtCleared = known.reachesCleared(stretch)
    if endsAtCleared { stretch = known.clearedUpTo...stretch.upperBound }
    let isOwnLower = placement.isOwnLower && !endsAtCleared
    // A span that the page extends, but whose last message it lacks, keeps the token for what follows.
    let following = known.spans.spans.last { stretch.contains($0.upper) }?.upperToken
    step = .paged(
      stretch, reachesStart: isOwnLower && page.reachesStart, previous: isOwnLower ? page.previous : nil,
      next: placement.isOwnUpper ? page.next : following)
  }

  /// Finds the places of messages. A cleared message gets no place.
  ///
  /// - Parameters:
  ///   - isNews: whether the messages are those of a sync.
  ///   - mayOmit: whether the sync may have omitted messages before them.
  /// - Returns: nil if there is no room, or if no span has the edge of the anchor. Never nil on servers with
  ///   positions.
  private mutating func place(
    _ messages: [IncomingMessage], _ anchor: SpanMap.PageAnchor, reachesStart: Bool = false,
    reachesEnd: Bool, isNews: Bool = false, mayOmit: Bool = false, _ known: Known
  ) -> SpanMap.Placement? {
    let placed: SpanMap.Placement?
    switch anchor {
    case .free(let index) where known.reorders && mayOmit:
      placed = known.spans.placeIncomplete(known.visiblePlaces, above: index)
    case .below(let edge) where known.reorders:
      placed = known.spans.placeReordered(known.visiblePlaces, below: edge)
    default:
      placed = known.spans.place(
        known.visiblePlaces, anchor, reachesStart: reachesStart, isNews: isNews)
    }
    guard let placement = placed else { return nil }
    var clearedUpTo = known.clearedUpTo
    // If the neighbours of the answer are not known in advance, more cleared messages may follow. None can
    // follow an answer that reaches the newest message.
    switch findClearedEnd(of: messages, placement, isBounded: reachesEnd || !anchor.isFree, known) {
    case .none: break
    case .at(let end):
      clearedEnd = end
      clearedUpTo = max(clearedUpTo, end.rank)
    case .beyond:
      ranks = messages.map { _ in nil }
      return SpanMap.Placement(ranks: ranks)
    }
    let shown = placement.above(clearedUpTo)
    ranks = shown.ranks
    return shown
  }

  private enum ClearedSearch {
    case none
    case at(ClearedEnd)
    /// All messages of the answer were cleared, and possibly later messages too.
    case beyond
  }

  /// Finds the last message that was cleared in an earlier epoch. The times of the messages show which
  /// messages were cleared. The ranks do not show this, since they have changed with the epoch.
  ///
  /// - Parameter isBounded: false if more cleared messages may follow after the answer.
  private func findClearedEnd(
    of messages: [IncomingMessage], _ placement: SpanMap.Placement, isBounded: Bool, _ known: Known
  ) -> ClearedSearch {
    guard let end = known.clearedTimeToFind else { return .none }
    let cleared = messages.indices.filter { messages[$0].time <= end }
    let last = cleared.max {
      placement.ranks[$0] ?? .lowest < placement.ranks[$1] ?? .lowest
    }
    guard let last, let rank = placement.ranks[last] else { return .none }
    guard isBounded || cleared.count < messages.count else { return .beyond }
    return .at(ClearedEnd(rank: rank, time: end, message: last))
  }
}
