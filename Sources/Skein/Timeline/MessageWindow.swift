/// The range of one conversation that a list shows, and the facts about the messages beyond this range.
///
/// 1. The window shows all stored messages between its ends, and the gaps between the spans of complete
///    history.
/// 2. A page that adjoins an end of the window extends the window. If messages are added at one end, and the
///    window then exceeds its size, messages are dropped at the other end.
/// 3. New messages are shown only if the window's newer end is at the newest message.
/// 4. The older end may lie among the messages that wait to be sent. When a shown message is then sent or
///    fails, the older end moves down to the place of this message in the history.
struct MessageWindow: Sendable {
  /// The maximum number of messages.
  let size: Int
  /// The ends of the window; nil before the first page is shown. Also nil if the window has lost all its
  /// messages although newer messages can be loaded.
  private(set) var bounds: ClosedRange<MessageOrder>?
  private(set) var items = ChatDataManager<MessageListItem>(sortedBy: { $0.order < $1.order })
  private(set) var facts: HistoryFacts
  private var gaps: [MessageGap] = []
  /// The epoch in which the ends are valid.
  private(set) var epoch: Epoch?
  /// For each gap, the number of times that the server returned nothing new.
  private var fruitless: [SpanMap.OpenGap: Int] = [:]
  /// The gaps at which paging no longer stops.
  private(set) var passed: Set<SpanMap.OpenGap> = []

  init(size: Int, isDense: Bool) {
    self.size = size
    facts = HistoryFacts(spans: SpanMap(isDense: isDense), stored: nil, isBound: false, version: 0)
  }

  // MARK: Beyond the window

  /// Whether the window ends at the newest message.
  var isAtNewest: Bool { bounds?.upperBound == .highest }

  /// Whether the window shows any message with a place in the server's history.
  var showsPlaces: Bool {
    items.snapshot.contains { item in item.message.map { $0.rank > .unplaced && !$0.rank.isUnsent } ?? false }
  }

  var canLoadOldMessages: Bool { canLoadOldLocalMessages || canLoadOldRemoteMessages }

  /// Whether more messages are stored before the window.
  var canLoadOldLocalMessages: Bool {
    guard let bounds else { return true }
    return facts.stored.map { $0.lowerBound < bounds.lowerBound } ?? false
  }

  /// Whether the server may have messages before the window that are not stored.
  var canLoadOldRemoteMessages: Bool {
    guard let bounds else { return true }
    if facts.isUnknown { return !passed.contains(.everything) }
    return facts.isBound && facts.spans.openGap(below: bounds.lowerBound.rank, passing: passed) != nil
  }

  var canLoadNextMessages: Bool { canLoadNextLocalMessages || canLoadNextRemoteMessages }

  /// Whether more messages are stored after the window.
  var canLoadNextLocalMessages: Bool {
    guard let bounds, let stored = facts.stored else { return false }
    return bounds.upperBound < stored.upperBound
  }

  /// Whether the server may have messages after the window that are not stored.
  var canLoadNextRemoteMessages: Bool {
    guard let bounds, facts.isBound else { return false }
    return facts.spans.openGap(above: bounds.upperBound.rank, passing: passed) != nil
  }

  /// The place where the next page in a direction begins.
  func end(_ direction: PagingDirection) -> MessageOrder? {
    direction == .older ? bounds?.lowerBound : bounds?.upperBound
  }

  // MARK: Events

  /// Shows a page, regardless of the place shown before.
  ///
  /// - Parameter messages: the messages of the page.
  mutating func show(_ page: MessagePage, _ messages: [ChatMessage]) -> ListChange {
    learn(page.facts)
    (bounds, epoch) = (page.bounds, page.facts.epoch)
    return apply(messages)
  }

  /// Adds a page. Returns nil if the page no longer adjoins the window, or is of another epoch.
  mutating func grow(_ direction: PagingDirection, by page: MessagePage, _ messages: [ChatMessage])
    -> ListChange?
  {
    guard let bounds, page.facts.epoch == epoch else { return nil }
    switch direction {
    case .older:
      guard page.bounds.upperBound == bounds.lowerBound else { return nil }
      self.bounds = page.bounds.lowerBound...bounds.upperBound
    case .newer:
      guard page.bounds.lowerBound == bounds.upperBound else { return nil }
      self.bounds = bounds.lowerBound...page.bounds.upperBound
    }
    learn(page.facts)
    return apply(messages, growing: direction)
  }

  /// Replaces the shown messages by a page. Usually the page contains all stored messages between the
  /// window's ends. If the places of the messages have changed, the page has other ends.
  ///
  /// - Parameter messages: the messages of the page.
  mutating func reread(_ page: MessagePage, _ messages: [ChatMessage]) -> ListChange {
    learn(page.facts)
    (bounds, epoch) = (page.bounds, page.facts.epoch)
    let stored = Set(messages.map(\.id))
    let shown = items.snapshot.compactMap { $0.message?.id }
    return apply(messages, deleting: shown.filter { !stored.contains($0) })
  }

  /// Moves the older end down to the lowest shown message that has been sent or has failed. Does nothing if
  /// the older end does not lie among the messages that wait to be sent, or if the change contains no such
  /// message.
  ///
  /// - Returns: whether the end has moved. The window must then be loaded again, since it lacks the messages
  ///   between the old end and the new end.
  mutating func follow(_ part: StoreChanges.Part) -> Bool {
    guard let bounds, bounds.lowerBound.rank.isUnsent else { return false }
    let sent = part.messages.filter { !$0.rank.isUnsent && shown($0.id) != nil }
    guard let lowest = sent.map(\.order).min() else { return false }
    self.bounds = lowest...bounds.upperBound
    return true
  }

  /// Whether a change moves shown messages from an earlier epoch to the current epoch. This happens when the
  /// server returns such messages. False if the window is at the newest message.
  func losesItsPlaces(by part: StoreChanges.Part) -> Bool {
    !isAtNewest && part.messages.contains { !$0.rank.isEarlier && shown($0.id)?.rank.isEarlier == true }
  }

  /// Whether most of the shown items are messages of an earlier epoch that are missing from a page. Such
  /// messages have probably moved to the current epoch. False if the window is at the newest message.
  ///
  /// - Parameter page: all messages that are now stored between the window's ends.
  func losesItsPlaces(by page: MessagePage) -> Bool {
    guard !isAtNewest else { return false }
    let shown = items.snapshot.lazy.compactMap(\.message).filter(\.rank.isEarlier)
    let left = Set(shown.map(\.id)).subtracting(page.rows.map(\.id))
    return left.count * 2 > items.snapshot.count
  }

  /// Applies a transaction's changes.
  ///
  /// - Parameter messages: the changed messages, including messages beyond the ends.
  mutating func apply(_ part: StoreChanges.Part, _ messages: [ChatMessage], version: Int64) -> ListChange {
    // A change can't be added to the facts before the facts were loaded for the first time.
    if facts.version > 0, version >= facts.version {
      facts.version = version
      facts.spans = part.spans ?? facts.spans
      facts.stored = part.stored
      if let value = part.value { facts.isBound = value.ref != nil && value.invitation == nil }
    }
    return apply(messages, deleting: part.deleted)
  }

  /// Counts an answer of the server without anything new for a gap. The gap becomes stalled at the third such
  /// answer, or at once if `isFinal` is true. Paging no longer stops at a stalled gap.
  ///
  /// - Parameter isFinal: whether another request is useless; see ``FruitlessFill``.
  /// - Returns: the change of the list. Nil if paging still stops at the gap. An empty change if the gap has
  ///   changed or was filled meanwhile.
  mutating func foundNothing(in gap: SpanMap.OpenGap, isFinal: Bool = false) -> ListChange? {
    // The gap has changed or was filled meanwhile.
    guard gap == .everything ? facts.isUnknown : facts.spans.contains(gap) else { return ListChange() }
    fruitless[gap, default: 0] += isFinal ? Self.mostFruitless : 1
    guard fruitless[gap, default: 0] >= Self.mostFruitless else { return nil }
    passed.insert(gap)
    widen()
    return apply([])
  }

  private static var mostFruitless: Int { 3 }

  // Facts that are older than the known facts are ignored: older spans may lack a gap between two shown
  // messages.
  private mutating func learn(_ new: HistoryFacts) {
    guard new.version >= facts.version else { return }
    if new.epoch != facts.epoch { (fruitless, passed) = ([:], []) }
    facts = new
  }

  // MARK: Changing the list

  private mutating func apply(
    _ messages: [ChatMessage], deleting deleted: [LocalMessageID] = [],
    growing direction: PagingDirection? = nil
  ) -> ListChange {
    guard let bounds else { return ListChange() }
    // A page may contain an older version of a message than the window shows.
    let new = messages.filter { message in shown(message.id).map { $0.version < message.version } ?? true }
    var gone = Set(deleted + new.map(\.id))
    self.bounds = trimmed(bounds, new.filter { bounds.contains($0.order) }, without: gone, growing: direction)
    let entering = new.filter { self.bounds?.contains($0.order) == true }
    gone.formUnion(strays())
    let leaving = (deleted + new.map(\.id) + strays()).map { MessageListItem.ID.message($0) }

    let before = gaps
    gaps = visibleGaps(above: lowest(entering, without: gone))
    let closed = before.filter { old in !gaps.contains { $0.lower == old.lower } }
    let change = items.apply(
      inserting: entering.map { .message($0) } + gaps.map { .gap($0) },
      deleting: leaving + closed.map { MessageListItem.gap($0).id })
    widen()
    return change
  }

  /// Moves an end to the lowest or highest place if no messages can be loaded beyond this end. New messages
  /// are shown once the newer end is at the highest place.
  ///
  /// If the window shows no messages although newer messages can be loaded, the ends become nil. The window
  /// must then be opened again.
  private mutating func widen() {
    guard let bounds else { return }
    let lower = canLoadOldMessages ? bounds.lowerBound : .lowest
    let upper = canLoadNextMessages ? bounds.upperBound : .highest
    self.bounds = upper < .highest && items.snapshot.count == gaps.count ? nil : lower...upper
  }

  private func shown(_ id: LocalMessageID) -> ChatMessage? { items.item(.message(id))?.message }

  /// The ends of the window after excess messages are dropped, so that at most `size` messages are left.
  ///
  /// If the window grows in a direction, messages are dropped at the other end. Otherwise, messages are dropped at the
  /// newer end if more than half of the added messages are in the older half of the window, and at the older end if not.
  /// The halves are those of the messages with a place, since every received message is listed before all messages that
  /// wait to be sent.
  ///
  /// - Parameter gone: the shown messages that are removed or replaced.
  private func trimmed(
    _ bounds: ClosedRange<MessageOrder>, _ new: [ChatMessage], without gone: Set<LocalMessageID>,
    growing direction: PagingDirection?
  ) -> ClosedRange<MessageOrder> {
    let leaving = gone.count { shown($0) != nil }
    guard items.snapshot.count - gaps.count - leaving + new.count > size else { return bounds }
    let kept = items.snapshot.lazy.compactMap(\.message)
      .filter { !gone.contains($0.id) && bounds.contains($0.order) }.map(\.order)
    let places = (Array(kept) + new.map(\.order)).sorted()
    guard places.count > size else { return bounds }
    let dropsNewer = direction.map { $0 == .older } ?? isMostlyInOlderHalf(new, of: places)
    return dropsNewer
      ? bounds.lowerBound...places[size - 1] : places[places.count - size]...bounds.upperBound
  }

  private func isMostlyInOlderHalf(_ new: [ChatMessage], of places: [MessageOrder]) -> Bool {
    let came = new.filter { shown($0.id) == nil }.map(\.order)
    let placed = places.prefix { !$0.rank.isUnsent }
    let middle = placed.isEmpty ? places[places.count / 2] : placed[placed.count / 2]
    return came.count { $0 < middle } * 2 > came.count
  }

  /// The shown messages beyond an end.
  private func strays() -> [LocalMessageID] {
    guard let bounds else { return [] }
    let below = items.snapshot.prefix { $0.order < bounds.lowerBound }
    let above = items.snapshot.reversed().prefix { $0.order > bounds.upperBound }
    return (Array(below) + above).compactMap { $0.message?.id }
  }

  private func lowest(_ entering: [ChatMessage], without gone: Set<LocalMessageID>) -> MessageOrder? {
    let kept = items.snapshot.lazy.compactMap(\.message).first { !gone.contains($0.id) }
    return (entering.map(\.order) + [kept?.order].compactMap(\.self)).min()
  }

  /// The gaps between the window's ends. The gap below the first span is left out in two cases:
  ///
  /// 1. The span reaches the start.
  /// 2. Paging still stops at the gap, and no message below the gap is shown.
  ///
  /// - Parameter lowest: the place of the oldest message that will be shown.
  private func visibleGaps(above lowest: MessageOrder?) -> [MessageGap] {
    guard let bounds else { return [] }
    let spans = facts.spans.spans
    return spans.indices.compactMap { index in
      let span = spans[index], place = MessageOrder(ofGapBelow: span.lower)
      let lower = index == 0 ? nil : spans[index - 1].upper
      let isStalled = passed.contains(SpanMap.OpenGap(lower: lower, upper: span.lower))
      guard bounds.contains(place) else { return nil }
      if index == 0, span.reachesStart || !(isStalled || lowest.map { $0 < place } == true) { return nil }
      return MessageGap(
        lower: lower ?? .lowest, upper: span.lower, unreadCount: span.unreadBelow,
        state: span.reachesStart ? .unavailable : isStalled ? .stalled : .open)
    }
  }
}
