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

  /// The ranks of the first messages of the current epoch that the server counts as unread without a read mark, in ascending
  /// order.
  func firstCountedMessages(in conversation: ConversationID, limit: Int) throws -> [Rank] {
    try rows(
      Rank.self,
      "SELECT rank FROM message WHERE conversation = ? AND is_counted = 1 AND rank > ? ORDER BY rank LIMIT ?",
      conversation, Rank.beforeHistory, limit)
  }

  /// Like ``countedMessages(in:after:)``, but counts only messages that mention this account and have a rank
  /// of at most `last`.
  func countedMentions(in conversation: ConversationID, after mark: Rank, upTo last: Rank = .highest) throws
    -> Int
  {
    try scalar(
      Int.self,
      "SELECT count(*) FROM message WHERE conversation = ? AND is_mention = 1 AND rank > ? AND rank <= ?",
      conversation, max(mark, .beforeHistory), last) ?? 0
  }

  /// Like ``countedMessages(in:after:)``, but without messages deleted here.
  func unreadMessages(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT count(*) FROM message WHERE conversation = ? AND is_counted = 1 AND rank > ? AND is_hidden = 0
      """, conversation, max(mark, .beforeHistory)) ?? 0
  }

  /// Like ``countedMessages(in:after:)``, but counts only messages deleted here.
  func deletedUnreadMessages(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT count(*) FROM message WHERE conversation = ? AND is_counted = 1 AND is_hidden = 1 AND rank > ?
      """, conversation, max(mark, .beforeHistory)) ?? 0
  }

  /// Like ``unreadMessages(in:after:)``, but counts only messages that mention this account.
  func unreadMentions(in conversation: ConversationID, after mark: Rank) throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT count(*) FROM message WHERE conversation = ? AND is_mention = 1 AND rank > ? AND is_hidden = 0
      """, conversation, max(mark, .beforeHistory)) ?? 0
  }
}
