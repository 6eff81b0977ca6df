import Skein
import SkeinSimulation

extension ChatContext {
  /// The list once it looks as asked for; every change on the way must lead to its snapshot.
  @discardableResult
  func list(where condition: (MessageList) -> Bool) async throws -> MessageList {
    var copy: [MessageListItem] = []
    for await update in changes {
      update.change.apply(to: &copy, from: update.snapshot)
      try expect(copy == Array(update.snapshot), "a change does not lead to its snapshot")
      if condition(update.snapshot) { return update.snapshot }
    }
    throw Unexpected(what: "the list ended early")
  }
}

extension ConversationList {
  /// The list once it looks as asked for.
  @discardableResult
  func list(where condition: (ListSnapshot<Conversation>) -> Bool) async throws -> ListSnapshot<Conversation>
  {
    for await update in changes where condition(update.snapshot) { return update.snapshot }
    throw Unexpected(what: "the list ended early")
  }

  /// The conversation on top once it is as asked for.
  ///
  /// It stands for `#require(list { … }.first)`: the compiler (6.3) mixes up a closure in a macro's argument with others of
  /// its type in the same test, and the test then waits for something else than it says.
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

extension SimulatedRun {
  /// Plays a story with a few seeds and reports what went wrong in any.
  static func play(
    seeds: ClosedRange<UInt64> = 1...5, _ story: @escaping @Sendable (SimulatedStage) async throws -> Void
  ) async -> [String] {
    var failures: [String] = []
    for seed in seeds {
      if let failure = await play(seed: seed, story).failure { failures.append("seed \(seed): \(failure)") }
    }
    return failures
  }
}
