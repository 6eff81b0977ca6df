import SkeinStorage

extension ReadTransaction {
  /// The pinned messages of a conversation, the latest pin first; pins of this account that the server has not
  /// confirmed come before all.
  func pinned(in conversation: ConversationID, for account: UserID, _ kinds: KindRegistry) throws
    -> [PinnedMessage]
  {
    let here = try select(
      MessageRow.self,
      """
      WHERE is_hidden = 0 AND NOT \(MessageRow.isEarlier) AND (conversation = ?1 AND pinned IS NOT NULL
        OR id IN (SELECT target FROM operation WHERE conversation = ?1 AND target IS NOT NULL))
      """, conversation)
    let elsewhere = try select(
      AbsentMessageRow.self, "WHERE conversation = ? AND pinned IS NOT NULL", conversation)
    let messages =
      here.filter { $0.isPinnedHere && !$0.isRecalledHere }.map { row in
        let shown = row.message(for: account, kinds: kinds)
        return (
          row.pinned ?? Timestamp(rawValue: .max), row.time,
          PinnedMessage(id: row.id, message: row.reference, content: shown.content, time: row.time)
        )
      }
      + elsewhere.map { row in
        let reference = MessageReference(
          sender: row.sender, messageID: row.messageID, serverID: row.serverID)
        let content = kinds.decode(row.kind, row.payload)
        return (
          row.pinned ?? row.time, row.time,
          PinnedMessage(id: nil, message: reference, content: content, time: row.time)
        )
      }
    return messages.sorted { ($0.0, $0.1) > ($1.0, $1.1) }.map { $0.2 }
  }
}
