import SkeinStorage
import SkeinWire

extension WriteTransaction {
  /// Records that a member has received and read everything up to a position.
  ///
  /// - Returns: the senders of the newly read messages, except the member.
  func markRead(upTo read: Int64, by member: StoredMember) throws -> [Wire.UserID] {
    let change = try nextChange()
    var row = member
    (row.readPosition, row.change, row.delivered) = (read, change, max(member.delivered, read))
    _ = try update(row)
    return try note(change, in: member, from: member.readPosition, to: read)
  }

  /// Records that everything up to a change has been delivered to one of a user's devices. Conversations with
  /// removed contacts are left out.
  ///
  /// - Returns: the senders of the newly delivered messages, except the user.
  func markDelivered(to user: Wire.UserID, upTo change: Int64) throws -> [Wire.UserID] {
    let behind = try select(
      StoredMember.self,
      """
      WHERE user = ? AND delivered < (SELECT head FROM conversation WHERE id = member.conversation)
      ORDER BY conversation
      """, user)
    var senders: [Wire.UserID] = []
    for var member in behind {
      guard let row = try find(StoredConversation.self, member.conversation),
        try contact(of: row, for: user)?.isRemoved != true
      else { continue }
      let position = try position(in: member.conversation, asOf: change)
      guard position > member.delivered else { continue }
      let before = member.delivered
      member.delivered = position
      _ = try update(member)
      senders += try note(nextChange(), in: member, from: before, to: position)
    }
    return Array(Set(senders))
  }

  /// Includes a member's new receipt in the other members' next sync.
  ///
  /// - Returns: the users to poke: the senders of the messages after position `first` up to `last`, except
  ///   the member.
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
