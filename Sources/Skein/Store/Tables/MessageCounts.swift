import SkeinStorage

/// Counts over the message table.
extension ReadTransaction {
  /// The number of stored messages that the server counts as unread after a read mark.
  ///
  /// Messages deleted here are included; messages of earlier epochs are not.
  func countedMessages(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self, "SELECT count(*) FROM message WHERE conversation = ? AND is_counted = 1 AND rank > ?",
      conversation, max(mark, .beforeHistory)) ?? 0
  }

  /// The number of messages that ``countedMessages(in:after:)`` counts, that mention this account, and whose rank is
  /// at most `last`.
  func countedMentions(in conversation: ConversationID, after mark: Rank, upTo last: Rank = .highest) throws
    -> Int
  {
    try scalar(
      Int.self,
      "SELECT count(*) FROM message WHERE conversation = ? AND is_mention = 1 AND rank > ? AND rank <= ?",
      conversation, max(mark, .beforeHistory), last) ?? 0
  }

  /// The number of countable stored messages after a read mark, without those deleted here.
  func unreadMessages(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT count(*) FROM message WHERE conversation = ? AND is_counted = 1 AND rank > ? AND is_hidden = 0
      """, conversation, max(mark, .beforeHistory)) ?? 0
  }

  /// The number of messages that ``unreadMessages(in:after:)`` counts and that mention this account.
  func unreadMentions(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT count(*) FROM message WHERE conversation = ? AND is_mention = 1 AND rank > ? AND is_hidden = 0
      """, conversation, max(mark, .beforeHistory)) ?? 0
  }
}
