import SkeinStorage

/// Queries of the table of replies.
extension ReadTransaction {
  func hasReplies(in conversation: ConversationID) throws -> Bool {
    try scalar(Int.self, "SELECT 1 FROM reply WHERE conversation = ? LIMIT 1", conversation) != nil
  }

  func replies(to message: LocalMessageID) throws -> [ReplyRow] {
    try select(ReplyRow.self, "WHERE target = ? ORDER BY message", message)
  }

  /// Replies that refer to a message by one of the message's ids and are not bound to a row yet.
  func unboundReplies(naming target: MessageRow) throws -> [ReplyRow] {
    let byName = try select(
      ReplyRow.self,
      "WHERE conversation = ? AND sender = ? AND message_id = ? AND target IS NULL ORDER BY message",
      target.conversation, target.sender, target.messageID)
    guard let server = target.serverID else { return byName }
    // The server may have reused an id of an earlier epoch.
    if target.rank.isEarlier { return byName }
    return byName
      + (try unboundReplies(naming: server, in: target.conversation).filter {
        $0.sender == target.sender && ($0.messageID == nil || target.isNamedHere)
      })
  }

  /// Replies that refer to a server id and are not bound to a row yet.
  func unboundReplies(naming server: ServerMessageID, in conversation: ConversationID) throws -> [ReplyRow] {
    try select(
      ReplyRow.self, "WHERE conversation = ? AND server_id = ? AND target IS NULL ORDER BY message",
      conversation, server)
  }
}

extension WriteTransaction {
  /// Replaces a duplicate by `message`: as the target of operations and replies, and as a reply. If both
  /// messages are replies, the duplicate's row in the table of replies stays.
  func retarget(from duplicate: LocalMessageID, to message: LocalMessageID) throws {
    for table in ["operation", "reply"] {
      try execute("UPDATE \(table) SET target = ? WHERE target = ?", message, duplicate)
    }
    try execute("UPDATE OR IGNORE reply SET message = ? WHERE message = ?", message, duplicate)
  }
}
