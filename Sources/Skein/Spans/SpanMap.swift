/// A range of a conversation that is stored without holes.
struct Span: Sendable, Equatable {
  /// The rank of the span's first message.
  var lower: Rank
  /// The rank of the span's last message.
  var upper: Rank
  /// Whether nothing below the span can be fetched: the server has no message before the span, the messages
  /// before the span were cleared on this device, or the span is of an earlier epoch.
  var reachesStart: Bool
  /// The token for paging back from the span's first message, on backends with tokens.
  var lowerToken: HistoryToken?
  /// The number of unread, countable messages in the gap below the span, from the server's counts; nil if
  /// unknown.
  var unreadBelow: Int?
  /// The token for paging forward from the span's last message, on backends with tokens. If such a backend
  /// returned no token, the gap above the span is filled by paging back from the next span.
  var upperToken: HistoryToken? = nil

  /// An empty span with nothing missing below it.
  fileprivate static func start(at rank: Rank) -> Span {
    Span(lower: rank, upper: rank, reachesStart: true, lowerToken: nil, unreadBelow: nil)
  }
}

/// The ranges of one conversation that are known to be complete. There is a gap between two neighbouring
/// ranges.
///
/// 1. Spans are sorted, and neither overlap nor touch.
/// 2. There is a gap below every span, except below the first span if its `reachesStart` is true. If another
///    span's `reachesStart` is true, the gap below that span can't be filled: for example, the server has
///    trimmed its history, or the messages below the gap are of an earlier epoch.
/// 3. Spans of earlier epochs lie below all other spans. The gaps below spans of earlier epochs can't be
///    filled.
/// 4. Only answers of the server extend a span, and only within the range that the answer covers completely.
struct SpanMap: Sendable, Equatable {
  private(set) var spans: [Span]
  /// The last rank covered by the syncs up to the stored cursor.
  private(set) var syncedTo: Rank?
  /// Whether positions rise by one, so that adjacent spans touch without sharing a message.
  let isDense: Bool

  init(spans: [Span] = [], syncedTo: Rank? = nil, isDense: Bool) {
    self.spans = spans
    self.syncedTo = syncedTo
    self.isDense = isDense
  }

  var newest: Span? { spans.last }

  /// Whether anything is known of the server's current history.
  var isKnown: Bool { spans.contains { !$0.upper.isEarlier } }

  /// The span that contains this rank, if any.
  func span(containing rank: Rank) -> Span? {
    spans.last { $0.lower <= rank && rank <= $0.upper }
  }

  /// The spans without tokens and unread counts: two maps with equal extents cover the same messages.
  var extents: [Extent] {
    spans.map { Extent(lower: $0.lower, upper: $0.upper, reachesStart: $0.reachesStart) }
  }

  /// A span without its tokens and its unread count.
  struct Extent: Sendable, Equatable {
    let lower: Rank
    let upper: Rank
    let reachesStart: Bool
  }

  /// A gap that the server may be able to fill.
  struct OpenGap: Sendable, Hashable {
    /// The last rank of the span below the gap; nil if there is no such span.
    let lower: Rank?
    /// The first rank of the span above the gap.
    let upper: Rank
    /// The gap of a conversation of which nothing is known.
    static let everything = OpenGap(lower: nil, upper: .lowest)
  }

  /// Whether exactly this gap exists and may be filled.
  func contains(_ gap: OpenGap) -> Bool {
    spans.indices.contains { isOpen($0, []) && openGap($0) == gap }
  }

  /// The nearest open gap below a rank. A rank below all spans lies in the gap below the first span. This gap
  /// is then the only candidate.
  ///
  /// - Parameter passing: gaps to skip, because they are no longer tried.
  func openGap(below rank: Rank, passing: Set<OpenGap>) -> OpenGap? {
    let start = spans.lastIndex { $0.lower <= rank } ?? (spans.isEmpty ? -1 : 0)
    for index in (0..<start + 1).reversed() where isOpen(index, passing) { return openGap(index) }
    return nil
  }

  /// The nearest open gap above a rank, or the gap in which the rank lies.
  func openGap(above rank: Rank, passing: Set<OpenGap>) -> OpenGap? {
    spans.indices.first { spans[$0].lower > rank && isOpen($0, passing) }.map { openGap($0) }
  }

  private func isOpen(_ index: Int, _ passing: Set<OpenGap>) -> Bool {
    !spans[index].reachesStart && !passing.contains(openGap(index))
  }

  private func openGap(_ index: Int) -> OpenGap {
    OpenGap(lower: index > 0 ? spans[index - 1].upper : nil, upper: spans[index].lower)
  }

  /// Whether no message is missing between the start of the history and the last stored message.
  var isGapless: Bool { spans.count == 1 && spans[0].reachesStart }

  /// The known number of unread messages in the gaps that can be filled, and whether the number is known for
  /// each of these gaps.
  var unreadInGaps: (count: Int, isExact: Bool) {
    var count = 0
    var isExact = true
    for span in spans where !span.reachesStart {
      if let unread = span.unreadBelow { count += unread } else { isExact = false }
    }
    return (count, isExact)
  }

  /// A sync returned messages of a conversation: all messages since the last sync, or only the newest of
  /// these messages.
  ///
  /// - Parameter isComplete: whether no message lies between the last sync and `first`.
  mutating func synced(
    first: Rank, last: Rank, isComplete: Bool, reachesStart: Bool, token: HistoryToken?, unreadBelow: Int?
  ) {
    var lower = reachesStart ? start(below: first) : first
    // `isComplete` is computed from the server's count, which leaves out messages that the server has lost. Only dense
    // positions show such a loss.
    if isComplete, let syncedTo, !isDense || first <= syncedTo.successor { lower = min(syncedTo, lower) }
    insert(
      Span(
        lower: lower, upper: last, reachesStart: reachesStart, lowerToken: token, unreadBelow: unreadBelow))
    syncedTo = max(syncedTo ?? last, last)
  }

  /// A sync returned no messages although there are or may be new messages, or the server rejected the cursor.
  /// The next messages may therefore not adjoin the stored messages.
  mutating func syncedNothing() { syncedTo = nil }

  /// A page was received. The page adjoins the upper or lower edge of a span, or has no known neighbour.
  ///
  /// - Parameters:
  ///   - reachesStart: whether the server has no message before the page. If true, the gap between the page
  ///     and the stored messages below the page can't be filled.
  ///   - token: the token for paging back from `first`.
  ///   - next: the token for paging forward from `last`.
  ///   - unread: the number of unread, countable messages of the page that were not stored before.
  ///   - mark: the rank up to which everything was read.
  mutating func paged(
    first: Rank, last: Rank, reachesStart: Bool, token: HistoryToken?, next: HistoryToken? = nil, unread: Int,
    after mark: Rank = .lowest
  ) {
    let first = reachesStart ? start(below: first) : first
    let before = unreadInGaps
    let above = spans.first { $0.upper >= last }
    let isEdgeNew = !spans.contains { $0.lower == first }
    // The page reaches into the gaps below these spans. `left` is the number of unread messages that remain
    // in these gaps.
    let touched = spans.filter { $0.lower > first && ($0.lower <= last || $0 == above) && !$0.reachesStart }
    let known = touched.compactMap(\.unreadBelow)
    let isKnown = !touched.isEmpty && known.count == touched.count
    let left = isKnown ? max(known.reduce(0, +) - unread, 0) : nil
    insert(
      Span(
        lower: first, upper: last, reachesStart: reachesStart, lowerToken: token, unreadBelow: nil,
        upperToken: next))
    guard let index = spans.firstIndex(where: { $0.lower <= first && first <= $0.upper }) else { return }
    let joinsAbove = above.map { $0.lower <= spans[index].upper } ?? true
    let joinsBelow = spans[index].lower < first || !isEdgeNew
    // When a gap is split, the number of unread messages in each part is unknown, except if no unread message
    // remains.
    let share = left == 0 ? 0 : nil
    if !joinsBelow { spans[index].unreadBelow = joinsAbove ? left : share }
    if !joinsAbove { spans[index + 1].unreadBelow = joinsBelow ? left : share }
    // The total of all gaps is exact even if the numbers of single gaps are not. A message that was counted
    // in one gap, but was not found when that gap was closed, is in another gap.
    guard isKnown, above != nil, before.isExact, unreadInGaps.isExact else { return }
    countUnread(inGaps: max(before.count - unread, 0), after: mark)
  }

  /// Returns this map with the spans of earlier epochs from another map, added below this map's own spans. If
  /// this map already has spans of earlier epochs, returns this map unchanged.
  func above(_ other: SpanMap) -> SpanMap {
    guard !spans.contains(where: \.upper.isEarlier) else { return self }
    return SpanMap(
      spans: other.spans.filter(\.upper.isEarlier) + spans, syncedTo: syncedTo, isDense: isDense)
  }

  /// The server has no message in the conversation, so the next message will be the first. Does nothing if a part of
  /// the current history is known.
  mutating func foundEmpty() {
    guard !isKnown else { return }
    spans += [Self.empty]
    syncedTo = syncedTo ?? Self.empty.upper
  }

  /// The start of a conversation that was found empty.
  private static let empty = Span.start(at: Rank(rawValue: 0))

  /// The lower rank of a span that begins with `first`. Call this method only if the server has no message before
  /// `first`.
  ///
  /// If the conversation was found empty before, the span begins at that empty start. Dense positions don't need this:
  /// the position of `first` shows whether earlier messages were removed.
  private func start(below first: Rank) -> Rank {
    let isFirst = !isDense && spans.last { $0.lower < first }?.upper == Self.empty.upper
    return isFirst ? Self.empty.lower : first
  }

  /// The user has read everything up to a rank. Gaps below the rank have no unread messages. A gap around the
  /// rank may have fewer unread messages than before.
  mutating func read(upTo mark: Rank) {
    // Assigns only what changes: this runs at every update of unread counts, and an assignment copies the
    // shared array.
    for index in spans.indices {
      let known = spans[index].unreadBelow
      let unread = spans[index].lower.predecessor <= mark ? 0 : known
      let right = unread.map { min($0, room(below: index, after: mark)) }
      if right != known { spans[index].unreadBelow = right }
    }
  }

  /// Distributes `total` over the gaps that can be filled. `total` is the number of unread messages that are
  /// not stored.
  ///
  /// 1. The newest gap gets the part that the counts of the older gaps do not cover, up to the gap's room.
  /// 2. A remaining part is added to the older gaps with a known count, newest first.
  /// 3. If the counts of the older gaps exceed the total, these counts are reduced, oldest first.
  mutating func countUnread(inGaps total: Int, after mark: Rank) {
    read(upTo: mark)
    var older = spans.indices.filter { !spans[$0].reachesStart }
    guard let newest = older.popLast() else { return }
    var missing = total - older.reduce(0) { $0 + (spans[$1].unreadBelow ?? 0) }
    spans[newest].unreadBelow = min(max(missing, 0), room(below: newest, after: mark))
    missing -= spans[newest].unreadBelow ?? 0
    for index in missing > 0 ? older.reversed() : older where missing != 0 {
      guard let unread = spans[index].unreadBelow else { continue }
      let right = min(max(unread + missing, 0), room(below: index, after: mark))
      missing -= right - unread
      spans[index].unreadBelow = right
    }
  }

  /// The maximum number of messages after a mark that the gap below a span can contain.
  private func room(below index: Int, after mark: Rank) -> Int {
    guard isDense else { return .max }
    let below = max(index == 0 ? mark : max(spans[index - 1].upper, mark), Rank(rawValue: 0))
    return max(Int(clamping: max(spans[index].lower, below).rawValue - below.rawValue) - 1, 0)
  }

  /// The conversation was cleared on this device: the conversation now starts after `floor`.
  mutating func cleared(at floor: Rank) {
    spans = [.start(at: floor)]
    syncedTo = syncedTo.map { max($0, floor) }
  }

  /// The last message that was cleared in an earlier epoch is now at `floor`: the conversation starts after
  /// `floor`.
  mutating func starts(at floor: Rank) {
    spans.removeAll { !$0.upper.isEarlier && $0.upper <= floor }
    insert(.start(at: floor))
  }

  /// Adds a span, and joins the span with every span that it overlaps or touches.
  mutating func insert(_ new: Span) {
    let start = firstIndex { touches($0, new) }
    let end = max(start, firstIndex { !touches(new, $0) && new.lower < $0.lower })
    let run = (spans[start..<end] + [new]).sorted { ($0.lower, $0.upper) < ($1.lower, $1.upper) }
    let whole = run.dropFirst().reduce(run[0]) { joined($0, $1, preferring: new) }
    spans.replaceSubrange(start..<end, with: [whole])
  }

  /// The index of the first span with a property that all later spans have too; the number of spans if there is none.
  private func firstIndex(where hasProperty: (Span) -> Bool) -> Int {
    var low = 0, high = spans.count
    while low < high {
      let middle = (low + high) / 2
      if hasProperty(spans[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func touches(_ below: Span, _ above: Span) -> Bool {
    above.lower <= below.upper || (isDense && above.lower == below.upper.successor)
  }

  private func joined(_ below: Span, _ above: Span, preferring new: Span) -> Span {
    var span = below
    span.upper = max(below.upper, above.upper)
    if below.upper == above.upper {
      span.upperToken = new.upperToken ?? (below == new ? above : below).upperToken
    } else if below.upper < above.upper {
      span.upperToken = above.upperToken
    }
    if below.lower == above.lower {
      // Both spans begin at the same edge: the token and the unread count of the newer answer are preferred.
      let other = below == new ? above : below
      span.reachesStart = below.reachesStart || above.reachesStart
      span.lowerToken = new.lowerToken ?? other.lowerToken
      span.unreadBelow = new.lower == span.lower ? new.unreadBelow ?? other.unreadBelow : other.unreadBelow
    }
    return span
  }
}
