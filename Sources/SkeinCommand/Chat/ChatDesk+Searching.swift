import Skein
import SkeinCards

extension ChatDesk {
  /// The largest number of messages that a search lists.
  private static let found = 20

  func search(_ text: String) async throws {
    let messages = try await client.searchMessages(text, limit: Self.found)
    let names = names
    let found = messages.map { FoundMessage(message: $0, chat: names[$0.conversation] ?? "") }
    await output.show([.found(found)])
  }

  /// Lists the messages with a flag.
  func list(_ label: FlagLabel) async throws {
    let names = names
    let flagged = label.flag == .star ? client.starredMessages : try openChat().pinnedMessages
    await output.show([
      .flagged(label, flagged.map { ListedMessage(message: $0, chat: names[$0.conversation] ?? "") })
    ])
  }

  /// The names of the chats.
  private var names: [ConversationID: String] {
    Dictionary(
      client.conversations.conversations.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
  }
}
