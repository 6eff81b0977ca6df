import Skein
import SkeinSimulation
import Testing

extension ChatContext {
  /// The list once it satisfies the condition; each change on the way must lead to its snapshot.
  @discardableResult
  func list(where condition: (MessageList) -> Bool) async throws -> MessageList {
    var copy: [MessageListItem] = []
    for await update in changes {
      update.change.apply(to: &copy, from: update.snapshot)
      try #require(copy == Array(update.snapshot))
      if condition(update.snapshot) { return update.snapshot }
    }
    throw Unexpected(what: "the list ended early")
  }
}

extension ConversationList {
  /// The list once it satisfies the condition.
  @discardableResult
  func list(where condition: (ListSnapshot<Conversation>) -> Bool) async throws -> ListSnapshot<Conversation>
  {
    for await update in changes where condition(update.snapshot) { return update.snapshot }
    throw Unexpected(what: "the list ended early")
  }

  /// The first conversation once it meets a condition.
  ///
  /// Use this method instead of `#require(list { … }.first)`: within another closure, the compiler (6.3)
  /// confuses a closure in a macro's argument with other closures of the same type, and the test waits for
  /// the wrong condition.
  func first(where condition: (Conversation) -> Bool) async throws -> Conversation {
    for await update in changes {
      if let first = update.snapshot.first, condition(first) { return first }
    }
    throw Unexpected(what: "the list ended early")
  }
}

extension MessageList {
  /// The messages' texts, `…` for a gap.
  var texts: [String] { map { $0.message?.content.displayedText ?? "…" } }
  var statuses: [MessageStatus] { compactMap { $0.message?.status } }
  func count(_ status: MessageStatus) -> Int { statuses.count { $0 == status } }
}

/// An outcome that the test does not allow.
struct Unexpected: Error, CustomStringConvertible {
  let what: String
  var description: String { what }
}
