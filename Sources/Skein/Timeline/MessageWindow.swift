/// The stretch of one conversation that a list shows, and what is known of what lies beyond it.
///
/// 1. It shows everything that is stored between its two ends, and a gap between two messages that are no neighbours.
/// 2. It grows by pages that begin where it ends. Beyond its size it loses what is farthest from what came.
/// 3. At its newer end it takes in what comes only if that end stands at the newest message.
/// 4. An older end among messages that wait to be sent goes with them to where the server puts them.
struct MessageWindow: Sendable {
  /// The most messages it shows.
  let size: Int
  /// Its ends; nil until the first page is there, and once nothing is left where it stands.
  private(set) var bounds: ClosedRange<MessageOrder>?
  private(set) var items = ChatDataManager<MessageListItem>(sortedBy: { $0.order < $1.order })
  private(set) var facts: HistoryFacts
  private var gaps: [MessageGap] = []
  /// The life of the server's history that its ends belong to.
  private(set) var epoch: Epoch?
  /// How often the server told nothing new of a gap.
  private var fruitless: [SpanMap.OpenGap: Int] = [:]
  /// The gaps that paging passes.
  private(set) var passed: Set<SpanMap.OpenGap> = []

  init(size: Int, isDense: Bool) {
    self.size = size
    facts = HistoryFacts(spans: SpanMap(isDense: isDense), stored: nil, isBound: false, version: 0)
  }

  // MARK: What lies beyond

  /// Whether it stands at the newest message.
  var isAtNewest: Bool { bounds?.upperBound == .highest }

  /// Whether it shows anything that has a place in the server's history.
  var showsPlaces: Bool {
    items.snapshot.contains { item in item.message.map { $0.rank > .unplaced && !$0.rank.isUnsent } ?? false }
  }

  var canLoadOldMessages: Bool { canLoadOldLocalMessages || canLoadOldRemoteMessages }

  /// Whether more is stored before it.
  var canLoadOldLocalMessages: Bool {
    guard let bounds else { return true }
    return facts.stored.map { $0.lowerBound < bounds.lowerBound } ?? false
  }

  /// Whether the server may have more before it that is not stored.
  var canLoadOldRemoteMessages: Bool {
    guard let bounds else { return true }
    if facts.isUnknown { return !passed.contains(.everything) }
    return facts.isBound && facts.spans.openGap(below: bounds.lowerBound.rank, passing: passed) != nil
  }

  var canLoadNextMessages: Bool { canLoadNextLocalMessages || canLoadNextRemoteMessages }

  /// Whether more is stored after it.
  var canLoadNextLocalMessages: Bool {
    guard let bounds, let stored = facts.stored else { return false }
    return bounds.upperBound < stored.upperBound
  }

  /// Whether the server may have more after it that is not stored.
  var canLoadNextRemoteMessages: Bool {
    guard let bounds, facts.isBound else { return false }
    return facts.spans.openGap(above: bounds.upperBound.rank, passing: passed) != nil
  }

  /// Where a page begins that it can grow by.
  func end(_ direction: PagingDirection) -> MessageOrder? {
    direction == .older ? bounds?.lowerBound : bounds?.upperBound
  }

  // MARK: Events

  /// Shows a page, wherever the window stood.
  ///
  /// - Parameter messages: those of the page.
  mutating func show(_ page: MessagePage, _ messages: [ChatMessage]) -> ListChange {
    learn(page.facts)
    (bounds, epoch) = (page.bounds, page.facts.epoch)
    return apply(messages)
  }

  /// Grows by a page; nil where the window has moved on and the page does not join it any more.
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

  /// Takes a page in place of what it shows: all that is stored between its ends, or, where all places have changed, where
  /// it stood.
  ///
  /// - Parameter messages: those of the page.
  mutating func reread(_ page: MessagePage, _ messages: [ChatMessage]) -> ListChange {
    learn(page.facts)
    (bounds, epoch) = (page.bounds, page.facts.epoch)
    let stored = Set(messages.map(\.id))
    let shown = items.snapshot.compactMap { $0.message?.id }
    return apply(messages, deleting: shown.filter { !stored.contains($0) })
  }

  /// Moves the older end to where a message that is shown comes to stand below it, sent now; what stands between is to be
  /// read then.
  ///
  /// - Returns: whether it moved.
  mutating func follow(_ part: StoreChanges.Part) -> Bool {
    guard let bounds, bounds.lowerBound.rank.isUnsent else { return false }
    let sent = part.messages.filter { !$0.rank.isUnsent && shown($0.id) != nil }
    guard let lowest = sent.map(\.order).min() else { return false }
    self.bounds = lowest...bounds.upperBound
    return true
  }

  /// Whether messages of an earlier epoch that it shows come to stand elsewhere, now that the server has handed them over.
  func isLeft(by part: StoreChanges.Part) -> Bool {
    !isAtNewest && part.messages.contains { !$0.rank.isEarlier && shown($0.id)?.rank.isEarlier == true }
  }

  /// Whether of the messages of an earlier epoch that it shows, most are not between its ends any more.
  func isLeft(by page: MessagePage) -> Bool {
    guard !isAtNewest else { return false }
    let shown = items.snapshot.lazy.compactMap(\.message).filter(\.rank.isEarlier)
    let left = Set(shown.map(\.id)).subtracting(page.rows.map(\.id))
    return left.count * 2 > items.snapshot.count
  }

  /// Takes what a transaction changed.
  ///
  /// - Parameter messages: the rows it changed, wherever they stand.
  mutating func apply(_ part: StoreChanges.Part, _ messages: [ChatMessage], version: Int64) -> ListChange {
    // A change tells of spans where they changed: what they are has to be read first.
    if facts.version > 0, version >= facts.version {
      facts.version = version
      facts.spans = part.spans ?? facts.spans
      facts.stored = part.stored
      if let value = part.value { facts.isBound = value.ref != nil }
    }
    return apply(messages, deleting: part.deleted)
  }

  /// The server told nothing new of a gap: after the third time paging passes it, and it says so.
  ///
  /// - Parameter isFinal: the server would tell the same the next time.
  /// - Returns: nil where it is tried again only if somebody asks for it.
  mutating func foundNothing(in gap: SpanMap.OpenGap, isFinal: Bool = false) -> ListChange? {
    // Somebody else has made it smaller meanwhile.
    guard gap == .everything ? facts.isUnknown : facts.spans.contains(gap) else { return ListChange() }
    fruitless[gap, default: 0] += isFinal ? Self.mostFruitless : 1
    guard fruitless[gap, default: 0] >= Self.mostFruitless else { return nil }
    passed.insert(gap)
    widen()
    return apply([])
  }

  private static var mostFruitless: Int { 3 }

  // Rows bring their own versions; spans that are older than the rows beside them would show two sides of a gap as
  // neighbours.
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
    // A page may hold a row that the window has in a later version already.
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

  /// An end beyond which there is nothing takes in what may come there. Where everything that was shown is gone, as when
  /// the chat was cleared, the window is to be opened anew.
  private mutating func widen() {
    guard let bounds else { return }
    let lower = canLoadOldMessages ? bounds.lowerBound : .lowest
    let upper = canLoadNextMessages ? bounds.upperBound : .highest
    self.bounds = upper < .highest && items.snapshot.count == gaps.count ? nil : lower...upper
  }

  private func shown(_ id: LocalMessageID) -> ChatMessage? { items.item(.message(id))?.message }

  /// The ends that leave no more than `size` messages.
  ///
  /// - Parameter gone: the shown messages that do not stay as they are.
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

  /// The messages that are shown and lie beyond an end.
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

  /// The gaps between its ends; what is missing before everything is no gap, unless it is not asked for any more.
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
