import SkeinStorage

/// Queries of the table of members.
extension ReadTransaction {
  func members(of conversation: ConversationID) throws -> [MemberRow] {
    try select(MemberRow.self, "WHERE conversation = ? ORDER BY user", conversation)
  }

  /// The members with a mark whose message had no place when the mark was received.
  func membersWithWaitingMarks(in conversation: ConversationID) throws -> [MemberRow] {
    try select(
      MemberRow.self,
      """
      WHERE conversation = ? AND (waiting_delivered IS NOT NULL OR waiting_read IS NOT NULL) ORDER BY user
      """, conversation)
  }

  /// The receipts of the other members of a conversation. A message that a member has read counts as
  /// delivered.
  func receipts(in conversation: ConversationID, for account: UserID) throws -> Receipts {
    Receipts(
      try members(of: conversation).filter { $0.user != account }.map {
        Receipts.Mark(user: $0.user, delivered: max($0.delivered, $0.read), read: $0.read)
      })
  }
}
