import SkeinStorage

/// Queries of the tables of conversations and spans.
extension ReadTransaction {
  func conversation(named ref: ConversationRef) throws -> ConversationRow? {
    try first(ConversationRow.self, "WHERE ref = ?", ref)
  }

  func direct(with peer: UserID) throws -> ConversationRow? {
    try first(ConversationRow.self, "WHERE peer = ? AND type = 'direct'", peer)
  }

  /// The group that this device creates, or has created, under a key.
  func group(openedUnder key: String) throws -> ConversationRow? {
    try first(ConversationRow.self, "WHERE opening_key = ?", key)
  }

  func conversationIDs() throws -> [ConversationID] {
    try rows(ConversationID.self, "SELECT id FROM conversation ORDER BY id")
  }

  /// The conversations that the syncs have covered, as of the stored cursor.
  func syncedConversationIDs() throws -> [ConversationID] {
    try rows(ConversationID.self, "SELECT id FROM conversation WHERE synced_to IS NOT NULL ORDER BY id")
  }

  func listedConversations() throws -> [ConversationRow] {
    try select(ConversationRow.self, "WHERE is_closed = 0 AND is_hidden = 0 ORDER BY id")
  }

  /// The first conversations in the order of the list. The order of conversations with equal activity is
  /// undefined.
  func firstListedConversations(limit: Int) throws -> [ConversationRow] {
    try select(
      ConversationRow.self,
      "WHERE is_closed = 0 AND is_hidden = 0 ORDER BY is_pinned DESC, last_activity DESC LIMIT ?", limit)
  }

  /// The number of unread messages in the conversations of the list that are not muted.
  func unreadCountOfListedConversations() throws -> Int {
    try scalar(
      Int.self,
      """
      SELECT coalesce(sum(unread_count), 0) FROM conversation
      WHERE is_closed = 0 AND is_hidden = 0 AND is_muted = 0
      """) ?? 0
  }

  /// Conversations that the server has and whose read mark must be sent to the server.
  func conversationsWithPendingReadMark() throws -> [ConversationRow] {
    try select(ConversationRow.self, "WHERE pending_read_mark IS NOT NULL AND ref IS NOT NULL ORDER BY id")
  }

  /// Conversations of which this account is a member, and whose settings must be sent to the server.
  func conversationsWithUnconfirmed(_ settings: BackendCapabilities.Settings) throws -> [ConversationRow] {
    try select(
      ConversationRow.self,
      """
      WHERE unconfirmed_settings <> 0 AND unconfirmed_settings & ? <> 0 AND ref IS NOT NULL
        AND is_closed = 0 AND invitation IS NULL
      ORDER BY id
      """, settings)
  }

  /// The conversations that the server has stated to be muted.
  func conversationsMutedOnServer() throws -> [ConversationRow] {
    try select(
      ConversationRow.self, "WHERE server_settings & ? <> 0 ORDER BY id", BackendCapabilities.Settings.muted)
  }

  /// The invitations that wait for the user's answer or for the server's confirmation.
  func openInvitations() throws -> [ConversationRow] {
    try select(ConversationRow.self, "WHERE invitation IS NOT NULL AND is_closed = 0 ORDER BY id")
  }

  /// Closed conversations that still hold messages, and whose contacts were removed at or before a time. Without a
  /// contact, the time at which the conversation was closed counts.
  func conversationsToPurge(removedBefore time: Timestamp) throws -> [ConversationID] {
    let closed = try select(
      ConversationRow.self,
      """
      WHERE is_closed = 1 AND EXISTS (SELECT 1 FROM message WHERE message.conversation = conversation.id)
      ORDER BY id
      """)
    return try closed.filter { (try contact(of: $0)?.removed ?? $0.closed).map { $0 <= time } ?? false }.map(
      \.id)
  }

  /// The conversations that changed after a value of the change counter, and the conversations that were
  /// merged into others after that value.
  func conversations(changedAfter version: Int64) throws -> (changed: [ConversationRow], merged: [MergedRow])
  {
    (
      try select(ConversationRow.self, "WHERE version > ? ORDER BY version, id", version),
      try select(MergedRow.self, "WHERE version > ? ORDER BY version", version)
    )
  }

  // MARK: Spans

  /// The stored spans of a conversation.
  func spans(of conversation: ConversationRow, isDense: Bool) throws -> SpanMap {
    SpanMap(
      spans: try spanRows(of: conversation.id).map(\.span), syncedTo: conversation.syncedTo, isDense: isDense)
  }

  func spanRows(of conversation: ConversationID) throws -> [SpanRow] {
    try select(SpanRow.self, "WHERE conversation = ? ORDER BY lower", conversation)
  }

  /// The number of messages stored within a span, and the earliest and the latest time of these messages.
  func contents(of span: SpanRow) throws -> (count: Int, first: Timestamp?, last: Timestamp?) {
    let range = "FROM message WHERE conversation = ? AND rank BETWEEN ? AND ?"
    func value<Value: ColumnValue>(_ type: Value.Type, _ column: String) throws -> Value? {
      try scalar(type, "SELECT \(column) \(range)", span.conversation, span.lower, span.upper)
    }
    return (
      try value(Int.self, "count(*)") ?? 0, try value(Timestamp?.self, "min(time)") ?? nil,
      try value(Timestamp?.self, "max(time)") ?? nil
    )
  }
}

extension WriteTransaction {
  /// Replaces the stored spans `old` of a conversation with the spans `new`. Only the differences are
  /// written.
  func replaceSpans(_ old: [Span], with new: [Span], of conversation: ConversationID) throws {
    // Both arrays are sorted by lower rank.
    var index = 0
    for span in new {
      while index < old.count, old[index].lower < span.lower {
        try delete(SpanRow.self, conversation, old[index].lower)
        index += 1
      }
      let isStored = index < old.count && old[index].lower == span.lower
      if !isStored || old[index] != span { try upsert(SpanRow(conversation, span)) }
      if isStored { index += 1 }
    }
    for span in old[index...] { try delete(SpanRow.self, conversation, span.lower) }
  }

  /// Deletes a conversation's spans and members, and moves its operations, absent messages and reply targets
  /// to another conversation.
  func moveAttachedRows(of conversation: ConversationID, to target: ConversationID) throws {
    for table in ["span", "member"] {
      try execute("DELETE FROM \(table) WHERE conversation = ?", conversation)
    }
    try execute("UPDATE OR REPLACE revised SET conversation = ? WHERE conversation = ?", target, conversation)
    for table in ["operation", "reply"] {
      try execute("UPDATE \(table) SET conversation = ? WHERE conversation = ?", target, conversation)
    }
  }

  /// Deletes a conversation's members, absent messages and reply targets.
  func deleteAttachedRows(of conversation: ConversationID) throws {
    for table in ["member", "revised", "reply"] {
      try execute("DELETE FROM \(table) WHERE conversation = ?", conversation)
    }
  }

  /// Removes the stored state of a message, which is found by either id.
  func forgetAbsentMessage(_ row: MessageRow) throws {
    try execute(
      """
      DELETE FROM revised WHERE conversation = ? AND (server_id = ? OR sender = ? AND message_id = ?)
      """, row.conversation, row.serverID, row.sender, row.messageID)
  }

  /// Removes the stored states of a conversation's absent messages, except the states of messages that are
  /// shown here but not known to be sent.
  func forgetAbsentMessages(of conversation: ConversationID) throws {
    try execute(
      """
      DELETE FROM revised WHERE conversation = ? AND NOT EXISTS (
        SELECT 1 FROM message
        WHERE message.conversation = revised.conversation AND message.sender = revised.sender
          AND message.message_id = revised.message_id AND status <> ? AND is_hidden = 0)
      """, conversation, MessageStatus.sent)
  }
}
