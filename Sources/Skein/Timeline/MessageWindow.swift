/// The range of one conversation that a list shows, and the facts about the messages beyond it.
///
/// 1. It shows all stored messages between its ends, and a gap between two messages that are not adjacent.
/// 2. It is extended by pages that begin at its ends. Beyond its size it drops the messages farthest from the new ones.
/// 3. It takes new messages at its newer end only if that end is at the newest message.
/// 4. An older end among messages that wait to be sent moves with them to their place on the server.
struct MessageWindow: Sendable {
  /// The maximum number of messages.
  let size: Int
  /// Its ends; nil before the first page, and once none of its messages is left.
  private(set) var bounds: ClosedRange<MessageOrder>?
  private(set) var items = ChatDataManager<MessageListItem>(sortedBy: { $0.order < $1.order })
  private(set) var facts: HistoryFacts
  private var gaps: [MessageGap] = []
  /// The epoch of its ends.
  private(set) var epoch: Epoch?
  /// How often the server returned nothing new for a gap.
  private var fruitless: [SpanMap.OpenGap: Int] = [:]
  /// The gaps that paging passes.
  private(set) var passed: Set<SpanMap.OpenGap> = []

  init(size: Int, isDense: Bool) {
    self.size = size
    facts = HistoryFacts(spans: SpanMap(isDense: isDense), stored: nil, isBound: false, version: 0)
  }

  // MARK: Beyond the window

  /// Whether it ends at the newest message.
  var isAtNewest: Bool { bounds?.upperBound == .highest }

  /// Whether it shows any message with a place in the server's history.
  var showsPlaces: Bool {
    items.snapshot.contains { item in item.message.map { $0.rank > .unplaced && !$0.rank.isUnsent } ?? false }
  }

  var canLoadOldMessages: Bool { canLoadOldLocalMessages || canLoadOldRemoteMessages }

  /// Whether more messages are stored before it.
  var canLoadOldLocalMessages: Bool {
    guard let bounds else { return true }
    return facts.stored.map { $0.lowerBound < bounds.lowerBound } ?? false
  }

  /// Whether the server may have more messages before it that are not stored.
  var canLoadOldRemoteMessages: Bool {
    guard let bounds else { return true }
    if facts.isUnknown { return !passed.contains(.everything) }
    return facts.isBound && facts.spans.openGap(below: bounds.lowerBound.rank, passing: passed) != nil
  }

  var canLoadNextMessages: Bool { canLoadNextLocalMessages || canLoadNextRemoteMessages }

  /// Whether more messages are stored after it.
  var canLoadNextLocalMessages: Bool {
    guard let bounds, let stored = facts.stored else { return false }
    return bounds.upperBound < stored.upperBound
  }

  /// Whether the server may have more messages after it that are not stored.
  var canLoadNextRemoteMessages: Bool {
    guard let bounds, facts.isBound else { return false }
    return facts.spans.openGap(above: bounds.upperBound.rank, passing: passed) != nil
  }

  /// The place where the next page in a direction begins.
  func end(_ direction: PagingDirection) -> MessageOrder? {
    direction == .older ? bounds?.lowerBound : bounds?.upperBound
  }

  // MARK: Events

  /// Shows a page, regardless of the previous place.
  ///
  /// - Parameter messages: the messages of the page.
  mutating func show(_ page: MessagePage, _ messages: [ChatMessage]) -> ListChange {
    learn(page.facts)
    (bounds, epoch) = (page.bounds, page.facts.epoch)
    return apply(messages)
  }

  /// Adds a page; nil if the window has moved and the page no longer adjoins it.
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
    return apply(messages)
  }

  /// Replaces the shown messages by a page: all stored messages between its ends, or, if all places have changed, those
  /// around its previous messages.
  ///
  /// - Parameter messages: the messages of the page.
  mutating func reread(_ page: MessagePage, _ messages: [ChatMessage]) -> ListChange {
    learn(page.facts)
    (bounds, epoch) = (page.bounds, page.facts.epoch)
    let stored = Set(messages.map(\.id))
    let shown = items.snapshot.compactMap { $0.message?.id }
    return apply(messages, deleting: shown.filter { !stored.contains($0) })
  }

  /// Moves the older end down to a shown message that was sent just now and is placed below it; the messages between
  /// must be read then.
  ///
  /// - Returns: whether it moved.
  mutating func follow(_ part: StoreChanges.Part) -> Bool {
    guard let bounds, bounds.lowerBound.rank.isUnsent else { return false }
    let sent = part.messages.filter { !$0.rank.isUnsent && shown($0.id) != nil }
    guard let lowest = sent.map(\.order).min() else { return false }
    self.bounds = lowest...bounds.upperBound
    return true
  }

  /// Whether shown messages of an earlier epoch get other places, now that the server has returned them.
  func isLeft(by part: StoreChanges.Part) -> Bool {
    !isAtNewest && part.messages.contains { !$0.rank.isEarlier && shown($0.id)?.rank.isEarlier == true }
  }

  /// Whether most of the shown messages of an earlier epoch are no longer between its ends.
  func isLeft(by page: MessagePage) -> Bool {
    guard !isAtNewest else { return false }
    let shown = items.snapshot.lazy.compactMap(\.message).filter(\.rank.isEarlier)
    let left = Set(shown.map(\.id)).subtracting(page.rows.map(\.id))
    return left.count * 2 > items.snapshot.count
  }

  /// Applies a transaction's changes.
  ///
  /// - Parameter messages: the changed rows, regardless of their places.
  mutating func apply(_ part: StoreChanges.Part, _ messages: [ChatMessage], version: Int64) -> ListChange {
    // A change only says that spans changed: they must be read first.
    if facts.version > 0, version >= facts.version {
      facts.version = version
      facts.spans = part.spans ?? facts.spans
      facts.stored = part.stored
      if let value = part.value { facts.isBound = value.ref != nil }
    }
    return apply(messages, deleting: part.deleted)
  }

  /// The server returned nothing new for a gap: the third time, the gap is marked as stalled and paging passes it.
  ///
  /// - Parameter isFinal: whether another request would return the same.
  /// - Returns: nil if the gap is retried only on request.
  mutating func foundNothing(in gap: SpanMap.OpenGap, isFinal: Bool = false) -> ListChange? {
    // The gap has shrunk meanwhile.
    guard gap == .everything ? facts.isUnknown : facts.spans.contains(gap) else { return ListChange() }
    fruitless[gap, default: 0] += isFinal ? Self.mostFruitless : 1
    guard fruitless[gap, default: 0] >= Self.mostFruitless else { return nil }
    passed.insert(gap)
    widen()
    return apply([])
  }

  private static var mostFruitless: Int { 3 }

  // Rows have their own versions; with spans older than the rows, the two sides of a gap would appear adjacent.
  private mutating func learn(_ new: HistoryFacts) {
    guard new.version >= facts.version else { return }
    if new.epoch != facts.epoch { (fruitless, passed) = ([:], []) }
    facts = new
  }

  // MARK: Changing the list

  private mutating func apply(_ messages: [ChatMessage], deleting deleted: [LocalMessageID] = [])
    -> ListChange
  {
    guard let bounds else { return ListChange() }
    // A page may hold an older version of a row than the window does.
    let new = messages.filter { message in shown(message.id).map { $0.version < message.version } ?? true }
    var gone = Set(deleted + new.map(\.id))
    self.bounds = trimmed(bounds, new.filter { bounds.contains($0.order) }, without: gone)
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

  /// An end with nothing beyond it accepts new messages there. If everything shown is gone, as after clearing the chat,
  /// the window must be opened again.
  private mutating func widen() {
    guard let bounds else { return }
    let lower = canLoadOldMessages ? bounds.lowerBound : .lowest
    let upper = canLoadNextMessages ? bounds.upperBound : .highest
    self.bounds = upper < .highest && items.snapshot.count == gaps.count ? nil : lower...upper
  }

  private func shown(_ id: LocalMessageID) -> ChatMessage? { items.item(.message(id))?.message }

  /// The ends that leave at most `size` messages.
  ///
  /// - Parameter gone: the shown messages that are removed or replaced.
  private func trimmed(
    _ bounds: ClosedRange<MessageOrder>, _ new: [ChatMessage], without gone: Set<LocalMessageID>
  ) -> ClosedRange<MessageOrder> {
    let leaving = gone.count { shown($0) != nil }
    guard items.snapshot.count - gaps.count - leaving + new.count > size else { return bounds }
    let kept = items.snapshot.lazy.compactMap(\.message)
      .filter { !gone.contains($0.id) && bounds.contains($0.order) }.map(\.order)
    let places = (Array(kept) + new.map(\.order)).sorted()
    guard places.count > size else { return bounds }
    let came = new.filter { shown($0.id) == nil }.map(\.order)
    let middle = places[places.count / 2]
    let isBelow = came.count { $0 < middle } * 2 > came.count
    return isBelow
      ? bounds.lowerBound...places[size - 1] : places[places.count - size]...bounds.upperBound
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

  /// The gaps between its ends; missing messages before all others are no gap, unless they are no longer requested.
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
