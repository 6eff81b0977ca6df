import SkeinStorage

/// Stores the conversations and messages received from the server by sync, by push and as pages of history.
///
/// All new messages from the server enter the database here. An ``IntakePlan`` decides about places and spans. This
/// type loads the input of the plan, and carries the plan out.
///
/// `ChatMessenger.swift` describes the whole way of a message.
struct Intake {
  let work: UnitOfWork
  let merging: MessageMerge
  private let absent: AbsentMessages
  let marks: ServerMarks
  private let floating: FloatingMessages
  private let anchors: FreeAnchors
  var store: ChatStore { work.store }

  init(_ work: UnitOfWork) {
    self.work = work
    merging = MessageMerge(work)
    absent = AbsentMessages(work)
    marks = ServerMarks(work)
    floating = FloatingMessages(work)
    anchors = FreeAnchors(work)
  }

  /// Decides whether the received messages are indexed for search at once.
  private func chooseIndexing(of count: Int) { work.indexesAtOnce = count >= 16 }

  // MARK: Sync

  /// Applies the changes between two cursors.
  ///
  /// - Parameters:
  ///   - isPushed: whether the batch was pushed. A fetched batch of another epoch begins that epoch. A pushed batch of
  ///     another epoch may be late. It is applied, and begins its epoch, only if no epoch is stored yet.
  ///   - requested: the change counter when the batch was requested; nil if it was pushed.
  /// - Returns: whether the batch was applied. A batch that does not continue from the stored cursor is not
  ///   applied.
  func apply(_ batch: SyncBatch, isPushed: Bool = false, requestedAt requested: Int64? = nil) throws -> Bool {
    if let epoch = batch.epoch, epoch != work.account.epoch {
      guard !isPushed || work.account.epoch == nil else { return false }
      try EpochChange(work).begin(epoch)
    }
    guard batch.from == work.account.cursor else { return false }
    if batch.from == nil { try forgetFlags() }
    chooseIndexing(of: batch.conversations.reduce(0) { $0 + $1.messages.count })
    for var delta in batch.conversations {
      delta.messages = delta.messages.inOrder
      let id = try ConversationBook(work).findOrCreate(delta.info)
      delta.messages = try clearedFirst(delta.messages, in: id)
      try Invitations(work).noteJoining(of: id)
      if !store.capabilities.contacts {
        try ConversationEnds(work).noteReturn(to: id, requestedAt: requested)
      }
      let countsUnread = try apply(delta, in: id, isFirstSync: batch.from == nil)
      // The server's counts include the revised messages. These messages must therefore be applied before the counts
      // are compared with the stored messages.
      try absent.apply(delta.revised, in: id)
      if countsUnread { try countUnread(delta, in: id) }
      try countMentions(delta, in: id)
    }
    for ref in batch.left { try ConversationEnds(work).noteLeaving(ref) }
    try Invitations(work).storeInvitations(of: batch)
    if let muted = batch.muted { try ConversationBook(work).noteMuted(muted) }
    work.account.cursor = batch.next
    storeClockOffset()
    return true
  }

  /// Removes the stored flags of the current epoch before a sync from the beginning. That sync returns every
  /// message that has a flag, but does not report removed flags.
  ///
  /// The stored revision is lowered by one. A state received later then replaces the stored state, even if
  /// the server's revision is unchanged.
  private func forgetFlags() throws {
    for var row in try work.rows.flaggedMessages() {
      (row.flags, row.revision) = (nil, max(row.revision, .min + 1) - 1)
      try work.update(row)
    }
  }

  /// Stores how far the device's clock is behind the server's clock. The next start uses the stored value,
  /// since the device may be offline then. A change of at most a second is not worth a write.
  private func storeClockOffset() {
    let offset = store.clock.offset
    let step = offset - .milliseconds(work.account.clockOffset)
    if max(step, .zero - step) > .seconds(1) { work.account.clockOffset = offset.milliseconds }
  }

  /// - Returns: whether the server's unread count can be applied.
  private func apply(_ delta: ConversationDelta, in id: ConversationID, isFirstSync: Bool) throws -> Bool {
    let missing = delta.count.map { max($0.clamped(to: Self.plausibleCounts) - delta.messages.count, 0) }
    let first = delta.messages.first?.position
    let free =
      try missing == 0
      ? anchors.forFirstSync(delta.messages, in: id) : anchors.forIncompleteSync(delta.messages, in: id)
    let plan = IntakePlan(
      sync: delta, missing: missing, isFirstSync: isFirstSync,
      startsDense: store.ordering == .dense && first == Position(rawValue: 1),
      known: try known(of: delta.messages, in: id, free: free))
    let lifted = try free.map { try lift(for: delta.messages, at: $0, in: id) } ?? FloatingMessages.Lifted()
    try carryOut(plan, delta.messages, in: id, isNews: true)
    try floating.listByTime(lifted, in: id, keepsEstimates: missing == 0)
    return plan.countsUnread
  }

  // MARK: Pages

  /// Stores a page of the messages just before the first message of a span.
  ///
  /// - Parameters:
  ///   - edge: the rank of that first message.
  ///   - token: the token of the request; nil on backends without tokens.
  /// - Returns: whether the page extended the spans. Also true if the page was discarded, because the span
  ///   has changed or the conversation was cleared after the request.
  func ingest(_ page: HistoryPage, below edge: Rank, at token: HistoryToken? = nil, in id: ConversationID)
    throws -> Bool
  {
    // The page is discarded if the chat was cleared while the page was loading, or if another page has extended the
    // span.
    guard try edge > work.row(of: id).clearedUpTo,
      let span = try work.spans(of: id).spans.first(where: { $0.lower == edge })
    else { return true }
    if let token, span.lowerToken != token { return true }
    return try ingest(page, at: .below(edge), in: id)
  }

  /// Stores a page of the messages just after the last message of a span. The parameters and the result are those of
  /// ``ingest(_:below:at:in:)``, with `edge` as the rank of the span's last message.
  func ingest(_ page: HistoryPage, above edge: Rank, at token: HistoryToken? = nil, in id: ConversationID)
    throws -> Bool
  {
    guard try edge >= work.row(of: id).clearedUpTo,
      let span = try work.spans(of: id).spans.first(where: { $0.upper == edge })
    else { return true }
    if let token, span.upperToken != token { return true }
    // A page that begins at the start of the server's history does not adjoin a stored message below it. Positions show
    // where such a page belongs; without them, its time decides.
    let isTrimmed = page.reachesStart && !page.messages.isEmpty && edge.rawValue > 0
    if store.ordering == .arrival, isTrimmed { return try ingest(page, in: id) }
    return try ingest(page, at: .above(edge), in: id)
  }

  /// Stores a page that was not requested at the edge of a span: the newest messages, or the messages around
  /// a message or a time.
  ///
  /// - Returns: whether the page extended the spans, or showed that the conversation is empty.
  @discardableResult
  func ingest(_ page: HistoryPage, in id: ConversationID) throws -> Bool {
    guard page.messages.isEmpty else {
      return try ingest(page, at: anchors.forPage(page.messages, in: id), in: id)
    }
    if page.reachesStart { try work.changeSpans(of: id) { $0.foundEmpty() } }
    return page.reachesStart
  }

  private func ingest(_ page: HistoryPage, at anchor: SpanMap.PageAnchor, in id: ConversationID) throws
    -> Bool
  {
    var page = page
    page.messages = try clearedFirst(page.messages, in: id)
    chooseIndexing(of: page.messages.count)
    let extents = try work.spans(of: id).extents
    let plan = IntakePlan(page: page, at: anchor, known: try known(of: page.messages, in: id))
    let lifted = try lift(for: page.messages, at: anchor, in: id)
    try carryOut(plan, page.messages, in: id)
    let changed = try work.spans(of: id).extents
    if anchor.isFree {
      let hasNews = changed.last?.upper != extents.last?.upper
      try floating.listByTime(lifted, in: id, keepsEstimates: !hasNews)
    }
    return plan.step != .none && changed != extents
  }

  /// Takes floating messages out of the gap in which an answer is placed, and returns them.
  private func lift(
    for messages: [IncomingMessage], at anchor: SpanMap.PageAnchor, in id: ConversationID
  ) throws -> FloatingMessages.Lifted {
    guard case .free(let index) = anchor, !messages.isEmpty else { return FloatingMessages.Lifted() }
    return try floating.lift(fromGapAbove: index, in: id)
  }

  // MARK: The plan

  private func known(
    of messages: [IncomingMessage], in id: ConversationID, free: SpanMap.PageAnchor? = nil
  ) throws -> IntakePlan.Known {
    let row = try work.row(of: id)
    var placed: Set<MessageReference> = []
    let priorPlaces = try messages.map { message in
      let place = try priorPlace(of: message, in: id)
      guard store.ordering == .arrival, place != .leftOut, let name = message.messageID else { return place }
      // The answer may contain two copies of a message. The stored one gets the place, or else the first one.
      let author = MessageReference(sender: message.sender, messageID: name, serverID: nil)
      return placed.insert(author).inserted ? place : .leftOut
    }
    return IntakePlan.Known(
      priorPlaces: priorPlaces, spans: try work.spans(of: id),
      free: free ?? .free(above: 0), clearedUpTo: row.clearedUpTo, clearedTimeToFind: row.clearedTimeToFind,
      reorders: store.capabilities.reordersHistory)
  }

  private func priorPlace(of message: IncomingMessage, in id: ConversationID) throws -> SpanMap.PriorPlace {
    if let rank = store.rank(message.position) { return .ordered(rank) }
    guard store.ordering == .arrival else {
      throw BackendError(.transient, "The server sent a message without a position.")
    }
    // A sent message whose receipt named no server id or no time was never returned before, so its place is a guess.
    guard let row = try work.rows.message(like: message, in: id), row.isPlaced, !row.isTimeEstimated,
      row.serverID != nil || message.serverID == nil
    else { return .new }
    // A server that accepted a message twice returns two copies. One copy is stored; the other copy determines no
    // place.
    let isCopy = row.serverID.map { message.serverID ?? $0 != $0 } ?? false
    return isCopy ? .leftOut : .known(row.rank)
  }

  /// Stores the messages as planned, and then changes the spans.
  ///
  /// - Parameter isNews: whether the messages are new, rather than part of older history.
  private func carryOut(
    _ plan: IntakePlan, _ messages: [IncomingMessage], in id: ConversationID, isNews: Bool = false
  ) throws {
    let before = try work.row(of: id)
    let mark = before.readMark
    let inGaps = try work.spans(of: id).unreadInGaps
    // The stored number of mentions in gaps is from the last sync, so only messages up to that sync reduce
    // the number.
    let seen = try work.spans(of: id).syncedTo ?? .highest
    let counted = try isNews ? nil : storedCounts(in: id, after: mark, upTo: seen)
    if let end = plan.clearedEnd { try clear(id, upTo: end, in: messages) }
    if !plan.ranks.isEmpty { try save(messages, at: plan.ranks, in: id, isNews: isNews) }
    if plan.unhides { try work.change(id) { $0.isHidden = false } }
    var unread = 0
    if let counted {
      let now = try storedCounts(in: id, after: mark, upTo: seen)
      unread = now.messages - counted.messages
      let mentions = now.mentions - counted.mentions
      if mentions > 0 { try work.change(id) { $0.mentionsInGaps = max($0.mentionsInGaps - mentions, 0) } }
    }
    try work.changeSpans(of: id) { $0.apply(plan.step, unread: unread, after: mark) }
    try marks.placeWaiting(in: id)
    guard let counted, before.waitingReadMark != nil, inGaps.isExact else { return }
    let totals = (
      messages: counted.messages + inGaps.count, mentions: counted.mentions + before.mentionsInGaps
    )
    if try work.row(of: id).waitingReadMark != nil {
      let later = try work.rows.countedMessages(in: id, after: max(mark, seen))
      try marks.read(withUnread: totals.messages + later, mentions: nil, in: id)
    }
    try keepTotals(totals, in: id, upTo: seen)
  }

  /// Stores new messages, and merges known messages into their rows. For a message without a place, only a
  /// changed state is stored.
  private func save(
    _ messages: [IncomingMessage], at ranks: [Rank?], in id: ConversationID, isNews: Bool
  ) throws {
    let mark = try work.row(of: id).readMark
    var read: Set<Rank> = []
    var hasAbsent = try work.rows.hasAbsentMessages(in: id)
    // In a chat without messages, as in a first sync, a message can only be known from this answer.
    var stored = try work.rows.hasMessages(in: id) ? nil : StoredNames()
    for (message, rank) in zip(messages, ranks) {
      guard let rank else {
        try confirm(message, in: id)
        try absent.keepIfChanged(message, in: id)
        hasAbsent = true
        continue
      }
      let state = try hasAbsent ? absent.remove(message.serverID, in: id) : nil
      let message = state.map(message.merged(with:)) ?? message
      let isNew = stored.map { !$0.contains(message) } ?? false
      let found = try isNew ? (row: nil, sharesServerID: false) : work.rows.find(message, in: id)
      stored?.insert(message)
      guard let known = found.row else {
        let row = try merging.insert(message, at: rank, in: id, sharesServerID: found.sharesServerID)
        if isNews { try work.noteArrival(of: row) }
        continue
      }
      // A message that was read in an earlier epoch stays read, even if the server has not reported a read
      // mark yet.
      if mark.isEarlier, known.rank.isEarlier, known.rank <= mark { read.insert(rank) }
      try merging.merge(message, at: rank, into: known)
    }
    try markRead(read, in: id)
  }
}

extension SpanMap {
  /// Carries out a planned change of the spans.
  ///
  /// - Parameters:
  ///   - unread: the number of countable messages after `mark` that were not stored before; used only for a
  ///     page.
  ///   - mark: the read mark.
  fileprivate mutating func apply(_ step: IntakePlan.SpanStep, unread: Int, after mark: Rank) {
    switch step {
    case .none: break
    case .foundEmpty: foundEmpty()
    case .syncedNothing: syncedNothing()
    case .synced(let stretch, let isComplete, let reachesStart, let token, let unreadBelow):
      synced(
        first: stretch.lowerBound, last: stretch.upperBound, isComplete: isComplete,
        reachesStart: reachesStart, token: token, unreadBelow: unreadBelow)
    case .paged(let stretch, let reachesStart, let previous, let next):
      paged(
        first: stretch.lowerBound, last: stretch.upperBound, reachesStart: reachesStart, token: previous,
        next: next, unread: unread, after: mark)
    }
  }
}
