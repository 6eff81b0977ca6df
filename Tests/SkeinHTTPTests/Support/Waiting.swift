import Skein
import Testing

extension ChatClient {
  /// Waits for a conversation that satisfies `condition`.
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
  /// Waits until the list, gaps included, satisfies `condition`.
  func items(where condition: @Sendable (MessageList) -> Bool) async throws {
    for await update in changes where condition(update.snapshot) { return }
    throw CancellationError()
  }

  /// Waits until the messages have no gap and satisfy `condition`, filling gaps meanwhile as a reader does.
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
