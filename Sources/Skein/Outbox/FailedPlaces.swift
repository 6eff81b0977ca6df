import SkeinStorage

/// Places failed messages where they were composed, once no message composed earlier is waiting.
///
/// Until then they stay among the waiting messages. An uncertain message blocks no other.
struct FailedPlaces: Derivation {
  func derive(in work: UnitOfWork) throws {
    for touched in work.touchedConversations where touched.messagesChanged {
      try place(in: touched.id, work)
    }
  }

  private func place(in conversation: ConversationID, _ work: UnitOfWork) throws {
    // Messages that failed before any message was received get their place when the first one is.
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
