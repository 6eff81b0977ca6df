import Skein
import Synchronization

/// What somebody saw of a chat who read it from end to end.
struct ReadHistory: Sendable {
  var messages: [ChatMessage] = []
  /// Whether it has a gap that the server may still fill.
  var hasGap = false
  /// Whether it has a gap that the server can't fill any more.
  var hasLoss = false

  /// Puts a window's messages before or behind those seen so far; false where the two don't meet.
  mutating func add(_ list: MessageList, before: Bool) -> Bool {
    let shown = list.compactMap(\.message)
    for gap in list.compactMap(\.gap) {
      if gap.state == .unavailable { hasLoss = true } else { hasGap = true }
    }
    guard let edge = before ? messages.first : messages.last else {
      messages = shown
      return true
    }
    guard let index = shown.firstIndex(where: { $0.id == edge.id }) else { return false }
    messages = before ? shown[..<index] + messages : messages + shown[(index + 1)...]
    return true
  }
}

extension Device {
  /// Reads a chat from its newest message up to the first, which fetches all there is, and down again.
  ///
  /// Whatever leaves the window on the way has been seen by then, and the way down shows all of it once more.
  func readEverything(in context: ChatContext) async throws {
    if abilities.history.contains(.after) { try await readFromOldest(in: context) }
    // What was here before the server was set back finds its places on the way.
    if hasMessagesOfBefore(in: context.conversation) { _ = try await readBothWays(in: context) }
    let (up, down, isWhole) = try await readBothWays(in: context)
    ledger.expect(isWhole, "C4", "\(name) skips something on the way down")
    // A gap that was filled on the way up may have pushed out what stood below it, and what a server took twice may have
    // moved from one of its places to the other.
    // One that was uncertain may have turned up below.
    let seen = Set(up.messages.map(\.id)).count
    ledger.expect(
      seen <= down.messages.count || server.idempotency != .forever, "C4",
      "\(name) sees \(seen) messages on the way up, \(down.messages.count) on the way down")
    state.withLock { $0.histories[context.conversation] = down }
  }

  /// - Returns: also whether every window on the way down went on from the one before.
  private func readBothWays(in context: ChatContext) async throws
    -> (up: ReadHistory, down: ReadHistory, isWhole: Bool)
  {
    try await context.jumpToNewest()
    var up = ReadHistory(), down = ReadHistory()
    // Every page holds something, so that this ends.
    for _ in 0..<1000 {
      for _ in 0..<1000 {
        guard let gap = context.messages.compactMap(\.gap).last(where: { $0.state != .unavailable }) else {
          break
        }
        try await context.fill(gap)
      }
      if !up.add(context.messages, before: true) { up = ReadHistory() }
      guard context.hasMorePreviousMessages else { break }
      try await context.fetchMorePreviousMessages()
    }
    var isWhole = true
    for _ in 0..<1000 {
      if !down.add(context.messages, before: false) { isWhole = false }
      guard context.hasMoreNextMessages else { break }
      try await context.fetchMoreNextMessages()
    }
    return (up, down, isWhole)
  }

  /// Reads a chat from its oldest message that is here down to the newest, which fills gaps from their older side.
  private func readFromOldest(in context: ChatContext) async throws {
    guard let oldest = oldest(in: context.conversation) else { return }
    try await context.jump(to: oldest)
    for _ in 0..<1000 {
      guard context.hasMoreNextMessages else { return }
      try await context.fetchMoreNextMessages()
    }
  }

  func history(of conversation: ConversationID) -> ReadHistory? {
    state.withLock { $0.histories[conversation] }
  }
}
