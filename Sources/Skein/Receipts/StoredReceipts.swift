import SkeinStorage

extension ReadTransaction {
  /// How far the others in a conversation are.
  func receipts(in conversation: ConversationID, for account: UserID) throws -> Receipts {
    let members = try select(
      MemberRow.self, "WHERE conversation = ? AND user <> ? ORDER BY user", conversation, account)
    return Receipts(
      members.map { Receipts.Mark(user: $0.user, delivered: max($0.delivered, $0.read), read: $0.read) })
  }
}
