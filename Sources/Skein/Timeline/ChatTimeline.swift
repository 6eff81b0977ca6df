/// Shows the window of one chat: loads pages, follows the change feed, and publishes the updates from
/// `TimelineSync`.
///
/// `ChatMessenger.swift` describes the whole way of a message.
actor ChatTimeline {
  nonisolated let publisher = ListPublisher<MessageListItem>()
  nonisolated let reach = StatePublisher(WindowReach(hasPrevious: true, hasNext: false))
  nonisolated let receipts = StatePublisher(Receipts())
  nonisolated let pinned = StatePublisher<[FlaggedMessage]>([])
  nonisolated let inbox = ChangeInbox()
  private let conversation: ConversationID
  private let store: ChatStore
  private let loader: ChatMessageListLoader
  private let pageSize: Int
  private var sync: TimelineSync
  private var wasStale = false
  /// The pages that are loading, each with the move of the window that it belongs to.
  private var growing: [PagingDirection: (move: Int, task: Task<Void, any Error>)] = [:]
  private var readingAspects: Task<Void, any Error>?

  init(
    conversation: ConversationID, store: ChatStore, backend: any ChatBackend, pageSize: Int, windowSize: Int
  ) {
    self.conversation = conversation
    self.store = store
    self.pageSize = pageSize
    sync = TimelineSync(
      conversation: conversation, account: store.account, kinds: store.kinds,
      window: MessageWindow(size: max(windowSize, 2 * pageSize), isDense: store.ordering == .dense))
    loader = ChatMessageListLoader(conversation: conversation, store: store, backend: backend)
  }

  /// Follows the change feed until the task is cancelled.
  func run() async {
    await inbox.follow(store.runtime) {
      try await update()
      try await open()
    }
    publisher.close()
    receipts.close()
    pinned.close()
  }

  /// Applies the committed changes. For each listener, merges the updates that are not delivered yet into one
  /// update.
  func refresh() async {
    try? await open()
    await follow()
    publisher.mergePending()
  }

  // MARK: Loading

  /// Loads the newest stored messages, unless a page is already loaded.
  func open() async throws {
    guard sync.window.bounds == nil else { return }
    let movesAtStart = sync.moves
    let page = try await load { [loader, pageSize, passed = sync.window.passed] in
      try await loader.loadStoredMessages(limit: pageSize, passing: passed)
    }
    applyChanges()
    publish(sync.open(page, movesAtStart: movesAtStart))
  }

  /// Extends the window by one page. Concurrent calls for the same direction wait for the same page.
  func grow(_ direction: PagingDirection) async throws {
    try await open()
    let move = sync.moves
    if let (known, task) = growing[direction], known == move { return try await task.value }
    let task = store.runtime.spawn { try await self.extend(direction, at: move) }
    growing[direction] = (move, task)
    try await task.value
  }

  /// Moves the window to another place; only the last of several concurrent jumps takes effect.
  func jump(
    _ find:
      @Sendable (ChatMessageListLoader, _ limit: Int, _ passing: Set<SpanMap.OpenGap>) async throws ->
      MessagePage
  ) async throws {
    let jump = sync.beganJump()
    while true {
      do {
        let page = try await load { [loader, pageSize, passed = sync.window.passed] in
          try await find(loader, pageSize, passed)
        }
        guard sync.isLatest(jump) else {
          publish(sync.endedLoading())
          throw CancellationError()
        }
        applyChanges()
        publish(sync.show(page))
        return await follow()
      } catch let fill as FruitlessFill {
        try foundNothing(in: fill)
      }
    }
  }

  func jumpToNewest() async throws {
    if sync.window.isAtNewest {
      // An earlier jump, whose page is still loading, must not move the window.
      _ = sync.beganJump()
      return
    }
    try await jump { try await $0.loadStoredMessages(limit: $1, passing: $2) }
  }

  /// Extends the window with older messages. Stops when the oldest shown message with the status `sent` is
  /// older than a given time, or when no older messages can be loaded.
  ///
  /// - Throws: `CancellationError` if the window was moved to another place meanwhile, or if the task is
  ///   cancelled.
  func loadOldMessages(backTo time: Timestamp) async throws {
    try await open()
    let move = sync.moves
    while sync.window.canLoadOldMessages, move == sync.moves {
      let oldest = sync.window.items.snapshot.lazy.compactMap(\.message).first { $0.status == .sent }
      if let oldest, oldest.time < time { return }
      try Task.checkCancellation()
      try await grow(.older)
    }
    if move != sync.moves { throw CancellationError() }
  }

  /// Fetches the newest messages from the server.
  func loadNewMessages() async throws {
    try await loader.loadNewMessages(limit: pageSize)
    await follow()
  }

  /// Fetches a page of the newest messages of a gap, and applies the changes to the list.
  ///
  /// - Throws: `ChatError` if the server no longer has the messages. `BackendError` if the gap still exists,
  ///   because the server returned nothing new or because the gap can't be requested.
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
    guard sync.window.facts.spans.contains(gap.open) else { return }
    try foundNothing(in: fill)
    throw Self.nothingNew
  }

  /// - Parameter move: the move of the window at the call. After another move, the page is not wanted any more.
  private func extend(_ direction: PagingDirection, at move: Int) async throws {
    defer { if growing[direction]?.move == move { growing[direction] = nil } }
    while move == sync.moves, let anchor = sync.window.end(direction) {
      do {
        let page = try await load { [loader, pageSize, passed = sync.window.passed] in
          try await loader.loadMessages(from: anchor, direction, limit: pageSize, passing: passed)
        }
        applyChanges()
        let (growth, steps) = sync.grow(direction, by: page)
        publish(steps)
        switch growth {
        case .extended: return await follow()
        case .isOfOtherEpoch: await follow()
        case .isNotNext: break
        }
      } catch let fill as FruitlessFill {
        try foundNothing(in: fill)
      }
    }
  }

  /// Loads a page. The caller passes the page to `sync`, or calls `sync.endedLoading()`.
  private func load(_ body: @Sendable () async throws -> MessagePage) async throws -> MessagePage {
    sync.beganLoading()
    do {
      return try await body()
    } catch {
      publish(sync.endedLoading())
      throw error
    }
  }

  /// Handles a gap for which the server returned nothing new, or that can't be requested.
  ///
  /// - Throws: `BackendError` if paging still stops at the gap.
  private func foundNothing(in fill: FruitlessFill) throws {
    applyChanges()
    guard let steps = sync.foundNothing(in: fill) else { throw Self.nothingNew }
    publish(steps)
  }

  private static var nothingNew: BackendError {
    BackendError(.transient, "The server's page of history contains nothing new.")
  }

  // MARK: Changes

  /// Brings the list up to date. If data can't be loaded now, ``run()`` loads the data later.
  private func follow() async {
    do { try await update() } catch { inbox.doorbell.ring() }
  }

  /// Applies the changes from the feed, and loads the data that the changes do not contain.
  private func update() async throws {
    applyChanges()
    while !Task.isCancelled {
      if let readingAspects {
        try await readingAspects.value
      } else if sync.hasNewAspects {
        let reading = store.runtime.spawn { try await self.readAspects() }
        readingAspects = reading
        try await reading.value
      } else if sync.isStale, sync.window.bounds != nil {
        try await reread()
      } else {
        return
      }
      applyChanges()
    }
  }

  private func applyChanges() { publish(sync.receive(inbox.takeAll())) }

  /// Publishes the stored receipts and pins.
  private func readAspects() async throws {
    defer { readingAspects = nil }
    sync.beganReadingAspects()
    do {
      let (conversation, account, kinds) = (conversation, store.account, store.kinds)
      let (far, pins) = try await store.read { rows in
        (
          try rows.receipts(in: conversation, for: account),
          try rows.messages(with: .pin, in: conversation, for: account, kinds)
        )
      }
      receipts.publish(far)
      pinned.publish(pins)
    } catch {
      sync.failedReadingAspects()
      throw error
    }
  }

  /// Loads the whole window again, and replaces the shown messages.
  private func reread() async throws {
    guard let bounds = sync.window.bounds else { return }
    var page = try await loader.local.loadMessages(within: bounds)
    let hasMoved = sync.hasMoved(from: page)
    if hasMoved { page = try await pageWhereItStood() }
    publish(sync.reread(page, replacing: bounds, hasMoved: hasMoved))
  }

  /// Loads a page around the middle message of the window, after the places of the messages have changed.
  /// Loads the newest stored messages instead in three cases: the window is at the newest message, it shows
  /// no message, or the page around the middle message can't be loaded.
  private func pageWhereItStood() async throws -> MessagePage {
    let shown = sync.window.items.snapshot.compactMap { $0.message?.id }
    let limit = max(pageSize, shown.count)
    if !sync.window.isAtNewest, !shown.isEmpty,
      let page = try? await loader.loadMessages(around: shown[shown.count / 2], limit: limit, passing: [])
    {
      return page
    }
    return try await loader.loadStoredMessages(limit: limit, passing: [])
  }

  private func publish(_ steps: [TimelineSync.Step]) {
    // A listener may read the reach when a step arrives.
    if !steps.isEmpty {
      let window = sync.window
      reach.publish(
        WindowReach(hasPrevious: window.canLoadOldMessages, hasNext: window.canLoadNextMessages))
    }
    for step in steps { publisher.publish(step.change, step.snapshot) }
    // The loop of `run` loads a stale window again. The loop is woken only when the window becomes stale, not
    // after each failure, since loading may fail for a long time.
    if sync.isStale, !wasStale { inbox.doorbell.ring() }
    wasStale = sync.isStale
  }
}

/// Whether there may be more messages beyond the ends of a window, stored here or on the server.
struct WindowReach: Sendable, Equatable {
  var hasPrevious: Bool
  var hasNext: Bool
}
