import SkeinStorage

/// Reads the stored messages of one conversation, never across a gap.
struct LocalMessageLoader: Sendable {
  let conversation: ConversationID
  let store: ChatStore

  /// The stored messages before `anchor`, down to the edge of the span it stands in; below the first span, those that
  /// failed before anything was known of the chat.
  func loadOldMessages(before anchor: MessageOrder, limit: Int) async throws -> MessagePage {
    let isDense = store.ordering == .dense
    return try await store.read { [conversation] database in
      guard let row = try database.find(ConversationRow.self, conversation) else {
        throw ChatError(.conversationUnknown, "There is no such conversation in this database.")
      }
      let spans = try database.spans(of: row, isDense: isDense)
      let span = spans.span(at: anchor.rank) ?? spans.spans.first
      let bottom = spans.span(at: anchor.rank)?.lower ?? .lowest
      let isFirst = span == spans.spans.first
      // One more than asked for tells whether there is more.
      let found = try database.select(
        MessageRow.self,
        """
        WHERE conversation = ? AND is_hidden = 0 AND (rank, id) < (?, ?)
        AND (rank >= ? OR (? AND position IS NULL))
        ORDER BY rank DESC, id DESC LIMIT ?
        """, conversation, anchor.rank, anchor.id, bottom, isFirst, limit + 1)
      return MessagePage(
        rows: found.prefix(limit).reversed(), spans: spans,
        version: try database.find(AccountRow.self, Int64(1))?.version ?? 0, edge: span?.lower,
        bottom: isFirst ? .lowest : bottom, isBound: row.ref != nil,
        canLoadOldLocalMessages: found.count > limit,
        canLoadOldRemoteMessages: row.ref != nil && span?.reachesStart != true)
    }
  }

  /// Everything that is stored from `bottom` on; nothing of a conversation that is no more.
  func loadWindow(from bottom: MessageOrder) async throws -> MessageWindow {
    let isDense = store.ordering == .dense
    return try await store.read { [conversation] database in
      let version = try database.find(AccountRow.self, Int64(1))?.version ?? 0
      guard let row = try database.find(ConversationRow.self, conversation) else {
        return MessageWindow(rows: [], spans: SpanMap(isDense: isDense), version: version, isBound: false)
      }
      let rows = try database.select(
        MessageRow.self,
        "WHERE conversation = ? AND is_hidden = 0 AND (rank, id) >= (?, ?) ORDER BY rank, id", conversation,
        bottom.rank, bottom.id)
      return MessageWindow(
        rows: rows, spans: try database.spans(of: row, isDense: isDense), version: version,
        isBound: row.ref != nil)
    }
  }
}
