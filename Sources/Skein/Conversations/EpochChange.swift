import SkeinStorage

/// Moves the account to a new epoch of the server, as after a restored backup.
///
/// 1. The outbox keeps its operations. Before it sends messages or actions, it opens their conversations
///    again, since the server may have lost these conversations. Only groups without an opening key are not
///    opened again.
/// 2. Stored messages move below the new history, in order and with their gaps, until the server sends them again.
/// 3. Ids, positions, receipts and cursors of the previous epoch are invalid in the new epoch.
struct EpochChange {
  private let work: UnitOfWork
  private var store: ChatStore { work.store }

  init(_ work: UnitOfWork) { self.work = work }

  /// Begins an epoch, and moves the stored messages below its history.
  ///
  /// If the server states an epoch for the first time, the messages move only if no cursor is stored: without a cursor,
  /// their epoch is unknown.
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

  /// Drops a cursor from which the server can't continue. The messages of the next sync are then not assumed
  /// to adjoin those of the last sync. Does nothing if another cursor is stored.
  func dropCursor(_ cursor: SyncCursor?) throws {
    guard work.account.cursor == cursor else { return }
    work.account.cursor = nil
    // A sync without a cursor returns all flagged messages again.
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
    // Messages above all spans are in no span. They get a span of their own, since they do not adjoin later messages.
    let floating = try work.rows.placedMessages(in: id, from: known.last?.upper.successor ?? .lowest)
    if floating > 0 { spans.append(Span(earlier: Rank(earlier: floating), Rank(earlier: 1))) }
    let mark = try rank(in: id, from: try work.row(of: id).readMark.successor, after: 1)
    let cleared = try work.row(of: id).clearedUpTo
    let clearedUpTo = cleared == .lowest ? cleared : try rank(in: id, from: cleared.successor, after: 1)
    try work.rows.moveBelowHistory(id, version: work.nextVersion)
    // The stored server ids are removed, since the server may reuse them. If the server never returns message ids, the
    // server ids stay: the messages have no others.
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
      // Sync finds the chat again by its peer. If the server has lost the chat, waiting operations open it again.
      if row.type == .direct, row.peer != nil { row.ref = nil }
    }
    // The rest of this unit of work must find the conversation by its new values.
    try work.save(id)
    try openAgain(id)
  }

  /// The new rank, below the history, of the message that is `count` places before the first message at or above
  /// `rank`.
  private func rank(in id: ConversationID, from rank: Rank, after count: Int64 = 0) throws -> Rank {
    Rank(earlier: try work.rows.placedMessages(in: id, from: rank) + count)
  }

  /// Queues the opening of a conversation if messages, or actions on messages, wait in it. Does nothing for a group
  /// without an opening key.
  ///
  /// If the server still has the conversation, opening finds it or is refused, which does no harm.
  private func openAgain(_ id: ConversationID) throws {
    let row = try work.row(of: id)
    guard row.peer != nil || row.openingKey != nil, try work.rows.hasWaitingMessages(in: id) else { return }
    try ConversationOpenings(work).queueOpening(of: id)
  }
}

extension Rank {
  /// The rank of a message of an earlier epoch, by the message's place counted from the newest one. Every second rank
  /// is unused: spans at adjacent ranks would be joined.
  fileprivate init(earlier place: Int64) { self.init(rawValue: -2 * place) }
}

extension Span {
  /// A span of an earlier epoch: the gap below it can't be filled any more.
  fileprivate init(earlier lower: Rank, _ upper: Rank) {
    self.init(lower: lower, upper: upper, reachesStart: true, lowerToken: nil, unreadBelow: nil)
  }
}
