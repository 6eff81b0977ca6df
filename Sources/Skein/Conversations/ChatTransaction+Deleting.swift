import SkeinStorage

/// What people delete on this device; the server keeps it.
extension ChatTransaction {
  /// Takes messages out of the lists, for good. The row of one that the server has or may have stays, so that nothing brings
  /// it back; one that is still on its way is taken back.
  ///
  /// - Returns: the messages that were never sent, of which nothing is left.
  func delete(_ ids: [LocalMessageID]) throws -> [MessageID] {
    var gone: [MessageID] = []
    for id in ids {
      guard let known = try rows.find(MessageRow.self, id) else { continue }
      if known.status != .sent { _ = try cancel(id) }
      guard var row = try rows.find(MessageRow.self, id) else {
        gone.append(known.messageID)
        continue
      }
      row.isHidden = true
      // Nobody says any more whether it has arrived, so that what is to be done to it would wait for ever.
      if row.status != .sent { try dropRevisions(of: &row) }
      try update(row)
    }
    return gone
  }

  /// Takes every message out of a conversation, here, for good, but for what waits to be sent.
  ///
  /// One's own message may have its place before those in front of it are here; they are not taken with it, and its row
  /// stays behind as that of a deleted message. The server hears that all was read: it would go on counting what is gone.
  func clear(_ id: ConversationID) throws {
    let last = try spans(of: id).newest.flatMap { try rows.lastAcknowledged(in: id, upTo: $0.upper) }
    let doomed = try rows.select(
      MessageRow.self, "WHERE conversation = ? AND (rank < ? OR status IN (?, ?)) ORDER BY rank, id", id,
      Rank.firstUnsent, MessageStatus.uncertain, MessageStatus.failed)
    // One's own of before may be younger than what the server has now and nobody has seen: what becomes of it stays hidden.
    let isOwnOfBefore = { [account = store.account] (row: MessageRow) in
      row.rank.isEarlier && row.sender == account
    }
    // What is on its way for a message needs its names.
    let revised = try rows.rows(
      LocalMessageID.self,
      "SELECT DISTINCT target FROM operation WHERE conversation = ? AND target IS NOT NULL", id)
    let heard = doomed.filter { $0.status == .sent && $0.rank <= last ?? .lowest && !isOwnOfBefore($0) }
    for var row in doomed {
      // Where nothing else says how far a page reaches, it ends at the last message.
      let isEdge = store.ordering == .arrival && row.isPlaced && row.rank == last
      if row.status != .sent { try dropRevisions(of: &row) }
      let isNeeded = isEdge || row.status == .sent && revised.contains(row.id)
      if isNeeded || row.status == .sent && (row.rank > last ?? .lowest || isOwnOfBefore(row)) {
        row.isHidden = true
        try update(row)
      } else {
        store.cleared.note(row)
        try delete(row)
      }
    }
    guard let last else { return }
    try rows.execute("DELETE FROM revised WHERE conversation = ?", id)
    try noteReceiptsOrPins(of: id)
    try clear(id, upTo: last, at: heard.map(\.time).max())
    // It may have been cleared further than what is left in it.
    let floor = try conversation(id).floor
    try changeSpans(of: id) { $0.cleared(at: floor) }
  }

  /// Whatever comes of a conversation up to a rank is cleared, and read.
  ///
  /// - Parameter time: the server's time of the last message of that; nil where none is known.
  func clear(_ id: ConversationID, upTo floor: Rank, at time: Timestamp?) throws {
    try change(id) { row in
      row.floor = max(row.floor, floor)
      row.clearedTime = [row.clearedTime, time].compactMap(\.self).max()
      guard floor > row.readMark else { return }
      row.readMark = floor
      if store.capabilities.readMarks, floor > Rank(rawValue: 0) { row.pendingReadMark = floor }
    }
  }

  /// Clears a conversation and takes it out of the list, until something comes.
  func deleteConversation(_ id: ConversationID) throws {
    try clear(id)
    try change(id) { row in
      row.isHidden = true
      row.isPinned = false
      row.draft = nil
    }
  }
}
