import Skein
import Testing

extension ChatClient {
  /// The first conversation for which `condition` holds, as soon as there is one.
  func conversation(where condition: @Sendable (Conversation) -> Bool) async throws -> Conversation {
    for await update in conversations.changes {
      if let found = update.snapshot.first(where: condition) { return found }
    }
    throw CancellationError()
  }

  /// Returns when the connection is in this state.
  func reach(_ state: ConnectionState) async {
    for await now in connectionStates where now == state { return }
  }
}

extension ChatContext {
  /// The list, gaps among it, as soon as `condition` holds.
  func items(where condition: @Sendable (MessageList) -> Bool) async throws {
    for await update in changes where condition(update.snapshot) { return }
    throw CancellationError()
  }

  /// The messages, as soon as they have no gap and `condition` holds; gaps are filled on the way, as a reader does.
  @discardableResult
  func messages(where condition: @Sendable ([ChatMessage]) -> Bool) async throws -> [ChatMessage] {
    for await update in changes {
      for case .gap(let gap) in update.snapshot where messages.contains(.gap(gap)) { try await fill(gap) }
      let messages = update.snapshot.compactMap(\.message)
      if messages.count == update.snapshot.count, condition(messages) { return messages }
    }
    throw CancellationError()
  }
}

extension ChatMessage {
  var text: String? { content.as(TextContent.self)?.text }
}
