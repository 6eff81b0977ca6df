import SkeinStorage

extension ReadTransaction {
  /// The messages of a conversation with a mark, the latest first; marks of this account that the server has not
  /// confirmed come before all.
  func messages(
    with mark: MessageMark, in conversation: ConversationID, for account: UserID, _ kinds: KindRegistry
  ) throws -> [MarkedMessage] {
    let here = try select(
      MessageRow.self,
      """
      WHERE is_hidden = 0 AND NOT \(MessageRow.isEarlier) AND (conversation = ?1 AND marks IS NOT NULL
        OR id IN (SELECT target FROM operation WHERE conversation = ?1 AND target IS NOT NULL))
      """, conversation)
    let absent = try select(
      AbsentMessageRow.self, "WHERE conversation = ? AND marks IS NOT NULL", conversation)
    return Self.list(here, absent, with: mark, for: account, kinds)
  }

  private static func list(
    _ here: [MessageRow], _ absent: [AbsentMessageRow], with mark: MessageMark, for account: UserID,
    _ kinds: KindRegistry
  ) -> [MarkedMessage] {
    let stored = here.filter { $0.marksHere.contains(mark) && !$0.isRecalledHere }.map { row in
      let content = row.message(for: account, kinds: kinds).content
      return (
        StoredMarks.decode(row.marks)[mark] ?? Timestamp(rawValue: .max), row.time,
        MarkedMessage(
          conversation: row.conversation, id: row.id, message: row.reference, content: content, time: row.time
        )
      )
    }
    let others = absent.compactMap { row in
      StoredMarks.decode(row.marks)[mark].map { marked in
        let reference = MessageReference(
          sender: row.sender, messageID: row.messageID, serverID: row.serverID)
        return (
          marked, row.time,
          MarkedMessage(
            conversation: row.conversation, id: nil, message: reference,
            content: kinds.decode(row.kind, row.payload), time: row.time)
        )
      }
    }
    return (stored + others).sorted { ($0.0, $0.1) > ($1.0, $1.1) }.map { $0.2 }
  }
}
