import SkeinStorage

/// Applies the read marks and receipts that the server reports.
///
/// A server with positions states where a mark is. A mark of another server names a message. If this message has no
/// place on this device, the mark waits in its row, and is applied when the message gets its place.
struct ServerMarks {
  private let work: UnitOfWork

  init(_ work: UnitOfWork) { self.work = work }

  /// The place of a mark; nil if the mark's message has no place on this device.
  func rank(of mark: MessageMark, in id: ConversationID) throws -> Rank? {
    guard work.store.ordering == .arrival else { return work.store.rank(mark.position) }
    guard let rank = try mark.serverID.flatMap({ try work.rows.placedRank(of: $0, in: id) }) else {
      return nil
    }
    // The place of a message in a gap is not exact.
    return try work.spans(of: id).spans.contains { $0.lower <= rank && rank <= $0.upper } ? rank : nil
  }

  /// Moves the read mark of the account forward.
  func read(upTo mark: MessageMark, in id: ConversationID) throws {
    let rank = try rank(of: mark, in: id)
    try work.change(id) { row in
      guard let rank else {
        if work.store.ordering == .arrival { row.waitingReadMark = mark.serverID }
        return
      }
      row.waitingReadMark = nil
      row.readMark = max(row.readMark, rank)
      if let pending = row.pendingReadMark, rank >= pending { row.pendingReadMark = nil }
    }
  }

  /// Moves the marks of a member forward.
  func moveMarks(of row: inout MemberRow, to receipt: MemberReceipt) throws {
    try move(&row.delivered, waiting: &row.waitingDelivered, to: receipt.delivered, in: row.conversation)
    try move(&row.read, waiting: &row.waitingRead, to: receipt.read, in: row.conversation)
  }

  private func move(
    _ rank: inout Rank, waiting: inout ServerMessageID?, to mark: MessageMark?, in id: ConversationID
  ) throws {
    guard let mark else { return }
    if let place = try self.rank(of: mark, in: id) {
      (rank, waiting) = (max(rank, place), nil)
    } else if work.store.ordering == .arrival {
      waiting = mark.serverID
    }
  }

  /// Applies the waiting marks whose messages have got places.
  func placeWaiting(in id: ConversationID) throws {
    guard work.store.ordering == .arrival else { return }
    if let mark = try work.row(of: id).waitingReadMark { try read(upTo: MessageMark(serverID: mark), in: id) }
    for row in try work.rows.membersWithWaitingMarks(in: id) {
      var placed = row
      let receipt = MemberReceipt(
        user: row.user, delivered: row.waitingDelivered.map { MessageMark(serverID: $0) },
        read: row.waitingRead.map { MessageMark(serverID: $0) })
      try moveMarks(of: &placed, to: receipt)
      guard placed != row else { continue }
      try work.rows.upsert(placed)
      try work.note(.receipts, of: id)
    }
  }

  /// Moves the read mark as far as the server's counts show, while the server's mark waits for its message.
  ///
  /// If more messages or mentions are stored after the end of a span than the server counts as unread, the server's mark
  /// is above that end.
  func read(withUnread unread: Int, mentions: Int?, in id: ConversationID) throws {
    let row = try work.row(of: id)
    guard row.waitingReadMark != nil else { return }
    let ends = try work.spans(of: id).spans.dropLast().map(\.upper).filter { $0 > row.readMark }
    let mark = try ([row.readMark] + ends).first {
      try work.rows.countedMessages(in: id, after: $0) <= unread
        && work.rows.countedMentions(in: id, after: $0) <= mentions ?? .max
    }
    guard let mark, mark > row.readMark else { return }
    try work.change(id) { $0.readMark = mark }
  }
}
