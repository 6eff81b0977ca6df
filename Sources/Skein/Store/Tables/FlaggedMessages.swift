import SkeinStorage

extension ReadTransaction {
  /// The messages of a conversation that have a flag, the last flagged first. Includes messages of which only
  /// the server's state is stored (``AbsentMessageRow``).
  ///
  /// Messages deleted here, recalled messages and stored messages of earlier epochs are left out. Messages
  /// with an unconfirmed flag of this account come before all others.
  func messages(
    with flag: MessageFlag, in conversation: ConversationID, for account: UserID, _ kinds: KindRegistry
  ) throws -> [FlaggedMessage] {
    let here = try select(
      MessageRow.self,
      """
      WHERE \(Self.isShown) AND id IN (\(Self.flagged) AND conversation = ?1
        UNION ALL SELECT target FROM operation WHERE conversation = ?1 AND target IS NOT NULL)
      """, conversation)
    let absent = try select(
      AbsentMessageRow.self, "WHERE conversation = ? AND flags IS NOT NULL", conversation)
    return Self.list(here, absent, with: flag, for: account, kinds)
  }

  /// The messages with a flag in all conversations that are not closed. The rules and the order are those of
  /// ``messages(with:in:for:_:)``.
  func messages(with flag: MessageFlag, for account: UserID, _ kinds: KindRegistry) throws -> [FlaggedMessage]
  {
    let isOpen = "conversation NOT IN (SELECT id FROM conversation WHERE is_closed = 1)"
    let here = try select(
      MessageRow.self,
      """
      WHERE \(Self.isShown) AND \(isOpen) AND id IN (\(Self.flagged)
        UNION ALL SELECT target FROM operation WHERE target IS NOT NULL)
      """)
    let absent = try select(AbsentMessageRow.self, "WHERE flags IS NOT NULL AND \(isOpen)")
    return Self.list(here, absent, with: flag, for: account, kinds)
  }

  /// The stored messages of the current epoch that have a flag on the server.
  func flaggedMessages() throws -> [MessageRow] {
    try select(MessageRow.self, "WHERE id IN (\(Self.flagged)) AND NOT \(MessageRow.isEarlier)")
  }

  /// Selects the ids of the messages with flags. The query names the index, since SQLite would otherwise scan
  /// whole conversations to find a few messages.
  private static let flagged =
    "SELECT id FROM message INDEXED BY message_conversation_partial WHERE flags IS NOT NULL"
  private static let isShown = "is_hidden = 0 AND NOT \(MessageRow.isEarlier)"

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
