import Skein

extension ChatDesk {
  /// The largest number of messages that a search lists.
  private static let found = 20

  func search(_ text: String) async throws {
    let messages = try await client.searchMessages(text, limit: Self.found)
    let names = Dictionary(
      client.conversations.conversations.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    let found = messages.map { FoundMessage(message: $0, chat: names[$0.conversation] ?? "") }
    await output.show([.found(found)])
  }
}
