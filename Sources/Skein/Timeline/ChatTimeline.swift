/// Updates the window of one chat with changes from the feed and with loaded pages.
///
/// A loaded page may be older than changes received meanwhile, so those are applied again after it.
actor ChatTimeline {
  nonisolated let publisher = ListPublisher<MessageListItem>()
  nonisolated let reach = StatePublisher(WindowReach(hasPrevious: true, hasNext: false))
  nonisolated let receipts = StatePublisher(Receipts())
  nonisolated let pinned = StatePublisher<[PinnedMessage]>([])
  nonisolated let inbox = ChangeInbox()
  private let conversation: ConversationID
  private let store: ChatStore
  private let loader: ChatMessageListLoader
  private let pageSize: Int
  private var window: MessageWindow
  /// The number of times the window was moved to another place.
  private var moves = 0
  /// The latest requested jump.
  private var jumps = 0
  private var growing: [PagingDirection: Task<Void, any Error>] = [:]
  private var loads = 0
  /// Changes since the running loads began.
  private var changesDuringLoads: [(part: StoreChanges.Part, version: Int64)] = []
  /// Changes from the feed that wait until the window has been read again.
  private var waiting: [StoreChanges] = []
  /// Whether the window must be read again: another process has changed the conversation, or its end has moved.
  private var isStale = false
  /// The change version at which the whole window was last read.
  private var rereadVersion: Int64 = 0
  /// Whether receipts or pins may differ from the published ones.
  private var hasReceiptsOrPins = true
  private var isReadingAside = false

  init(
    conversation: ConversationID, store: ChatStore, backend: any ChatBackend, pageSize: Int, windowSize: Int
  ) {
    self.conversation = conversation
    self.store = store
    self.pageSize = pageSize
    window = MessageWindow(size: max(windowSize, 2 * pageSize), isDense: store.ordering == .dense)
    loader = ChatMessageListLoader(conversation: conversation, store: store, backend: backend)
  }

  /// Follows the feed until its task is cancelled.
  func run() async {
    while !Task.isCancelled {
      await follow()
      try? await open()
      await inbox.doorbell.wait()
    }
    publisher.close()
    receipts.close()
    pinned.close()
  }

  /// Publishes the stored receipts and pins.
  private func readReceiptsAndPins() async throws {
    isReadingAside = true
    defer { isReadingAside = false }
    hasReceiptsOrPins = false
    do {
      let (conversation, account, kinds) = (conversation, store.account, store.kinds)
      let (far, pins) = try await store.read { rows in
        (
          try rows.receipts(in: conversation, for: account),
          try rows.pinned(in: conversation, for: account, kinds)
        )
      }
      receipts.publish(far)
      pinned.publish(pins)
    } catch {
      hasReceiptsOrPins = true
      throw error
    }
  }

  // MARK: Loading

  /// Loads the newest stored messages, unless something is already loaded.
  func open() async throws {
    guard window.bounds == nil else { return }
    let move = moves
    let page = try await load { [loader, pageSize, passed = window.passed] in
      try await loader.loadStoredMessages(limit: pageSize, passing: passed)
    }
    if window.bounds == nil, move == moves { show(page) } else { loaded() }
  }

  /// Extends the window by one page; concurrent calls wait for the same page.
  func grow(_ direction: PagingDirection) async throws {
    try await open()
    if let task = growing[direction] { return try await task.value }
    let task = store.runtime.spawn { try await self.extend(direction) }
    growing[direction] = task
    try await task.value
  }

  /// Moves the window elsewhere; of several concurrent jumps only the last counts.
  func jump(
    _ find:
      @Sendable (ChatMessageListLoader, _ limit: Int, _ passing: Set<SpanMap.OpenGap>) async throws ->
      MessagePage
  ) async throws {
    jumps += 1
    let jump = jumps
    while true {
      do {
        let page = try await load { [loader, pageSize, passed = window.passed] in
          try await find(loader, pageSize, passed)
        }
        guard jump == jumps else {
          loaded()
          throw CancellationError()
        }
        show(page)
        return await follow()
      } catch let fill as FruitlessFill {
        try foundNothing(in: fill)
      }
    }
  }

  func jumpToNewest() async throws {
    guard !window.isAtNewest else { return }
    try await jump { try await $0.loadStoredMessages(limit: $1, passing: $2) }
  }

  /// Extends the window until it holds a message older than a moment, or everything there is.
  func loadOldMessages(backTo time: Timestamp) async throws {
    try await open()
    let move = moves
    while window.canLoadOldMessages, move == moves {
      let oldest = window.items.snapshot.lazy.compactMap(\.message).first { $0.status == .sent }
      if let oldest, oldest.time < time { return }
      try Task.checkCancellation()
      try await grow(.older)
    }
    if move != moves { throw CancellationError() }
  }

  /// Fetches the newest messages from the server.
  func loadNewMessages() async throws {
    try await loader.loadNewMessages(limit: pageSize)
    await follow()
  }

  /// Fetches the newest messages of a gap; when it returns, they are in the list.
  func fill(_ gap: MessageGap) async throws {
    guard gap.state != .unavailable else {
      throw ChatError(.notPossibleNow, "The server no longer has these messages.")
    }
    var fill = FruitlessFill(gap: gap.open)
    do {
      let hasNews = try await loader.remote.loadMessages(in: gap.open, .older, limit: pageSize)
      await follow()
      if hasNews { return }
    } catch let final as FruitlessFill {
      fill = final
      await follow()
    }
    guard window.facts.spans.contains(gap.open) else { return }
    try foundNothing(in: fill)
    throw Self.nothingNew
  }

  private func extend(_ direction: PagingDirection) async throws {
    defer { growing[direction] = nil }
    let move = moves
    while move == moves, let anchor = window.end(direction) {
      do {
        let page = try await load { [loader, pageSize, passed = window.passed] in
          try await loader.loadMessages(from: anchor, direction, limit: pageSize, passing: passed)
        }
        applyChanges()
        let change = window.grow(direction, by: page, messages(of: page))
        if let change { publish(change) }
        loaded(since: page.facts.version)
        // If the window's end has moved meanwhile, the page is no longer the next one.
        if change != nil { return await follow() }
        if page.facts.epoch != window.epoch { await goStale() }
      } catch let fill as FruitlessFill {
        try foundNothing(in: fill)
      }
    }
  }

  private func show(_ page: MessagePage) {
    applyChanges()
    moves += 1
    publish(window.show(page, messages(of: page)))
    loaded(since: page.facts.version)
  }

  /// Records changes while something is loaded, until ``loaded(since:)``.
  private func load(_ body: @Sendable () async throws -> MessagePage) async throws -> MessagePage {
    loads += 1
    do {
      return try await body()
    } catch {
      loaded()
      throw error
    }
  }

  private func loaded(since version: Int64 = .max) {
    // The page may be older than changes of another process.
    if version < rereadVersion {
      isStale = true
      inbox.doorbell.ring()
    }
    let deleted = deleted(since: version)
    for var change in changesDuringLoads where change.version > version {
      change.part.messages.removeAll { deleted.contains($0.id) }
      apply(change.part, of: change.version)
    }
    loads -= 1
    if loads == 0 { changesDuringLoads = [] }
  }

  /// Messages deleted while a page was loading; they are not shown again, not even briefly.
  private func deleted(since version: Int64) -> Set<LocalMessageID> {
    Set(changesDuringLoads.filter { $0.version > version }.flatMap(\.part.deleted))
  }

  /// - Throws: `BackendError` unless the gap is passed from now on.
  private func foundNothing(in fill: FruitlessFill) throws {
    applyChanges()
    guard let change = window.foundNothing(in: fill.gap, isFinal: fill.isFinal) else { throw Self.nothingNew }
    publish(change)
  }

  private static var nothingNew: BackendError {
    BackendError(.transient, "The server's page of history contains nothing new.")
  }

  // MARK: Changes

  /// Applies the changes from the feed, and reads the window again if that is not enough.
  private func follow() async {
    applyChanges()
    while !Task.isCancelled {
      // Changes that can't be read now are read with the next change.
      do {
        if hasReceiptsOrPins, !isReadingAside {
          try await readReceiptsAndPins()
        } else if isStale, window.bounds != nil {
          try await reread()
        } else {
          return
        }
      } catch { return }
      applyChanges()
    }
  }

  /// Applies changes in order: those after one that can't be applied wait until the window has been read again.
  private func applyChanges() {
    waiting += inbox.takeAll()
    while !isStale, !waiting.isEmpty {
      let change = waiting.removeFirst()
      for part in change.parts where part.conversation == conversation {
        if !part.aspects.isEmpty || part.needsReload { hasReceiptsOrPins = true }
        if part.needsReload
          || change.version > rereadVersion && (window.isLeft(by: part) || window.follow(part))
        {
          isStale = true
          inbox.doorbell.ring()
          continue
        }
        if loads > 0 { changesDuringLoads.append((part, change.version)) }
        apply(part, of: change.version)
      }
    }
  }

  /// Reads the whole window, and replaces the shown messages.
  private func reread() async throws {
    guard let bounds = window.bounds else { return }
    var page = try await loader.local.loadMessages(within: bounds)
    let hasMoved = page.facts.epoch != window.epoch && window.showsPlaces || window.isLeft(by: page)
    if hasMoved { page = try await pageWhereItStood() }
    // A page loaded meanwhile has moved the window.
    guard window.bounds == bounds else { return }
    if hasMoved { moves += 1 }
    isStale = false
    rereadVersion = page.facts.version
    publish(window.reread(page, messages(page.rows)))
  }

  /// Places change with the epoch: the window is found again by its messages.
  private func pageWhereItStood() async throws -> MessagePage {
    let shown = window.items.snapshot.compactMap { $0.message?.id }
    let limit = max(pageSize, shown.count)
    if !window.isAtNewest, !shown.isEmpty,
      let page = try? await loader.loadMessages(around: shown[shown.count / 2], limit: limit, passing: [])
    {
      return page
    }
    return try await loader.loadStoredMessages(limit: limit, passing: [])
  }

  /// The stored messages are of another epoch than the window.
  private func goStale() async {
    isStale = true
    await follow()
  }

  private func apply(_ part: StoreChanges.Part, of version: Int64) {
    guard version > rereadVersion else { return }
    publish(window.apply(part, messages(part.messages), version: version))
  }

  private func messages(of page: MessagePage) -> [ChatMessage] {
    let deleted = deleted(since: page.facts.version)
    return messages(page.rows.filter { !deleted.contains($0.id) })
  }

  private func messages(_ rows: [MessageRow]) -> [ChatMessage] {
    rows.map { $0.message(for: store.account, kinds: store.kinds) }
  }

  private func publish(_ change: ListChange) {
    publisher.publish(change, window.items.snapshot)
    reach.publish(
      WindowReach(hasPrevious: window.canLoadOldMessages, hasNext: window.canLoadNextMessages))
  }
}

/// Whether there may be more messages beyond the ends of a window, here or on the server.
struct WindowReach: Sendable, Equatable {
  var hasPrevious: Bool
  var hasNext: Bool
}
