/// Moves the window of one chat on: by what the feed brings and by what is loaded.
///
/// What a load brings may be older than what the feed brought meanwhile, so that is applied once more after it.
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
  /// How often the window was put elsewhere.
  private var moves = 0
  /// The latest jump that was asked for.
  private var jumps = 0
  private var growing: [PagingDirection: Task<Void, any Error>] = [:]
  private var loads = 0
  /// What has changed since the loads under way began.
  private var changesDuringLoads: [(part: StoreChanges.Part, version: Int64)] = []
  /// What came from the feed and waits until the window was read again.
  private var waiting: [StoreChanges] = []
  /// Whether the window is to be read again: another process has changed the conversation, or its end has moved.
  private var isStale = false
  /// The change up to which the window was last read again as a whole.
  private var rereadVersion: Int64 = 0
  /// Whether somebody else may have got or read more than what was published, or other messages be pinned.
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

  /// Publishes how far the others are and what is pinned, as that is stored.
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

  /// Loads the newest stored messages, unless something is loaded already.
  func open() async throws {
    guard window.bounds == nil else { return }
    let move = moves
    let page = try await load { [loader, pageSize, passed = window.passed] in
      try await loader.loadStoredMessages(limit: pageSize, passing: passed)
    }
    if window.bounds == nil, move == moves { show(page) } else { loaded() }
  }

  /// Lets the window grow by one page; calls that come meanwhile wait for the same page.
  func grow(_ direction: PagingDirection) async throws {
    try await open()
    if let task = growing[direction] { return try await task.value }
    let task = store.runtime.spawn { try await self.extend(direction) }
    growing[direction] = task
    try await task.value
  }

  /// Puts the window elsewhere; of several jumps under way only the one that was asked for last counts.
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

  /// Lets the window grow until it holds a message that is older than a moment, or all there is.
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

  /// Asks the server for the newest messages.
  func loadNewMessages() async throws {
    try await loader.loadNewMessages(limit: pageSize)
    await follow()
  }

  /// Fetches the newest messages of a gap; when it returns, they are in the list.
  func fill(_ gap: MessageGap) async throws {
    guard gap.state != .unavailable else {
      throw ChatError(.notPossibleNow, "The server does not have these messages any more.")
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
        // Where the window's end has moved meanwhile, the page is not the next one any more.
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

  /// Keeps what changes while something is loaded, until ``loaded(since:)``.
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
    // It may be older than what another process has changed since.
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

  /// What was deleted while a page was on its way; it is not shown again, not for a moment either.
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
    BackendError(.transient, "The server's page of history holds nothing that is not known.")
  }

  // MARK: Changes

  /// Applies what the feed has brought, and reads the window again where that is not enough.
  private func follow() async {
    applyChanges()
    while !Task.isCancelled {
      // What can't be read now is read at the next change.
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

  /// One change after the other: what follows one that can't be applied waits until the window was read again.
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

  /// Reads the whole window: what it finds takes the place of what is shown.
  private func reread() async throws {
    guard let bounds = window.bounds else { return }
    var page = try await loader.local.loadMessages(within: bounds)
    let hasMoved = page.facts.epoch != window.epoch && window.showsPlaces || window.isLeft(by: page)
    if hasMoved { page = try await pageWhereItStood() }
    // A page that came meanwhile has moved the window.
    guard window.bounds == bounds else { return }
    if hasMoved { moves += 1 }
    isStale = false
    rereadVersion = page.facts.version
    publish(window.reread(page, messages(page.rows)))
  }

  /// In another epoch all places are others: what the window shows is looked for by the messages.
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

  /// What is stored is of another epoch than what the window shows.
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

/// Whether there may be more beyond the ends of a window, here or on the server.
struct WindowReach: Sendable, Equatable {
  var hasPrevious: Bool
  var hasNext: Bool
}
