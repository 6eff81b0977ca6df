import SkeinStorage

extension ReadTransaction {
  /// The messages of a conversation with a flag, the latest first; flags of this account that the server has not
  /// confirmed come before all.
  func messages(
    with flag: MessageFlag, in conversation: ConversationID, for account: UserID, _ kinds: KindRegistry
  ) throws -> [FlaggedMessage] {
    let here = try select(
      MessageRow.self,
      """
      WHERE is_hidden = 0 AND NOT \(MessageRow.isEarlier) AND (conversation = ?1 AND flags IS NOT NULL
        OR id IN (SELECT target FROM operation WHERE conversation = ?1 AND target IS NOT NULL))
      """, conversation)
    let absent = try select(
      AbsentMessageRow.self, "WHERE conversation = ? AND flags IS NOT NULL", conversation)
    return Self.list(here, absent, with: flag, for: account, kinds)
  }

  private static func list(
    _ here: [MessageRow], _ absent: [AbsentMessageRow], with flag: MessageFlag, for account: UserID,
    _ kinds: KindRegistry
  ) -> [FlaggedMessage] {
    let stored = here.filter { $0.flagsHere.contains(flag) && !$0.isRecalledHere }.map { row in
      let content = row.message(for: account, kinds: kinds).content
      return (
        StoredFlags.decode(row.flags)[flag] ?? Timestamp(rawValue: .max), row.time,
        FlaggedMessage(
          conversation: row.conversation, id: row.id, message: row.reference, content: content, time: row.time
        )
      )
    }
    let others = absent.compactMap { row in
      StoredFlags.decode(row.flags)[flag].map { flagged in
        let reference = MessageReference(
          sender: row.sender, messageID: row.messageID, serverID: row.serverID)
        return (
          flagged, row.time,
          FlaggedMessage(
            conversation: row.conversation, id: nil, message: reference,
            content: kinds.decode(row.kind, row.payload), time: row.time)
        )
      }
    }
    return (stored + others).sorted { ($0.0, $0.1) > ($1.0, $1.1) }.map { $0.2 }
  }
}
