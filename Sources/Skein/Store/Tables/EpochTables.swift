import SkeinStorage

/// Queries and updates for messages of earlier epochs.
///
/// In these queries, a message counts as placed if both of these statements are true:
/// 1. Its rank is not `Rank.unplaced`.
/// 2. The message is sent, or its rank is below the ranks of unsent messages.
///
/// Messages of earlier epochs can count as placed too.
extension ReadTransaction {
  /// The conversations with flagged messages of which only the server's state is stored.
  func conversationsWithAbsentFlags() throws -> [ConversationID] {
    try rows(ConversationID.self, "SELECT DISTINCT conversation FROM revised WHERE flags IS NOT NULL")
  }

  /// The number of a conversation's placed messages at or above a rank.
  func placedMessages(in conversation: ConversationID, from rank: Rank) throws -> Int64 {
    try scalar(
      Int64.self,
      """
      SELECT count(*) FROM message
      WHERE conversation = ? AND rank > ? AND rank >= ? AND (rank < ? OR status = ?)
      """, conversation, Rank.unplaced, rank, Rank.firstUnsent, MessageStatus.sent) ?? 0
  }

  /// Whether messages of earlier epochs are stored.
  func hasEarlierMessages(in conversation: ConversationID) throws -> Bool {
    try scalar(
      Int.self, "SELECT 1 FROM message WHERE conversation = ? AND rank > ? AND rank < ? LIMIT 1",
      conversation, Rank.unplaced, Rank.beforeHistory) != nil
  }

  /// A user's sent messages among the ranks of earlier epochs, without those deleted here. The times of these
  /// messages lie between `start` and `end`, both excluded, and their epoch is not `epoch`.
  func earlierSentMessages(
    in conversation: ConversationID, of sender: UserID, after start: Timestamp, before end: Timestamp,
    notIn epoch: Epoch?
  ) throws -> [MessageRow] {
    try select(
      MessageRow.self,
      """
      WHERE conversation = ? AND sender = ? AND status = ? AND time > ? AND time < ? AND \(MessageRow.isEarlier)
        AND rank > ? AND is_hidden = 0 AND epoch IS NOT ? ORDER BY rank, id
      """, conversation, sender, MessageStatus.sent, start, end, Rank.unplaced, epoch)
  }

  /// A user's failed messages among the ranks of earlier epochs, without those that the server has lost.
  func earlierFailedMessages(in conversation: ConversationID, of sender: UserID) throws -> [MessageRow] {
    try select(
      MessageRow.self,
      """
      WHERE conversation = ? AND sender = ? AND status = ? AND \(MessageRow.isEarlier) AND rank > ?
        AND failure_code IS NOT ? ORDER BY rank, id
      """, conversation, sender, MessageStatus.failed, Rank.unplaced, SendFailure.Code.lost.rawValue)
  }
}

extension WriteTransaction {
  /// Moves all placed messages of a conversation below the ranks of the server's history. The messages keep
  /// their order.
  func moveBelowHistory(_ conversation: ConversationID, version: Int64) throws {
    try execute(
      """
      UPDATE message SET rank = -2 * place, version = ?1 FROM (
        SELECT id AS moved, row_number() OVER (ORDER BY rank DESC, id DESC) AS place FROM message
        WHERE conversation = ?2 AND rank > ?3 AND (rank < ?4 OR status = ?5))
      WHERE id = moved
      """, version, conversation, Rank.unplaced, Rank.firstUnsent, MessageStatus.sent)
  }

  /// Removes the server ids of a conversation's messages. Messages for which ``MessageRow/isNamedHere`` is
  /// true keep their server ids.
  func forgetServerNames(in conversation: ConversationID) throws {
    try execute(
      "UPDATE message SET server_id = NULL WHERE conversation = ? AND message_id <> 'local-' || id",
      conversation)
  }

  /// Removes the stored states of the absent messages of all conversations.
  func forgetAbsentMessages() throws { try execute("DELETE FROM revised") }

  func forgetServerNamesOfReplyTargets() throws { try execute("UPDATE reply SET server_id = NULL") }

  func forgetUploads() throws { try execute("DELETE FROM upload") }

  func forgetReceipts(in conversation: ConversationID) throws {
    try execute(
      """
      UPDATE member SET delivered = ?1, read = ?1, waiting_delivered = NULL, waiting_read = NULL WHERE conversation = ?2
      """, Rank.lowest, conversation)
  }
}
