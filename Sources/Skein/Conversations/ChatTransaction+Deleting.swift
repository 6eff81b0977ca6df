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
      MessageRow.self, "WHERE conversation = ? AND (rank < ? OR status = ?) ORDER BY rank, id", id,
      Rank.firstUnsent, MessageStatus.uncertain)
    for var row in doomed {
      // It says how far a page reaches where nothing else does, and how far all was cleared in another epoch.
      let isEdge = row.status == .sent && row.rank == last
      if isEdge || row.status == .sent && row.rank > last ?? .lowest {
        row.isHidden = true
        try update(row)
      } else {
        store.cleared.note(row)
        try delete(row)
      }
    }
    guard let last else { return }
    try clear(id, upTo: last)
    try changeSpans(of: id) { $0.cleared(at: last) }
  }

  /// Whatever comes of a conversation up to a rank is cleared, and read.
  func clear(_ id: ConversationID, upTo floor: Rank) throws {
    try change(id) { row in
      row.floor = max(row.floor, floor)
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
