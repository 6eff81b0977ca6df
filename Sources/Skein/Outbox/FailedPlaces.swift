import SkeinStorage

/// Moves each failed message to the place in the list where the message was composed. This happens once no waiting
/// message is in front of the failed message in the queue.
///
/// Until then a failed message stays among the waiting messages. An uncertain message does not count as
/// waiting.
struct FailedPlaces: Derivation {
  func derive(in work: UnitOfWork) throws {
    for touched in work.touchedConversations where touched.messagesChanged {
      try place(in: touched.id, work)
    }
  }

  private func place(in conversation: ConversationID, _ work: UnitOfWork) throws {
    // Messages that failed before any message was sent or received get their places with the first such
    // message.
    for var row in try work.rows.unplacedMessages(of: conversation) {
      row.rank = try work.rows.rank(whereComposed: row)
      if row.rank != .unplaced { try work.update(row) }
    }
    var last = Rank.firstUnsent.predecessor
    while var row = try work.rows.firstMessage(of: conversation, above: last) {
      guard row.status == .failed || row.status == .uncertain else { return }
      last = row.rank
      guard row.status == .failed else { continue }
      row.rank = try work.rows.rank(whereComposed: row)
      try work.update(row)
    }
  }
}
