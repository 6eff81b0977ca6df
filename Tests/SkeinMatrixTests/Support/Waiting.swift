import Skein
import SkeinModel
import Testing

/// The condition of a test was never met.
struct Unfinished: Error, CustomStringConvertible {
  let description: String

  /// Records the issue at once: a test that exceeds its time limit does not report the errors that follow.
  init(description: String) {
    self.description = description
    Issue.record("\(description)")
  }
}

extension ChatClient {
  /// Waits for a conversation that satisfies `condition`.
  @discardableResult
  func conversation(where condition: @Sendable (Conversation) -> Bool) async throws -> Conversation {
    try await conversations.open()
    for await update in conversations.changes {
      if let found = update.snapshot.first(where: condition) { return found }
    }
    let shown = conversations.conversations.map {
      "\($0.name), \($0.unreadIsAtLeast ? "at least " : "")\($0.unreadCount) unread"
    }
    throw Unfinished(description: "No conversation of \(account.rawValue) has met the condition: \(shown)")
  }

  /// Returns when the connection is in a state that satisfies `condition`.
  func connection(where condition: (ConnectionState) -> Bool) async throws {
    for await state in connectionStates where condition(state) { return }
    throw Unfinished(description: "The connection of \(account.rawValue) is \(connectionState).")
  }

  /// Returns when the states of the waiting messages satisfy `condition`.
  func sendState(where condition: (OutboxStatus) -> Bool) async throws {
    for await status in sendStates where condition(status) { return }
    throw Unfinished(description: "\(sendStatus.count) messages of \(account.rawValue) wait.")
  }
}

extension ChatContext {
  /// Waits until the messages satisfy `condition`, with all gaps filled and all pages loaded.
  @discardableResult
  func messages(where condition: ([ChatMessage]) -> Bool) async throws -> [ChatMessage] {
    for await _ in changes {
      try await loadAll()
      let items = Array(messages)
      let messages = items.compactMap(\.message)
      if messages.count == items.count, condition(messages) { return messages }
    }
    let shown = messages.map { item in
      item.message.map { "\($0.content.displayedText) \($0.status)\($0.hasPendingAction ? " pending" : "")" }
        ?? "\(item)"
    }
    throw Unfinished(description: "After the last change, the list has: \(shown.joined(separator: "; "))")
  }

  /// Waits until the receipts of the other members satisfy `condition`.
  func receipts(where condition: (Receipts) -> Bool) async throws {
    for await receipts in receiptUpdates where condition(receipts) { return }
    throw Unfinished(description: "The receipts are \(receipts).")
  }

  /// Fills all gaps and loads all pages, as a reader does.
  private func loadAll() async throws {
    while !Task.isCancelled {
      do {
        if let gap = messages.lazy.compactMap(\.gap).first {
          try await fill(gap)
        } else if hasMorePreviousMessages {
          try await fetchMorePreviousMessages()
        } else {
          return
        }
      } catch let error as BackendError where [.transient, .unreachable].contains(error.code) {
        // A sync has made the page obsolete, or the network still recovers.
      }
    }
  }
}

extension SentMessage {
  /// Returns when the state satisfies `condition`.
  func state(where condition: (SendState) -> Bool) async throws {
    for await state in progress where condition(state) { return }
    throw Unfinished(description: "The message \(messageID.rawValue) is \(try await self.state).")
  }
}

extension SendState {
  /// Whether the message waits for the network or for its next attempt.
  var isWaiting: Bool {
    switch self {
    case .waiting, .waitingForConnection: true
    default: false
    }
  }
}
