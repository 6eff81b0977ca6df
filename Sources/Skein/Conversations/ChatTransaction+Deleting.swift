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
  func clear(_ id: ConversationID) throws {
    let last = try rows.lastAcknowledged(in: id)
    let doomed = try rows.select(
      MessageRow.self, "WHERE conversation = ? AND (rank < ? OR status = ?) ORDER BY rank, id", id,
      Rank.firstUnsent, MessageStatus.uncertain)
    for var row in doomed {
      store.cleared.note(row)
      if store.ordering == .arrival, row.isPlaced, row.rank == last {
        // Where nothing else says how far a page reaches, it ends at this message.
        row.isHidden = true
        try update(row)
      } else {
        try delete(row)
      }
    }
    guard let last else { return }
    try change(id) { row in
      row.floor = max(row.floor, last)
      row.readMark = max(row.readMark, last)
    }
    try changeSpans(of: id) { $0.cleared(at: last) }
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
