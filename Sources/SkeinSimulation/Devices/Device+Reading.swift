import Skein
import Synchronization

/// The content of a chat, as seen when a device pages through the whole chat.
struct ReadHistory: Sendable {
  var messages: [ChatMessage] = []
  /// Whether the chat has a gap that the server may still fill.
  var hasGap = false
  /// Whether the chat has a gap that the server can no longer fill.
  var hasLoss = false

  /// Adds the messages of a window before or after the messages seen so far. If the window does not overlap
  /// with the messages seen so far, adds no message and returns false.
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
  /// Loads the whole history of a chat: pages from its newest message up to the first, and down again.
  ///
  /// Messages that leave the window on the way up are shown again on the way down.
  func readEverything(in context: ChatContext) async throws {
    if abilities.history.contains(.after) { try await readFromOldest(in: context) }
    // The first pass gives messages of earlier epochs their positions in the current epoch.
    if hasMessagesOfEarlierEpochs(in: context.conversation) { _ = try await readBothWays(in: context) }
    let (up, down, isWhole) = try await readBothWays(in: context)
    ledger.expect(isWhole, "C4", "\(name) skips a message on the way down")
    // The way down may show more messages, for three reasons. A gap that was filled on the way up may have
    // pushed messages below the gap out of the window. A message that the server stored twice may have moved
    // to its other position. An uncertain message may have been found on the server.
    let seen = Set(up.messages.map(\.id)).count
    ledger.expect(
      seen <= down.messages.count || server.idempotency != .forever, "C4",
      "\(name) sees \(seen) messages on the way up, \(down.messages.count) on the way down")
    state.withLock { $0.histories[context.conversation] = down }
  }

  /// - Returns: The chat as seen in both directions, and whether each window on the way down overlaps the
  ///   previous window.
  private func readBothWays(in context: ChatContext) async throws
    -> (up: ReadHistory, down: ReadHistory, isWhole: Bool)
  {
    try await context.jumpToNewest()
    var up = ReadHistory(), down = ReadHistory()
    // Every page contains messages, so the loops end.
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

  /// Fills gaps from their older side: pages through a chat from its oldest stored message down to the
  /// newest.
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
