/// Loads the messages of one conversation: from the database inside a span, from the server at its edge.
///
/// It keeps nothing: what the server hands over is stored by the intake, and what is returned was read from the
/// database.
struct ChatMessageListLoader: Sendable {
  let conversation: ConversationID
  let local: LocalMessageLoader
  let remote: RemoteMessageLoader

  init(conversation: ConversationID, store: ChatStore, backend: any ChatBackend) {
    self.conversation = conversation
    local = LocalMessageLoader(conversation: conversation, store: store)
    remote = RemoteMessageLoader(conversation: conversation, store: store, backend: backend)
  }

  /// The newest messages that are stored.
  func loadStoredMessages(limit: Int) async throws -> MessagePage {
    try await local.loadOldMessages(before: .highest, limit: limit)
  }

  /// Asks the server for the newest messages.
  func loadNewMessages(limit: Int) async throws {
    try await remote.loadNewMessages(limit: limit)
  }

  /// The messages before `anchor`: the stored ones of its span, and at the span's edge one page from the server.
  func loadOldMessages(before anchor: MessageOrder, limit: Int) async throws -> MessagePage {
    let page = try await local.loadOldMessages(before: anchor, limit: limit)
    guard page.rows.isEmpty, page.canLoadOldRemoteMessages else { return page }
    try await remote.loadOldMessages(below: page.edge, limit: limit)
    return try await local.loadOldMessages(before: anchor, limit: limit)
  }
}

/// Stored messages just before an anchor, without a hole among them or up to it.
struct MessagePage: Sendable {
  /// Ascending.
  var rows: [MessageRow]
  /// The spans of the conversation in the same snapshot of the database.
  var spans: SpanMap
  /// The database's count of changes in that snapshot.
  var version: Int64
  /// The first rank of the span in which the page lies; nil where nothing is known of the conversation.
  var edge: Rank?
  /// Where a window starts that holds the page and has nothing more stored before it.
  var bottom: Rank
  /// Whether the server knows the conversation.
  var isBound: Bool
  /// Whether more of the span is stored before the page.
  var canLoadOldLocalMessages: Bool
  /// Whether the server may have more before the span.
  var canLoadOldRemoteMessages: Bool

  /// Whether there may be more before the page, here or on the server.
  var canLoadOldMessages: Bool { canLoadOldLocalMessages || canLoadOldRemoteMessages }
}

/// What is stored of a list's window, in one snapshot of the database.
struct MessageWindow: Sendable {
  /// Ascending.
  let rows: [MessageRow]
  let spans: SpanMap
  /// The database's count of changes in that snapshot.
  let version: Int64
  /// Whether the server knows the conversation.
  let isBound: Bool

  /// Whether lists show a row: of what lies below the first span, only what failed before anything was known of the chat.
  func isListed(_ row: MessageRow) -> Bool {
    spans.spans.first.map { row.rank >= $0.lower || row.position == nil } ?? true
  }
}
