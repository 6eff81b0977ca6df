import SkeinStorage

/// What becomes of what is stored when the server's history starts anew, as after a restored backup.
extension ChatTransaction {
  /// Follows a history from its beginning: nothing that was known of an earlier one says anything about it.
  ///
  /// The outbox stays. What is stored stands below all that comes, until the server hands it over again. So does what was
  /// heard before the first sync, for nobody said what that was of; a server that has synced names its epoch late.
  func begin(_ epoch: Epoch) throws {
    let isFirst = account.epoch == nil
    let isSetBack = !isFirst || account.cursor == nil
    account.epoch = epoch
    for id in try rows.rows(ConversationID.self, "SELECT id FROM conversation ORDER BY id") {
      try noteMove(of: id)
      if isSetBack { try setBack(id) }
    }
    guard isSetBack else { return }
    account.cursor = nil
    account.contactVersion = nil
    try rows.execute("DELETE FROM revised")
    try rows.execute("UPDATE reply SET server_id = NULL")
    // The media server may have lost them as well.
    if !isFirst { try rows.execute("DELETE FROM upload") }
  }

  /// The server can't go on from a cursor. What it hands over next need not join what the last sync brought.
  func dropCursor(_ cursor: SyncCursor?) throws {
    guard account.cursor == cursor else { return }
    account.cursor = nil
    // The first sync that follows tells anew what is pinned.
    try rows.execute("DELETE FROM revised")
    for id in try rows.rows(
      ConversationID.self, "SELECT id FROM conversation WHERE synced_to IS NOT NULL ORDER BY id")
    {
      try changeSpans(of: id) { $0.syncedNothing() }
    }
  }

  /// Refuses an answer to what was asked in an earlier epoch; of what was asked before the first, nobody can say.
  func check(_ epoch: Epoch?) throws {
    if let epoch, let current = account.epoch, epoch != current { throw BackendError.otherEpoch }
  }

  /// Puts the messages of a conversation below the server's history, in their order, and their gaps with them.
  private func setBack(_ id: ConversationID) throws {
    let known = try spans(of: id).spans
    var spans = try known.map { span in
      Span(
        earlier: Rank(earlier: try rows.placed(in: id, from: span.lower)),
        Rank(earlier: try rows.placed(in: id, from: span.upper.successor) + 1))
    }
    // What floats above them is no neighbour of what comes either.
    let floating = try rows.placed(in: id, from: known.last?.upper.successor ?? .lowest)
    if floating > 0 { spans.append(Span(earlier: Rank(earlier: floating), Rank(earlier: 1))) }
    let mark = Rank(earlier: try rows.placed(in: id, from: try conversation(id).readMark.successor) + 1)
    let cleared = try conversation(id).floor
    let floor =
      cleared == .lowest ? cleared : Rank(earlier: try rows.placed(in: id, from: cleared.successor) + 1)
    try rows.execute(
      """
      UPDATE message SET rank = -2 * place, version = ?1 FROM (
        SELECT id AS moved, row_number() OVER (ORDER BY rank DESC, id DESC) AS place FROM message
        WHERE conversation = ?2 AND rank > ?3 AND (rank < ?4 OR status = ?5))
      WHERE id = moved
      """, nextVersion, id, Rank.unplaced, Rank.firstUnsent, MessageStatus.sent)
    // The server may give its names to other messages; where no sender's name comes back, nothing else is known by.
    if store.capabilities.echoesMessageID != .never {
      try rows.execute(
        "UPDATE message SET server_id = NULL WHERE conversation = ? AND message_id <> 'local-' || id", id)
    }
    // Of how far the others are, nothing is known either.
    try rows.execute(
      "UPDATE member SET delivered = ?, read = ? WHERE conversation = ?", Rank.lowest, Rank.lowest, id)
    try noteReceiptsOrPins(of: id)
    let isDense = store.ordering == .dense
    try changeSpans(of: id) { $0 = SpanMap(spans: spans.filter { $0.lower <= $0.upper }, isDense: isDense) }
    try change(id) { row in
      row.readMark = mark
      row.pendingReadMark = nil
      row.mentionsInGaps = 0
      row.floor = floor
      // Sync finds it again by its peer, and what is sent to it opens it where the server has lost it.
      if row.type == .direct, row.peer != nil { row.ref = nil }
    }
    // At once: what this transaction still takes in looks it up by its names.
    _ = try rows.update(try conversation(id))
    try openAgain(id)
  }

  /// What waits in the outbox waits for its conversation first, which the server may have lost: opening one that it still
  /// has finds that, or is refused without harm.
  private func openAgain(_ id: ConversationID) throws {
    let row = try conversation(id)
    guard row.peer != nil || row.openingKey != nil else { return }
    let isWaiting =
      try rows.scalar(
        Int.self,
        "SELECT 1 FROM operation WHERE conversation = ? AND coalesce(message, target) IS NOT NULL LIMIT 1", id
      )
      != nil
    if isWaiting { try queueOpening(of: id) }
  }

  // MARK: What was cleared

  /// Looks for the end of what was cleared in an earlier epoch: in this one it is known by the server's time alone.
  ///
  /// - Parameter isBounded: whether nothing that was cleared follows the answer.
  /// - Returns: false where all of the answer was cleared, and what follows it may have been as well.
  func findFloor(
    of id: ConversationID, in messages: [IncomingMessage], _ placement: SpanMap.Placement, isBounded: Bool
  ) throws -> Bool {
    let row = try conversation(id)
    guard row.floor > .unplaced, row.floor.isEarlier, let end = row.clearedTime else { return true }
    let cleared = zip(messages, placement.ranks).filter { message, _ in message.time <= end }
    guard let (last, rank) = cleared.max(by: { $0.1 ?? .lowest < $1.1 ?? .lowest }), let floor = rank else {
      return true
    }
    guard isBounded || cleared.count < messages.count else { return false }
    try clear(id, upTo: floor, at: end)
    try changeSpans(of: id) { $0.starts(at: floor) }
    if store.ordering == .arrival { try keepEdge(last, at: floor, in: id) }
    return true
  }

  // MARK: What was lost

  /// Finds what the server has lost of this account's messages: what it would have handed over by now, had it kept that. Its
  /// user sends it again, or does not.
  ///
  /// Of an earlier epoch's spans nothing is left once all of their messages have been handed over.
  func settleEarlier(in id: ConversationID) throws {
    let map = try spans(of: id)
    guard map.isKnown else { return }
    let hasEarlier =
      try rows.scalar(
        Int.self, "SELECT 1 FROM message WHERE conversation = ? AND rank > ? AND rank < ? LIMIT 1", id,
        Rank.unplaced, Rank.beforeHistory) != nil
    if hasEarlier {
      for span in map.spans where !span.upper.isEarlier { try settleEarlier(in: id, span, map) }
      try followFailed(in: id)
    }
    let left = try map.spans.filter { span in
      guard span.upper.isEarlier else { return true }
      return try rows.hasMessage(in: id, from: span.lower, to: span.upper)
    }
    if left.count < map.spans.count {
      try changeSpans(of: id) { $0 = SpanMap(spans: left, syncedTo: map.syncedTo, isDense: map.isDense) }
    }
  }

  /// By the server's time: where a span is, it has all. What it does not hand out any more is not lost, as far as its
  /// positions tell.
  private func settleEarlier(in id: ConversationID, _ span: Span, _ map: SpanMap) throws {
    let row = try conversation(id)
    let first =
      span.lower == row.floor
      ? row.clearedTime : try rows.firstMessage(of: id, from: span.lower, to: span.upper)?.time
    let last = try rows.firstMessage(of: id, from: span.upper, to: span.upper)?.time
    let isNewest = span == map.newest && map.syncedTo != nil
    let isFirst = span.reachesStart && (!map.isDense || span.lower <= Rank(rawValue: 1))
    guard let start = isFirst ? Timestamp(milliseconds: .min) : first,
      let end = isNewest ? Timestamp(milliseconds: .max) : last
    else { return }
    let lost = try rows.select(
      MessageRow.self,
      """
      WHERE conversation = ? AND sender = ? AND status = ? AND time > ? AND time < ? AND \(MessageRow.isEarlier)
        AND rank > ? AND is_hidden = 0 AND epoch IS NOT ? ORDER BY rank, id
      """, id, store.account, MessageStatus.sent, start, end, Rank.unplaced, account.epoch)
    for id in lost.map(\.id) {
      // What became of those before may have changed it: a reply shows nothing of a message that is gone.
      guard var row = try rows.find(MessageRow.self, id) else { continue }
      if try foldRevisions(into: &row) || row.isRecalled {
        try delete(row)
        continue
      }
      row.status = .failed
      row.failure = SendFailure(.lost, "The server does not have it any more.")
      try update(row)
    }
  }

  /// What was never sent follows what it was composed after.
  private func followFailed(in id: ConversationID) throws {
    let failed = try rows.select(
      MessageRow.self,
      """
      WHERE conversation = ? AND sender = ? AND status = ? AND \(MessageRow.isEarlier) AND rank > ?
        AND failure_code IS NOT ? ORDER BY rank, id
      """, id, store.account, MessageStatus.failed, Rank.unplaced, SendFailure.Code.lost.rawValue)
    for var row in failed {
      let place = try rows.rank(whereComposed: row)
      guard place != row.rank else { continue }
      row.rank = place
      try update(row)
    }
  }
}

extension BackendError {
  /// What was asked in one epoch was answered in another, or what was asked before the first sync after it.
  static var otherEpoch: BackendError {
    BackendError(.transient, "The server has started a new history meanwhile.", outcomeIsUnknown: true)
  }
}

extension Rank {
  /// The place of a message that so many of an earlier epoch follow, itself among them; between two of them is room, for
  /// neighbours are no gap.
  fileprivate init(earlier place: Int64) { self.init(rawValue: -2 * place) }
}

extension Span {
  /// One of an earlier epoch: the gap below it can't be filled any more.
  fileprivate init(earlier lower: Rank, _ upper: Rank) {
    self.init(lower: lower, upper: upper, reachesStart: true, lowerToken: nil, unreadBelow: nil)
  }
}

extension ReadTransaction {
  /// How many messages of a conversation have their place at a rank or above it.
  fileprivate func placed(in conversation: ConversationID, from rank: Rank) throws -> Int64 {
    try scalar(
      Int64.self,
      """
      SELECT count(*) FROM message
      WHERE conversation = ? AND rank > ? AND rank >= ? AND (rank < ? OR status = ?)
      """, conversation, Rank.unplaced, rank, Rank.firstUnsent, MessageStatus.sent) ?? 0
  }

  fileprivate func hasMessage(in conversation: ConversationID, from lower: Rank, to upper: Rank) throws
    -> Bool
  {
    try scalar(
      Int.self,
      "SELECT 1 FROM message WHERE conversation = ? AND rank BETWEEN ? AND ? AND is_hidden = 0 LIMIT 1",
      conversation, lower, upper) != nil
  }
}
