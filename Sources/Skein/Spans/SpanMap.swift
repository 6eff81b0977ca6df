/// A stretch of a conversation that is stored without holes.
struct Span: Sendable, Equatable {
  /// The rank of its first message.
  var lower: Rank
  /// The rank of its last message.
  var upper: Rank
  /// Whether the server has nothing before it: the conversation starts with it, or the server's history does.
  var reachesStart: Bool
  /// Where paging goes back from its first message, on backends with tokens.
  var lowerToken: HistoryToken?
  /// How many unread, countable messages the server said lie below it, before the next span; nil is unknown.
  var unreadBelow: Int?
  /// Where paging goes on from its last message, on backends with tokens; nil where nothing is known of it, and then what
  /// lies above is filled from there.
  var upperToken: HistoryToken? = nil

  /// A place of which nothing is left, and nothing is missing below it.
  fileprivate static func start(at rank: Rank) -> Span {
    Span(lower: rank, upper: rank, reachesStart: true, lowerToken: nil, unreadBelow: nil)
  }
}

/// Which stretches of one conversation are known to be complete; between two of them is a gap.
///
/// 1. Spans are sorted, and neither overlap nor touch.
/// 2. Every span but the first has a gap below it; the first has one unless it reaches the start. The gap below another
///    span that reaches the start can't be filled: the server has trimmed its history.
/// 3. What was stored of earlier epochs lies below all else, and the gaps there are beyond filling.
/// 4. A span grows by answers of the server alone, and only where the answer says what it is complete between.
struct SpanMap: Sendable, Equatable {
  private(set) var spans: [Span]
  /// Up to where the sync at the stored cursor has seen the conversation.
  private(set) var syncedTo: Rank?
  /// Whether positions rise by one, so that neighbours touch without sharing a message.
  let isDense: Bool

  init(spans: [Span] = [], syncedTo: Rank? = nil, isDense: Bool) {
    self.spans = spans
    self.syncedTo = syncedTo
    self.isDense = isDense
  }

  var newest: Span? { spans.last }

  /// Whether anything is known of the server's history as it is now.
  var isKnown: Bool { spans.contains { !$0.upper.isEarlier } }

  /// The span that a message at this rank belongs to, if its surroundings are known.
  func span(containing rank: Rank) -> Span? {
    spans.last { $0.lower <= rank && rank <= $0.upper }
  }

  /// The stretches alone: two maps of equal extents know the same messages.
  var extents: [Extent] {
    spans.map { Extent(lower: $0.lower, upper: $0.upper, reachesStart: $0.reachesStart) }
  }

  /// What is known of a conversation's messages, whatever else is known of it.
  struct Extent: Sendable, Equatable {
    let lower: Rank
    let upper: Rank
    let reachesStart: Bool
  }

  /// A gap that the server may be able to fill.
  struct OpenGap: Sendable, Hashable {
    /// The last rank of the span below it; nil where there is none.
    let lower: Rank?
    /// The first rank of the span above it.
    let upper: Rank
    /// What stands for all of a conversation of which nothing is known.
    static let everything = OpenGap(lower: nil, upper: .lowest)
  }

  /// Whether a gap is there, just as it is named, and not known to be beyond filling.
  func contains(_ gap: OpenGap) -> Bool {
    spans.indices.contains { isOpen($0, []) && openGap($0) == gap }
  }

  /// The first open gap on the way down from a place.
  ///
  /// - Parameter passing: gaps that are not tried any more.
  func openGap(below rank: Rank, passing: Set<OpenGap>) -> OpenGap? {
    let start = spans.lastIndex { $0.lower <= rank } ?? (spans.isEmpty ? -1 : 0)
    for index in (0..<start + 1).reversed() where isOpen(index, passing) { return openGap(index) }
    return nil
  }

  /// The first open gap on the way up from a place.
  func openGap(above rank: Rank, passing: Set<OpenGap>) -> OpenGap? {
    spans.indices.first { spans[$0].lower > rank && isOpen($0, passing) }.map { openGap($0) }
  }

  private func isOpen(_ index: Int, _ passing: Set<OpenGap>) -> Bool {
    !spans[index].reachesStart && !passing.contains(openGap(index))
  }

  private func openGap(_ index: Int) -> OpenGap {
    OpenGap(lower: index > 0 ? spans[index - 1].upper : nil, upper: spans[index].lower)
  }

  /// The unread messages that all gaps are known to hold, and whether every gap says.
  var unreadInGaps: (count: Int, isExact: Bool) {
    let gaps = spans.filter { !$0.reachesStart }
    return (gaps.reduce(0) { $0 + ($1.unreadBelow ?? 0) }, gaps.allSatisfy { $0.unreadBelow != nil })
  }

  /// A sync handed over the newest messages of a conversation, all that came since the last sync or the last part.
  ///
  /// - Parameter isComplete: nothing came between the last sync and `first`.
  mutating func synced(
    first: Rank, last: Rank, isComplete: Bool, reachesStart: Bool, token: HistoryToken?, unreadBelow: Int?
  ) {
    var lower = reachesStart ? start(below: first) : first
    // What the server has lost meanwhile it does not count; where its positions are dense, that shows.
    if isComplete, let syncedTo, !isDense || first <= syncedTo.successor { lower = min(syncedTo, lower) }
    insert(
      Span(
        lower: lower, upper: last, reachesStart: reachesStart, lowerToken: token, unreadBelow: unreadBelow))
    syncedTo = max(syncedTo ?? last, last)
  }

  /// A sync said that messages came, and handed over none: what comes next does not join what is known.
  mutating func syncedNothing() { syncedTo = nil }

  /// A page came: from just below or above a span, and then the span's edge is one of its ends, or standing by itself.
  ///
  /// - Parameters:
  ///   - reachesStart: the server has nothing before the page; what is stored below it stands beyond a gap for good.
  ///   - token: where paging goes back from `first`; `next`: where it goes on from `last`.
  ///   - unread: how many unread, countable messages of the page were new here.
  ///   - mark: up to where everything was read.
  mutating func paged(
    first: Rank, last: Rank, reachesStart: Bool, token: HistoryToken?, next: HistoryToken? = nil, unread: Int,
    after mark: Rank = .lowest
  ) {
    let first = reachesStart ? start(below: first) : first
    let before = unreadInGaps
    let above = spans.first { $0.upper >= last }
    let isEdgeNew = !spans.contains { $0.lower == first }
    // What the gaps that the page reaches into still hold.
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
    // Of a gap that fell into two nobody knows which part holds how many.
    let share = left == 0 ? 0 : nil
    if !joinsBelow { spans[index].unreadBelow = joinsAbove ? left : share }
    if !joinsAbove { spans[index + 1].unreadBelow = joinsBelow ? left : share }
    // What they hold together is surer than what each one does: a closed gap may leave some of its count to another.
    guard isKnown, above != nil, before.isExact, unreadInGaps.isExact else { return }
    countUnread(inGaps: max(before.count - unread, 0), after: mark)
  }

  /// This map, with what another one has of earlier epochs below it.
  func above(_ other: SpanMap) -> SpanMap {
    guard !spans.contains(where: \.upper.isEarlier) else { return self }
    return SpanMap(
      spans: other.spans.filter(\.upper.isEarlier) + spans, syncedTo: syncedTo, isDense: isDense)
  }

  /// The server has no message of the conversation: whatever comes is its first.
  mutating func foundEmpty() {
    guard !isKnown else { return }
    spans += [Self.empty]
    syncedTo = syncedTo ?? Self.empty.upper
  }

  /// What stands for the start of a conversation that was found empty.
  private static let empty = Span.start(at: Rank(rawValue: 0))

  /// Where all is here from, if the server has nothing before a message: nothing is missing where nothing was. Where
  /// positions are dense, they tell what was and is not there any more.
  private func start(below first: Rank) -> Rank {
    let isFirst = !isDense && spans.last { $0.lower < first }?.upper == Self.empty.upper
    return isFirst ? Self.empty.lower : first
  }

  /// Everything up to a rank was read: no gap up to there holds unread messages, and one around it holds fewer.
  mutating func read(upTo mark: Rank) {
    for index in spans.indices {
      if spans[index].lower.predecessor <= mark { spans[index].unreadBelow = 0 }
      guard let unread = spans[index].unreadBelow else { continue }
      spans[index].unreadBelow = min(unread, room(below: index, after: mark))
    }
  }

  /// The server counted what is unread after a mark in all gaps together. What the older gaps don't hold lies in the newest,
  /// as far as that has room, and then in the next; where they hold too many, some was read, from the oldest on.
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

  /// How many messages after a mark the gap below a span can hold.
  private func room(below index: Int, after mark: Rank) -> Int {
    guard isDense else { return .max }
    let below = max(index == 0 ? mark : max(spans[index - 1].upper, mark), Rank(rawValue: 0))
    return max(Int(clamping: max(spans[index].lower, below).rawValue - below.rawValue) - 1, 0)
  }

  /// The conversation was cleared here: what lies at or below `floor` counts as its start.
  mutating func cleared(at floor: Rank) {
    spans = [.start(at: floor)]
    syncedTo = syncedTo.map { max($0, floor) }
  }

  /// What was cleared in an earlier epoch turned out to end here in this one.
  mutating func starts(at floor: Rank) {
    spans.removeAll { !$0.upper.isEarlier && $0.upper <= floor }
    insert(.start(at: floor))
  }

  /// Adds a stretch and joins it with those it overlaps or touches.
  private mutating func insert(_ new: Span) {
    var merged: [Span] = []
    for span in (spans + [new]).sorted(by: { ($0.lower, $0.upper) < ($1.lower, $1.upper) }) {
      guard let last = merged.last, touches(last, span) else {
        merged.append(span)
        continue
      }
      merged[merged.count - 1] = joined(last, span, preferring: new)
    }
    spans = merged
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
      // Both tell of the same edge: the newer answer knows better where paging goes on and what is left below.
      let other = below == new ? above : below
      span.reachesStart = below.reachesStart || above.reachesStart
      span.lowerToken = new.lowerToken ?? other.lowerToken
      span.unreadBelow = new.lower == span.lower ? new.unreadBelow ?? other.unreadBelow : other.unreadBelow
    }
    return span
  }
}
