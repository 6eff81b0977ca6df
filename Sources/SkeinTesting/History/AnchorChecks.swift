import SkeinModel

extension BackendCheck {
  /// Pages at the anchors that a backend may support.
  static let anchors: [BackendCheck] = [
    BackendCheck(
      .history, "Paging forward returns every message once, without gaps, up to the end",
      needs: [.pagesForward], pagingForward),
    BackendCheck(
      .history, "The page around a message contains the message, and has no gap",
      needs: [.pagesAroundMessage], aroundMessage),
    BackendCheck(
      .history, "The page around a message that the conversation does not have is refused permanently",
      needs: [.pagesAroundMessage], aroundUnknown),
    BackendCheck(
      .history, "The page at a given time contains the first message at or after that time",
      needs: [.pagesAtTime], atTime),
    BackendCheck(
      .history, "An anchor that is not in the backend's capabilities is refused as unsupported",
      unstatedAnchors),
    BackendCheck(
      .history, "A cancelled request of a page ends promptly", needs: [.losing], cancelledPage),
  ]

  private static func pagingForward(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(11, in: chat)
    let stored = try await bob.history(of: chat)
    for limit in [1, 2, 5, 50] {
      var page = try await oldestPage(of: chat, on: bob)
      var found = page.messages
      while !page.reachesEnd {
        page = try await bob.page(of: chat, at: try bob.anchor(after: page), limit: limit)
        try expect(
          page.messages.count <= limit, "A page of \(limit) contains \(page.messages.count) messages.")
        try expect(page.reachesEnd || !page.messages.isEmpty, "A page is empty and does not reach the end.")
        found += page.messages
        try expect(found.count <= 11, "Paging forward returned more messages than there are.")
      }
      try expect(
        bob.ordered(found.texts), is: bob.ordered(stored.texts), "The messages of pages of \(limit) messages")
    }
    guard let last = stored.last?.position else { return }
    let page = try await bob.page(of: chat, at: .after(last))
    try expect(page.messages.texts, is: [], "The page after the last message")
    try expect(page.reachesEnd, "The page after the last message does not reach the end.")
  }

  /// Returns the oldest page that is not empty. The page has at most two messages.
  private static func oldestPage(of chat: ConversationRef, on device: Device) async throws -> HistoryPage {
    var page = try await device.page(of: chat, limit: 2)
    for _ in 0..<11 where !page.reachesStart {
      let older = try await device.page(of: chat, at: try device.anchor(before: page), limit: 2)
      if older.messages.isEmpty { return page }
      page = older
    }
    return page
  }

  private static func aroundMessage(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(9, in: chat)
    let stored = try await bob.history(of: chat)
    for index in [0, 4, 8] {
      guard let id = stored[index].serverID else { throw CheckEnd.failed("A message has no server id.") }
      let page = try await bob.page(of: chat, at: .message(id), limit: 3)
      _ = try part(page, of: stored, limit: 3, with: index, "The page around a message")
    }
  }

  private static func aroundUnknown(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let carol = try await stage.device()
    let other = try await alice.open(.direct(carol.user)).ref
    try await alice.send(1, in: chat)
    try await alice.send(1, in: other)
    guard let foreign = try await carol.history(of: other).first?.serverID else {
      throw CheckEnd.failed("A message has no server id.")
    }
    let error = try await stage.error(of: "The page around a message of another conversation") {
      _ = try await bob.page(of: chat, at: .message(foreign))
    }
    try expect(error.code, is: .permanent, "The code of the refusal")
  }

  private static func atTime(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(9, in: chat)
    let stored = try await bob.history(of: chat)
    let times = stored.map(\.time)
    guard let earliest = times.min(), let latest = times.max() else { return }
    for time in [earliest + .seconds(-1), times[4], latest] {
      guard let index = times.firstIndex(where: { $0 >= time }) else { continue }
      let page = try await bob.page(of: chat, at: .time(time), limit: 3)
      _ = try part(page, of: stored, limit: 3, with: index, "The page at a time")
    }
    let later = try await bob.page(of: chat, at: .time(latest + .seconds(1)), limit: 3)
    let end = try part(later, of: stored, limit: 3, with: 8, "The page at a time after all messages")
    try expect(end.count, is: 3, "The number of messages in the page at a time after all messages")
  }

  /// Returns the range of a page's messages in `stored`. The check fails if the page has gaps, has more than
  /// `limit` messages, lacks the message at `index`, or wrongly states that it reaches the start or the end.
  private static func part(
    _ page: HistoryPage, of stored: [IncomingMessage], limit: Int, with index: Int, _ name: String
  ) throws -> Range<Int> {
    let start = stored.firstIndex { $0.payload == page.messages.first?.payload } ?? 0
    let range = start..<min(start + page.messages.count, stored.count)
    try expect(page.messages.texts, is: stored[range].map { $0 }.texts, name)
    try expect(page.messages.count <= limit, "\(name) contains more messages than requested.")
    try expect(range.contains(index), "\(name) does not contain the message at its anchor.")
    try expect(
      !page.reachesStart || range.lowerBound == 0,
      "\(name) states that it reaches the start, but does not contain the first message.")
    try expect(
      !page.reachesEnd || range.upperBound == stored.count,
      "\(name) states that it reaches the end, but does not contain the last message.")
    return range
  }

  private static func unstatedAnchors(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(2, in: chat)
    guard let message = try await bob.history(of: chat).first else { return }
    let anchors: [(BackendCapabilities.HistoryAnchors, HistoryAnchor)] = [
      (.after, .after(message.position ?? Position(rawValue: 1))),
      (.message, .message(message.serverID ?? ServerMessageID(rawValue: "1"))),
      (.time, .time(message.time)),
    ]
    for (ability, anchor) in anchors where !bob.backend.capabilities.history.contains(ability) {
      let error = try await stage.error(of: "A page at an anchor that is not stated") {
        _ = try await bob.page(of: chat, at: anchor)
      }
      try expect(error.code, is: .unsupported, "The code of the refusal")
    }
  }

  private static func cancelledPage(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(1, in: chat)
    try await stage.loseNextAnswer(to: bob.user, by: .silence)
    let page = Task(executorPreference: WorkQueue()) { _ = try? await bob.page(of: chat) }
    // These calls give the request time to reach the server. The check also works if the request arrives
    // later.
    for _ in 0..<3 { _ = try await alice.page(of: chat) }
    try await stage.cancel(page, "A page whose answer was lost")
  }
}
