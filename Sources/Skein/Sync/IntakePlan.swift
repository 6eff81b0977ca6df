import SkeinStorage

/// The decisions about an answer of the server, made before anything is stored.
///
/// 1. Each message gets a place, or none: it was cleared, or stands where the answer can't say.
/// 2. The spans change by one step, after the messages are stored.
/// 3. The end of what was cleared in an earlier epoch is found again by the server's time.
struct IntakePlan: Equatable {
  /// How the spans change.
  enum SpanStep: Equatable {
    case none
    case foundEmpty
    case syncedNothing
    case synced(
      ClosedRange<Rank>, isComplete: Bool, reachesStart: Bool, token: HistoryToken?, unreadBelow: Int?)
    case paged(ClosedRange<Rank>, reachesStart: Bool, previous: HistoryToken?, next: HistoryToken?)
  }

  /// The end of what was cleared, as it was found among the messages.
  struct ClearedEnd: Equatable {
    let rank: Rank
    let time: Timestamp
    /// The index of the last cleared message.
    let message: Int
  }

  /// What is known before the answer is stored.
  struct Known {
    /// One for each message of the answer.
    var priorPlaces: [SpanMap.PriorPlace]
    var spans: SpanMap
    /// Where an answer stands that goes on from nothing known.
    var free = SpanMap.PageAnchor.free(above: 0)
    /// Messages up to here were cleared, the last of them at a time of the server's.
    var clearedUpTo = Rank.lowest
    var clearedTime: Timestamp?
  }

  /// A place for each message; nil for one that is not stored.
  fileprivate(set) var ranks: [Rank?] = []
  fileprivate(set) var clearedEnd: ClearedEnd?
  fileprivate(set) var step = SpanStep.none
  /// Whether a conversation that was deleted here is listed again though no message of it was received.
  fileprivate(set) var unhides = false
  /// Whether the server's unread count can be applied.
  fileprivate(set) var countsUnread = false
}

extension IntakePlan {
  /// Decides about one conversation of a sync.
  ///
  /// - Parameters:
  ///   - missing: how many messages the server left out before the first; nil where it does not say.
  ///   - startsDense: whether the first message has the first position of a server with dense positions.
  init(
    sync delta: ConversationDelta, missing: Int?, isFirstSync: Bool, startsDense: Bool, known: Known
  ) {
    let isMissing = missing ?? 0 > 0
    guard !delta.messages.isEmpty else {
      unhides = isMissing
      countsUnread = missing == 0
      step = missing != 0 ? .syncedNothing : isFirstSync && delta.count == 0 ? .foundEmpty : .none
      return
    }
    // Where no gap has room for the messages, they stand above everything.
    guard
      let placement = place(delta.messages, missing == 0 ? .sync : known.free, reachesEnd: true, known)
        ?? place(delta.messages, .free(above: known.spans.spans.count), reachesEnd: true, known),
      let stretch = placement.stretch
    else { return }
    let clearedUpTo = max(known.clearedUpTo, clearedEnd?.rank ?? .lowest)
    unhides = isMissing && stretch.lowerBound > clearedUpTo
    let isComplete = missing == 0 && !placement.hasHole
    let reachesStart = isComplete && (isFirstSync || startsDense)
    let isOwn = placement.isOwnLower
    // How many are missing does not say how many of them count.
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
      let stretch = placement.stretch
    else { return }
    step = .paged(
      stretch, reachesStart: placement.isOwnLower && page.reachesStart,
      previous: placement.isOwnLower ? page.previous : nil,
      next: placement.isOwnUpper ? page.next : nil)
  }

  /// Finds the places of messages; those that were cleared get none.
  private mutating func place(
    _ messages: [IncomingMessage], _ anchor: SpanMap.PageAnchor, reachesStart: Bool = false,
    reachesEnd: Bool, _ known: Known
  ) -> SpanMap.Placement? {
    guard let placement = known.spans.place(known.priorPlaces, anchor, reachesStart: reachesStart) else {
      return nil
    }
    var clearedUpTo = known.clearedUpTo
    // Nobody knows what follows an answer that stands by itself.
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
    /// Everything in the answer was cleared, and so may be what follows it.
    case beyond
  }

  /// Finds the end of what was cleared in an earlier epoch: in this one it is known by the server's time alone.
  ///
  /// - Parameter isBounded: whether nothing that was cleared follows the answer.
  private func findClearedEnd(
    of messages: [IncomingMessage], _ placement: SpanMap.Placement, isBounded: Bool, _ known: Known
  ) -> ClearedSearch {
    guard known.clearedUpTo > .unplaced, known.clearedUpTo.isEarlier, let end = known.clearedTime else {
      return .none
    }
    let cleared = messages.indices.filter { messages[$0].time <= end }
    let last = cleared.max {
      placement.ranks[$0] ?? .lowest < placement.ranks[$1] ?? .lowest
    }
    guard let last, let rank = placement.ranks[last] else { return .none }
    guard isBounded || cleared.count < messages.count else { return .beyond }
    return .at(ClearedEnd(rank: rank, time: end, message: last))
  }
}
