import SkeinStorage

/// Counts over the message table.
extension ReadTransaction {
  /// Stored messages after a mark that the server counts as unread: with those deleted here, without those of an
  /// earlier epoch.
  func countedMessages(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self, "SELECT count(*) FROM message WHERE conversation = ? AND is_counted = 1 AND rank > ?",
      conversation, max(mark, .beforeHistory)) ?? 0
  }

  /// Those of them that mention this account.
  func countedMentions(in conversation: ConversationID, after mark: Rank, upTo last: Rank = .highest) throws
    -> Int
  {
    try scalar(
      Int.self,
      "SELECT count(*) FROM message WHERE conversation = ? AND is_mention = 1 AND rank > ? AND rank <= ?",
      conversation, max(mark, .beforeHistory), last) ?? 0
  }

  /// Stored messages after a mark that count, without those deleted here.
  func unreadMessages(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT count(*) FROM message WHERE conversation = ? AND is_counted = 1 AND rank > ? AND is_hidden = 0
      """, conversation, max(mark, .beforeHistory)) ?? 0
  }

  /// Those of them that mention this account.
  func unreadMentions(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT count(*) FROM message WHERE conversation = ? AND is_mention = 1 AND rank > ? AND is_hidden = 0
      """, conversation, max(mark, .beforeHistory)) ?? 0
  }
}
