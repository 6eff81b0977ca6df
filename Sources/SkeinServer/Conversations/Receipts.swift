import SkeinStorage
import SkeinWire

extension WriteTransaction {
  /// A member has read up to a position, and so has got all up to there.
  ///
  /// - Returns: those whose messages that are, who wait to hear of it.
  func read(upTo read: Int64, by member: StoredMember) throws -> [Wire.UserID] {
    let change = try nextChange()
    _ = try update(
      StoredMember(
        user: member.user, conversation: member.conversation, readPosition: read, change: change,
        delivered: max(member.delivered, read)))
    return try note(change, in: member, from: member.readPosition, to: read)
  }

  /// All that concerns a user up to a change is on one of their devices.
  ///
  /// - Returns: those whose messages that are, who wait to hear of it.
  func deliver(to user: Wire.UserID, upTo change: Int64) throws -> [Wire.UserID] {
    let behind = try select(
      StoredMember.self,
      """
      WHERE user = ? AND delivered < (SELECT head FROM conversation WHERE id = member.conversation)
      ORDER BY conversation
      """, user)
    var told: [Wire.UserID] = []
    for var member in behind {
      guard let row = try find(StoredConversation.self, member.conversation),
        try contact(of: row, for: user)?.isRemoved != true
      else { continue }
      let position = try position(in: member.conversation, asOf: change)
      guard position > member.delivered else { continue }
      let before = member.delivered
      member.delivered = position
      _ = try update(member)
      told += try note(nextChange(), in: member, from: before, to: position)
    }
    return Array(Set(told))
  }

  /// The others' next sync tells of it; only those who wrote something between two positions are poked.
  private func note(_ change: Int64, in member: StoredMember, from first: Int64, to last: Int64) throws
    -> [Wire.UserID]
  {
    _ = try execute("UPDATE conversation SET receipts = ? WHERE id = ?", change, member.conversation)
    return try rows(
      Wire.UserID.self,
      """
      SELECT DISTINCT sender FROM message
      WHERE conversation = ? AND position > ? AND position <= ? AND sender <> ? ORDER BY sender
      """, member.conversation, first, last, member.user)
  }
}

extension ReadTransaction {
  /// What a user's list has of the other side of a direct conversation.
  func contact(of row: StoredConversation, for user: Wire.UserID) throws -> StoredContact? {
    guard row.kind == .direct, let peer = try members(of: row.id).first(where: { $0 != user }) else {
      return nil
    }
    return try find(StoredContact.self, user, ContactID.user(peer))
  }

  /// A conversation as a member sees it, up to a position where it ends for now.
  func wire(_ row: StoredConversation, for member: StoredMember, head: Int64? = nil) throws
    -> Wire.Conversation
  {
    let head = head ?? row.head
    let members = try select(StoredMember.self, "WHERE conversation = ? ORDER BY user", row.id)
    let receipts = members.filter { $0.user != member.user && ($0.delivered > 0 || $0.readPosition > 0) }
    return row.wire(
      for: member, members: members.map(\.user),
      receipts: receipts.map {
        Wire.Receipt(
          user: $0.user, delivered: min(max($0.delivered, $0.readPosition), head),
          read: min($0.readPosition, head))
      }, head: head)
  }
}
