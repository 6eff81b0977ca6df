import SkeinStorage

/// Fetches the messages of one conversation from the server and has the intake store them.
struct RemoteMessageLoader: Sendable {
  let conversation: ConversationID
  let store: ChatStore
  let backend: any ChatBackend

  /// Fetches the newest messages.
  func loadNewMessages(limit: Int) async throws {
    guard let ref = try await ref() else { return }
    let page = try await backend.history(of: ref, at: .newest, limit: limit)
    try await store.write(.kill) { [conversation] in try $0.take(newest: page, in: conversation) }
  }

  /// Fetches the messages before the first one of a span; the newest ones where nothing is known yet.
  func loadOldMessages(below edge: Rank?, limit: Int) async throws {
    guard let edge else { return try await loadNewMessages(limit: limit) }
    guard let ref = try await ref() else { return }
    let page = try await backend.history(
      of: ref, at: .before(Position(rawValue: edge.rawValue)), limit: limit)
    try await store.write(.kill) { [conversation] in try $0.take(page, below: edge, in: conversation) }
  }

  private func ref() async throws -> ConversationRef? {
    try await store.read { [conversation] in try $0.find(ConversationRow.self, conversation)?.ref }
  }
}
