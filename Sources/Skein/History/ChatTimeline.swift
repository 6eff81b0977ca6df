/// Holds the loaded window of one chat and moves it on: by what the feed brings and by what is loaded.
actor ChatTimeline {
  nonisolated let publisher = ListPublisher<MessageListItem>()
  nonisolated let hasMore = StatePublisher(true)
  nonisolated let inbox = ChangeInbox()
  private let conversation: ConversationID
  private let store: ChatStore
  private let loader: ChatMessageListLoader
  private let pageSize: Int
  private var items = ChatDataManager<MessageListItem>(sortedBy: { $0.order < $1.order })
  private var spans: SpanMap
  /// The change that `spans` are of. Rows bring their own versions; spans that are older than the rows beside them would
  /// show two sides of a gap as neighbours.
  private var spansVersion: Int64 = 0
  private var gaps: [MessageGap] = []
  private var isBound = false
  /// The window reaches from here to the newest message; nil until the first page is there.
  private var bottom: MessageOrder?
  private var loading: Task<Void, any Error>?
  /// What has changed since the load under way began: the page it brings may be older.
  private var changesDuringLoad: [(part: StoreChanges.Part, version: Int64)] = []
  /// What came from the feed and waits until the window was read again.
  private var waiting: [StoreChanges] = []
  /// Whether another process has changed the conversation since the window was read.
  private var isStale = false
  /// The change up to which the window was last read again as a whole.
  private var rereadVersion: Int64 = 0

  init(conversation: ConversationID, store: ChatStore, backend: any ChatBackend, pageSize: Int) {
    self.conversation = conversation
    self.store = store
    self.pageSize = pageSize
    spans = SpanMap(isDense: store.ordering == .dense)
    loader = ChatMessageListLoader(conversation: conversation, store: store, backend: backend)
  }

  /// Follows the feed until its task is cancelled.
  func run() async {
    while !Task.isCancelled {
      try? await open()
      await follow()
      await inbox.doorbell.wait()
    }
    publisher.close()
  }

  /// Loads the newest stored messages, once.
  func open() async throws {
    guard bottom == nil else { return }
    try await load { loader, _, pageSize in try await loader.loadStoredMessages(limit: pageSize) }
  }

  /// Lets the window grow by one page of older messages; calls that come meanwhile wait for the same page.
  func loadOldMessages() async throws {
    try await open()
    try await load { loader, anchor, pageSize in
      try await loader.loadOldMessages(before: anchor, limit: pageSize)
    }
  }

  /// Fetches the newest messages of a gap; when it returns, they are in the list.
  func fill(_ gap: MessageGap) async throws {
    try await loader.remote.loadOldMessages(below: gap.upper, limit: pageSize)
    await follow()
  }

  // MARK: Loading

  private func load(
    _ fetch: @escaping @Sendable (ChatMessageListLoader, MessageOrder, Int) async throws -> MessagePage
  ) async throws {
    if let loading { return try await loading.value }
    let anchor = items.snapshot.first?.order ?? .highest
    let task = store.runtime.spawn { [loader, pageSize] in
      do {
        await self.loaded(try await fetch(loader, anchor, pageSize))
      } catch {
        await self.loaded(nil)
        throw error
      }
    }
    loading = task
    try await task.value
  }

  private func loaded(_ page: MessagePage?) {
    loading = nil
    defer { changesDuringLoad = [] }
    guard let page else { return }
    if page.version >= spansVersion {
      spans = page.spans
      spansVersion = page.version
    }
    isBound = page.isBound
    if page.canLoadOldLocalMessages, let first = page.rows.first {
      bottom = first.order
    } else {
      bottom = MessageOrder(rank: page.bottom, id: .init(rawValue: .min))
    }
    if page.version < rereadVersion { isStale = true }
    // What was deleted while the page was on its way is not shown again, not for a moment either.
    let newer = changesDuringLoad.filter { $0.version > page.version }
    let deleted = Set(newer.flatMap(\.part.deleted))
    publish(page.rows.filter { !deleted.contains($0.id) }, deleting: [])
    for var change in newer {
      change.part.messages.removeAll { deleted.contains($0.id) }
      apply(change.part, of: change.version)
    }
    applyChanges()
  }

  // MARK: Changes

  /// Applies what the feed has brought, and reads the window again where another process changed it.
  private func follow() async {
    applyChanges()
    while isStale, bottom != nil, !Task.isCancelled {
      // What can't be read now is read at the next change.
      do { try await reread() } catch { return }
      applyChanges()
    }
  }

  /// One change after the other: what follows one of another process waits until that one is seen as well.
  private func applyChanges() {
    waiting += inbox.takeAll()
    while !isStale, !waiting.isEmpty {
      let change = waiting.removeFirst()
      for part in change.parts where part.conversation == conversation {
        guard !part.isElsewhere else {
          isStale = true
          inbox.doorbell.ring()
          continue
        }
        if loading != nil { changesDuringLoad.append((part, change.version)) }
        apply(part, of: change.version)
      }
    }
  }

  /// Reads the whole window: what it finds takes the place of what is shown.
  private func reread() async throws {
    guard let bottom else { return }
    let window = try await loader.local.loadWindow(from: bottom)
    // A page that came meanwhile has let the window grow.
    guard self.bottom == bottom else { return }
    isStale = false
    rereadVersion = window.version
    spans = window.spans
    spansVersion = window.version
    isBound = window.isBound
    let stored = Set(window.rows.map(\.id))
    let shown = items.snapshot.compactMap { $0.message?.id }
    publish(
      window.rows.filter { window.isListed($0) || items.item(.message($0.id)) != nil },
      deleting: shown.filter { !stored.contains($0) }.map { .message($0) })
  }

  private func apply(_ part: StoreChanges.Part, of version: Int64) {
    guard let bottom, version > rereadVersion else { return }
    if let spans = part.spans, version >= spansVersion {
      self.spans = spans
      spansVersion = version
    }
    if let value = part.value { isBound = value.ref != nil }
    let outside = part.messages.filter { $0.order < bottom }.map(\.id)
    publish(
      part.messages.filter { $0.order >= bottom },
      deleting: (part.deleted + outside).map { .message($0) })
  }

  private func publish(_ rows: [MessageRow], deleting deleted: [MessageListItem.ID]) {
    // A page may hold a row that the window has in a later version already.
    let new = rows.filter { row in
      items.item(.message(row.id))?.message.map { $0.version < row.version } ?? true
    }
    let messages = new.map { MessageListItem.message($0.message(for: store.account, kinds: store.kinds)) }
    let oldGaps = gaps
    gaps = visibleGaps()
    let closed = oldGaps.filter { old in !gaps.contains { $0.lower == old.lower } }
    let change = items.apply(
      inserting: messages + gaps.map { .gap($0) },
      deleting: deleted + closed.map { MessageListItem.gap($0).id })
    publisher.publish(change, items.snapshot)
    hasMore.publish(hasMoreMessages())
  }

  /// The gaps that lie within the window.
  private func visibleGaps() -> [MessageGap] {
    guard let bottom else { return [] }
    return zip(spans.spans, spans.spans.dropFirst()).compactMap { below, above in
      guard below.upper >= bottom.rank else { return nil }
      return MessageGap(lower: below.upper, upper: above.lower, unreadCount: above.unreadBelow)
    }
  }

  /// Whether the database or the server may have more before the window.
  private func hasMoreMessages() -> Bool {
    guard let bottom else { return true }
    guard let span = spans.span(at: bottom.rank) ?? spans.spans.first else {
      return isBound || bottom > .lowest
    }
    let isInside = MessageOrder(rank: span.lower, id: .init(rawValue: .min)) < bottom
    return isInside || (isBound && !span.reachesStart)
  }
}
