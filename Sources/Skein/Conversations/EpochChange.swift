import SkeinStorage

/// Moves the account to a new epoch of the server, as after a restored backup.
///
/// 1. The outbox keeps its operations. It first opens their conversations again, which the server may have
///    lost.
/// 2. Stored messages move below the new history, in order and with their gaps, until the server sends them again.
/// 3. Ids, positions, receipts and cursors of the previous epoch are invalid in the new one.
struct EpochChange {
  private let work: UnitOfWork
  private var store: ChatStore { work.store }

  init(_ work: UnitOfWork) { self.work = work }

  /// Begins an epoch, and moves the stored messages below its history.
  ///
  /// If this is the account's first known epoch, the messages are moved only if nothing was synced yet, since
  /// it is unknown then which epoch they belong to.
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
    // A sync without a cursor returns the pinned messages again.
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
    // Messages above all spans are in no span; they get one of their own, since they do not adjoin later
    // messages.
    let floating = try work.rows.placedMessages(in: id, from: known.last?.upper.successor ?? .lowest)
    if floating > 0 { spans.append(Span(earlier: Rank(earlier: floating), Rank(earlier: 1))) }
    let mark = try rank(in: id, from: try work.row(of: id).readMark.successor, after: 1)
    let cleared = try work.row(of: id).clearedUpTo
    let clearedUpTo = cleared == .lowest ? cleared : try rank(in: id, from: cleared.successor, after: 1)
    try work.rows.moveBelowHistory(id, version: work.nextVersion)
    // The server may reuse its ids, so they are removed. If it never returns message ids, they stay, since
    // messages have no other ids then.
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
      // Sync finds the chat again by its peer. If the server has lost it, waiting operations open it again.
      if row.type == .direct, row.peer != nil { row.ref = nil }
    }
    // The rest of this unit of work must find the conversation by its new values.
    try work.save(id)
    try openAgain(id)
  }

  /// The new rank, below the history, of the first message at or above a rank, or of the one `count` places
  /// before it.
  private func rank(in id: ConversationID, from rank: Rank, after count: Int64 = 0) throws -> Rank {
    Rank(earlier: try work.rows.placedMessages(in: id, from: rank) + count)
  }

  /// Queues the opening of a conversation for which messages wait.
  ///
  /// If the server still has the conversation, opening finds it or is refused, which does no harm.
  private func openAgain(_ id: ConversationID) throws {
    let row = try work.row(of: id)
    guard row.peer != nil || row.openingKey != nil, try work.rows.hasWaitingMessages(in: id) else { return }
    try ConversationOpenings(work).queueOpening(of: id)
  }
}

extension Rank {
  /// The rank of a message of an earlier epoch, by the message's place counted from the newest one. A rank is
  /// left free between two messages, since there is no gap between adjacent ranks.
  fileprivate init(earlier place: Int64) { self.init(rawValue: -2 * place) }
}

extension Span {
  /// A span of an earlier epoch: the gap below it can't be filled any more.
  fileprivate init(earlier lower: Rank, _ upper: Rank) {
    self.init(lower: lower, upper: upper, reachesStart: true, lowerToken: nil, unreadBelow: nil)
  }
}
