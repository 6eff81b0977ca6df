/// Keeps the window of one chat in step with the database while changes come in and pages are loaded.
///
/// 1. Changes are applied in the order of their commits. If a change can't be applied, the changes after it
///    wait until the window has been loaded again.
/// 2. A loaded page may be older than the changes received meanwhile. These changes are applied again after
///    the page is shown.
/// 3. A message deleted while a page was loading is not shown by that page, not even briefly.
/// 4. A page for a place that the window has left is not shown. Only the last of several jumps moves the
///    window.
struct TimelineSync: Sendable {
  /// A change of the list, and the list after it.
  typealias Step = ListUpdate<MessageListItem>
  /// The outcome of a page that was loaded to extend the window.
  enum Growth: Sendable, Equatable {
    case extended
    /// The window's end has moved meanwhile: the page no longer adjoins the window.
    case isNotNext
    /// The page is of another epoch: the window must be loaded again.
    case isOfOtherEpoch
  }

  private let conversation: ConversationID
  private let account: UserID
  private let kinds: KindRegistry
  private(set) var window: MessageWindow
  /// The number of times the window was moved to another place.
  private(set) var moves = 0
  /// The number of the latest requested jump.
  private var jumps = 0
  private var loads = 0
  /// The changes received while pages are being loaded.
  private var changesDuringLoads: [(part: StoreChanges.Part, version: Int64)] = []
  /// Changes that wait until the window has been loaded again.
  private var waiting: [StoreChanges] = []
  /// Whether the window must be loaded again, for example because another process has changed the conversation, or an
  /// end of the window has moved.
  private(set) var isStale = false
  /// The value of the change counter when the whole window was last loaded again.
  private var rereadVersion: Int64 = 0
  /// Whether the receipts or the pinned messages have changed since they were last loaded.
  private(set) var hasNewAspects = true

  init(conversation: ConversationID, account: UserID, kinds: KindRegistry, window: MessageWindow) {
    self.conversation = conversation
    self.account = account
    self.kinds = kinds
    self.window = window
  }

  // MARK: Changes

  /// Applies changes from the feed, in order. While the window must be loaded again, changes wait.
  mutating func receive(_ changes: [StoreChanges]) -> [Step] {
    waiting += changes
    var steps: [Step] = []
    while !isStale, !waiting.isEmpty {
      let change = waiting.removeFirst()
      for part in change.parts where part.conversation == conversation {
        if !part.aspects.isEmpty || part.needsReload || part.mergedInto != nil { hasNewAspects = true }
        if part.needsReload
          || change.version > rereadVersion && (window.losesItsPlaces(by: part) || window.follow(part))
        {
          isStale = true
          continue
        }
        // The part of a merged conversation does not state that its spans are gone too.
        if part.mergedInto != nil { isStale = true }
        if loads > 0 { changesDuringLoads.append((part, change.version)) }
        steps += apply(part, of: change.version)
      }
    }
    return steps
  }

  /// The receipts and the pinned messages are being loaded.
  mutating func beganReadingAspects() { hasNewAspects = false }

  /// The receipts and the pinned messages could not be loaded.
  mutating func failedReadingAspects() { hasNewAspects = true }

  // MARK: Pages

  /// A page is being loaded: changes are recorded until the page is shown or ``endedLoading()`` is called.
  mutating func beganLoading() { loads += 1 }

  /// Loading has failed, or the loaded page is not needed.
  mutating func endedLoading() -> [Step] { endedLoading(since: .max) }

  /// A jump is requested.
  ///
  /// - Returns: the number of the jump, for ``isLatest(_:)``.
  mutating func beganJump() -> Int {
    jumps += 1
    return jumps
  }

  /// Whether no other jump was requested after a given jump.
  func isLatest(_ jump: Int) -> Bool { jump == jumps }

  /// Shows the first page. Ignores the page if the window already has ends, or was moved while the page was
  /// loading.
  ///
  /// - Parameter movesAtStart: the value of ``moves`` when loading began.
  mutating func open(_ page: MessagePage, movesAtStart: Int) -> [Step] {
    window.bounds == nil && movesAtStart == moves ? show(page) : endedLoading()
  }

  /// Moves the window to a page.
  mutating func show(_ page: MessagePage) -> [Step] {
    moves += 1
    let change = window.show(page, messages(of: page))
    return [step(change)] + endedLoading(since: page.facts.version)
  }

  /// Extends the window by a page.
  mutating func grow(_ direction: PagingDirection, by page: MessagePage) -> (growth: Growth, steps: [Step]) {
    let change = window.grow(direction, by: page, messages(of: page))
    let steps = change.map { [step($0)] }
    let later = endedLoading(since: page.facts.version)
    if let steps { return (.extended, steps + later) }
    guard page.facts.epoch != window.epoch else { return (.isNotNext, later) }
    isStale = true
    return (.isOfOtherEpoch, later)
  }

  /// Whether the window's ends no longer enclose its messages, because the places of the messages have
  /// changed. This is assumed in two cases:
  ///
  /// 1. The page is of another epoch, and the window shows messages with a place in the server's history.
  /// 2. The window is not at the newest message, and most of the shown items are messages of an earlier epoch
  ///    that are missing from the page.
  ///
  /// - Parameter page: all messages that are now stored between the window's ends.
  func hasMoved(from page: MessagePage) -> Bool {
    page.facts.epoch != window.epoch && window.showsPlaces || window.losesItsPlaces(by: page)
  }

  /// Replaces all shown messages by a page. Does nothing in two cases: the window's ends have moved while the page was
  /// loading, or the page is older than the window, because another page was loaded at the same time and came first.
  ///
  /// - Parameters:
  ///   - bounds: the window's ends when loading began.
  ///   - hasMoved: whether the page is of another place, because ``hasMoved(from:)`` returned true.
  mutating func reread(_ page: MessagePage, replacing bounds: ClosedRange<MessageOrder>, hasMoved: Bool)
    -> [Step]
  {
    guard window.bounds == bounds, page.facts.version >= window.facts.version else { return [] }
    if hasMoved { moves += 1 }
    isStale = false
    rereadVersion = page.facts.version
    let change = window.reread(page, messages(page.rows))
    return [step(change)]
  }

  /// The server returned nothing new for a gap, or the gap can't be requested.
  ///
  /// - Returns: the step that shows the gap as stalled. Nil if paging still stops at the gap. A step without
  ///   a change if the gap has changed or was filled meanwhile.
  mutating func foundNothing(in fill: FruitlessFill) -> [Step]? {
    let change = window.foundNothing(in: fill.gap, isFinal: fill.isFinal)
    return change.map { [step($0)] }
  }

  private mutating func endedLoading(since version: Int64) -> [Step] {
    // A page that is older than the last reload of the window lacks the changes between the page and the
    // reload. These changes are not applied one by one, so the window must be loaded once more.
    if version < rereadVersion { isStale = true }
    let deleted = deleted(since: version)
    var steps: [Step] = []
    for var change in changesDuringLoads where change.version > version {
      change.part.messages.removeAll { deleted.contains($0.id) }
      steps += apply(change.part, of: change.version)
    }
    loads -= 1
    if loads == 0 { changesDuringLoads = [] }
    return steps
  }

  private mutating func apply(_ part: StoreChanges.Part, of version: Int64) -> [Step] {
    guard version > rereadVersion else { return [] }
    let change = window.apply(part, messages(part.messages), version: version)
    return [step(change)]
  }

  // Call this in a statement after the change: `step(window.show(…))` would use the old window.
  private func step(_ change: ListChange) -> Step { Step(change: change, snapshot: window.items.snapshot) }

  private func deleted(since version: Int64) -> Set<LocalMessageID> {
    Set(changesDuringLoads.filter { $0.version > version }.flatMap(\.part.deleted))
  }

  private func messages(of page: MessagePage) -> [ChatMessage] {
    let deleted = deleted(since: page.facts.version)
    return messages(page.rows.filter { !deleted.contains($0.id) })
  }

  private func messages(_ rows: [MessageRow]) -> [ChatMessage] {
    rows.map { $0.message(for: account, kinds: kinds) }
  }
}
