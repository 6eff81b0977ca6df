import SkeinStorage

/// Moves the account to a new epoch of the server, for example after the server has restored a backup.
///
/// 1. The outbox keeps its operations. Before the outbox sends waiting messages or actions of a conversation,
///    it opens the conversation again, since the server may have lost the conversation. A conversation with
///    neither a peer nor an opening key is not opened again.
/// 2. Stored messages move below the new history, with the same order and the same gaps. When the server sends a
///    message again, the message moves into the new history.
/// 3. Server ids, positions, receipts and cursors of the previous epoch are invalid in the new epoch.
struct EpochChange {
  private let work: UnitOfWork
  private var store: ChatStore { work.store }

  init(_ work: UnitOfWork) { self.work = work }

  /// Begins an epoch, and moves the stored messages below the history of this epoch.
  ///
  /// If the server states an epoch for the first time, the messages move only if no cursor is stored. Without
  /// a cursor, the epoch of the messages is unknown.
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
    // The media server may have lost the uploaded files as well.
    if !isFirst { try work.rows.forgetUploads() }
  }

  /// Drops a cursor from which the server can't continue. Afterwards, messages of the next sync are not
  /// assumed to adjoin messages of the last sync. Does nothing if another cursor is stored.
  func dropCursor(_ cursor: SyncCursor?) throws {
    guard work.account.cursor == cursor else { return }
    work.account.cursor = nil
    // A sync without a cursor returns all flagged messages again.
    for id in try work.rows.conversationsWithAbsentFlags() { try work.note(.flags, of: id) }
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
    // Placed messages above the last span are in no span. They get a span of their own, so that a gap stays
    // between them and messages that are received later.
    let floating = try work.rows.placedMessages(in: id, from: known.last?.upper.successor ?? .lowest)
    if floating > 0 { spans.append(Span(earlier: Rank(earlier: floating), Rank(earlier: 1))) }
    let mark = try rank(in: id, from: try work.row(of: id).readMark.successor, after: 1)
    let cleared = try work.row(of: id).clearedUpTo
    let clearedUpTo = cleared == .lowest ? cleared : try rank(in: id, from: cleared.successor, after: 1)
    try work.rows.moveBelowHistory(id, version: work.nextVersion)
    // The stored server ids are removed, since the server may reuse the ids. If the server never returns
    // message ids, the server ids stay, since the messages have no other ids.
    if store.capabilities.echoesMessageID != .never { try work.rows.forgetServerNames(in: id) }
    try work.rows.forgetReceipts(in: id)
    let isDense = store.ordering == .dense
    try work.changeSpans(of: id) {
      $0 = SpanMap(spans: spans.filter { $0.lower <= $0.upper }, isDense: isDense)
    }
    try work.change(id) { row in
      row.readMark = mark
      row.pendingReadMark = nil
      row.waitingReadMark = nil
      row.mentionsInGaps = 0
      row.clearedUpTo = clearedUpTo
      // Sync finds the chat again by its peer. If the server has lost the chat, a queued opening creates the
      // chat again before waiting operations are sent.
      if row.type == .direct, row.peer != nil, row.invitation == nil { row.ref = nil }
    }
    // Later steps of this unit of work must find the conversation by its new values.
    try work.save(id)
    try openAgain(id)
  }

  /// Finds the first placed message at or above `rank`, or the end of the messages if there is none. Goes
  /// from there `count` places towards older messages, and returns the rank of this place below the new
  /// history.
  private func rank(in id: ConversationID, from rank: Rank, after count: Int64 = 0) throws -> Rank {
    Rank(earlier: try work.rows.placedMessages(in: id, from: rank) + count)
  }

  /// Queues the opening of a conversation that has waiting messages or actions. Does nothing if the
  /// conversation has neither a peer nor an opening key.
  ///
  /// If the server still has the conversation, the opening finds it or is refused. Both do no harm.
  private func openAgain(_ id: ConversationID) throws {
    let row = try work.row(of: id)
    guard row.invitation == nil, row.peer != nil || row.openingKey != nil,
      try work.rows.hasWaitingMessages(in: id)
    else { return }
    try ConversationOpenings(work).queueOpening(of: id)
  }
}

extension Rank {
  /// The rank of a message of an earlier epoch. `place` is the message's place, counted from the newest
  /// message. Every second rank is unused, since spans at adjacent ranks would be joined.
  init(earlier place: Int64) { self.init(rawValue: -2 * place) }
}

extension Span {
  /// A span of an earlier epoch. The gap below the span can't be filled any more.
  fileprivate init(earlier lower: Rank, _ upper: Rank) {
    self.init(lower: lower, upper: upper, reachesStart: true, lowerToken: nil, unreadBelow: nil)
  }
}
