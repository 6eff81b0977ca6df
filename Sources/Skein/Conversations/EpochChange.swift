import SkeinStorage

/// Moves the account to a new epoch of the server, as after a restored backup.
///
/// 1. The outbox stays, and waits for its conversations first: the server may have lost them.
/// 2. Stored messages move below the new history, in order and with their gaps, until the server sends them again.
/// 3. Ids, positions, receipts and cursors of the previous epoch are invalid in the new one.
struct EpochChange {
  private let work: UnitOfWork
  private var store: ChatStore { work.store }

  init(_ work: UnitOfWork) { self.work = work }

  /// Begins an epoch, and moves the stored messages below its history. At the first epoch that an account learns, they
  /// move only if nothing was synced yet: their epoch is unknown then.
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
    // The media server may have lost its files as well.
    if !isFirst { try work.rows.forgetUploads() }
  }

  /// The server can't continue from a cursor: its next messages need not adjoin those of the last sync.
  func dropCursor(_ cursor: SyncCursor?) throws {
    guard work.account.cursor == cursor else { return }
    work.account.cursor = nil
    // The next first sync lists the pinned messages again.
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
    // Messages in no span, above all spans, do not adjoin later ones.
    let floating = try work.rows.placedMessages(in: id, from: known.last?.upper.successor ?? .lowest)
    if floating > 0 { spans.append(Span(earlier: Rank(earlier: floating), Rank(earlier: 1))) }
    let mark = try rank(in: id, from: try work.row(of: id).readMark.successor, after: 1)
    let cleared = try work.row(of: id).clearedUpTo
    let clearedUpTo = cleared == .lowest ? cleared : try rank(in: id, from: cleared.successor, after: 1)
    try work.rows.moveBelowHistory(id, version: work.nextVersion)
    // The server may reuse its ids. They stay if it returns no message ids, since its messages have no others then.
    if store.capabilities.echoesMessageID != .never { try work.rows.forgetServerNames(in: id) }
    try work.rows.forgetReceipts(in: id)
    try work.note(.receipts, of: id)
    try work.note(.flags, of: id)
    let isDense = store.ordering == .dense
    try work.changeSpans(of: id) {
      $0 = SpanMap(spans: spans.filter { $0.lower <= $0.upper }, isDense: isDense)
    }
    try work.change(id) { row in
      row.readMark = mark
      row.pendingReadMark = nil
      row.mentionsInGaps = 0
      row.clearedUpTo = clearedUpTo
      // Sync finds it again by its peer, and its operations open it if the server has lost it.
      if row.type == .direct, row.peer != nil { row.ref = nil }
    }
    // The rest of this unit of work finds it by its new ids.
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
  /// The place of a message of an earlier epoch, counted from the newest one. Ranks leave room between two of them,
  /// since adjacent ones have no gap.
  fileprivate init(earlier place: Int64) { self.init(rawValue: -2 * place) }
}

extension Span {
  /// A rank of an earlier epoch: the gap below it can't be filled any more.
  fileprivate init(earlier lower: Rank, _ upper: Rank) {
    self.init(lower: lower, upper: upper, reachesStart: true, lowerToken: nil, unreadBelow: nil)
  }
}
