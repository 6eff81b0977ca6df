import SkeinStorage

/// Follows the server to a new epoch, as after a restored backup.
///
/// 1. The outbox stays, and waits for its conversations first: the server may have lost them.
/// 2. Stored messages move below the new history, in their order and with their gaps, until the server sends them again.
/// 3. Names, positions, receipts and cursors of the previous epoch say nothing about the new one.
struct EpochChange {
  private let work: UnitOfWork
  private var store: ChatStore { work.store }

  init(_ work: UnitOfWork) { self.work = work }

  /// Begins an epoch. Messages received before the first sync are moved as well, since nobody said which epoch they are
  /// of; a server that has synced may name its first epoch late.
  func begin(_ epoch: Epoch) throws {
    let isFirst = work.account.epoch == nil
    let isRestored = !isFirst || work.account.cursor == nil
    work.account.epoch = epoch
    for id in try work.rows.conversationIDs() {
      try work.noteMove(of: id)
      if isRestored { try migrate(id) }
    }
    guard isRestored else { return }
    work.account.cursor = nil
    work.account.contactVersion = nil
    try work.rows.forgetAbsentMessages()
    try work.rows.forgetServerNamesOfReplyTargets()
    // The media server may have lost them as well.
    if !isFirst { try work.rows.forgetUploads() }
  }

  /// The server can't go on from a cursor: the messages it sends next need not join those of the last sync.
  func dropCursor(_ cursor: SyncCursor?) throws {
    guard work.account.cursor == cursor else { return }
    work.account.cursor = nil
    // The first sync that follows names the pinned messages again.
    try work.rows.forgetAbsentMessages()
    for id in try work.rows.syncedConversationIDs() {
      try work.changeSpans(of: id) { $0.syncedNothing() }
    }
  }

  /// Moves the messages of a conversation below the server's history.
  private func migrate(_ id: ConversationID) throws {
    let known = try work.spans(of: id).spans
    var spans = try known.map { span in
      Span(
        earlier: try rank(in: id, from: span.lower),
        try rank(in: id, from: span.upper.successor, after: 1))
    }
    // Messages in no span, above all spans, are no neighbours of those to come.
    let floating = try work.rows.placedMessages(in: id, from: known.last?.upper.successor ?? .lowest)
    if floating > 0 { spans.append(Span(earlier: Rank(earlier: floating), Rank(earlier: 1))) }
    let mark = try rank(in: id, from: try work.row(of: id).readMark.successor, after: 1)
    let cleared = try work.row(of: id).clearedUpTo
    let clearedUpTo = cleared == .lowest ? cleared : try rank(in: id, from: cleared.successor, after: 1)
    try work.rows.moveBelowHistory(id, version: work.nextVersion)
    // The server may give its names to other messages. Where no sender's name comes back, rows are known by nothing else.
    if store.capabilities.echoesMessageID != .never { try work.rows.forgetServerNames(in: id) }
    try work.rows.forgetReceipts(in: id)
    try work.note(.receipts, of: id)
    try work.note(.pins, of: id)
    let isDense = store.ordering == .dense
    try work.changeSpans(of: id) {
      $0 = SpanMap(spans: spans.filter { $0.lower <= $0.upper }, isDense: isDense)
    }
    try work.change(id) { row in
      row.readMark = mark
      row.pendingReadMark = nil
      row.mentionsInGaps = 0
      row.clearedUpTo = clearedUpTo
      // Sync finds it again by its peer, and its operations open it where the server has lost it.
      if row.type == .direct, row.peer != nil { row.ref = nil }
    }
    // The rest of this unit of work looks it up by its new names.
    try work.save(id)
    try openAgain(id)
  }

  /// The place in the previous epoch of the messages at a rank and above it.
  private func rank(in id: ConversationID, from rank: Rank, after count: Int64 = 0) throws -> Rank {
    Rank(earlier: try work.rows.placedMessages(in: id, from: rank) + count)
  }

  /// Operations wait for their conversation to be opened again. If the server still has it, opening finds it or is
  /// refused without harm.
  private func openAgain(_ id: ConversationID) throws {
    let row = try work.row(of: id)
    guard row.peer != nil || row.openingKey != nil, try work.rows.hasWaitingMessages(in: id) else { return }
    try ConversationOpenings(work).queueOpening(of: id)
  }
}

extension Rank {
  /// The place of a message of an earlier epoch, counted from the newest one. Between two of them is room, since
  /// neighbours are no gap.
  fileprivate init(earlier place: Int64) { self.init(rawValue: -2 * place) }
}

extension Span {
  /// One of an earlier epoch: the gap below it can't be filled any more.
  fileprivate init(earlier lower: Rank, _ upper: Rank) {
    self.init(lower: lower, upper: upper, reachesStart: true, lowerToken: nil, unreadBelow: nil)
  }
}
