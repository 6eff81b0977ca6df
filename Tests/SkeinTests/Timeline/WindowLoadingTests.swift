import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Jumps and paging in the window")
struct WindowLoadingTests {
  static let small: ChatOptions = {
    var options = ChatOptions()
    options.pageSize = 10
    options.windowSize = 30
    options.catchUpPageSize = 10
    return options
  }()

  /// Starts Bob's client, and opens his chat with this many messages from Alice.
  private static func chat(
    _ count: Int, options: ChatOptions = small, altering alter: (inout AlteredBackend) -> Void = { _ in }
  ) async throws -> (bob: ChatClient, context: ChatContext) {
    try LoadingTests.fill(stage, 1...count)
    let bob = try await stage.client("bob", on: "bob", options: options, altering: alter)
    bob.start()
    let chat = try await bob.conversations.first { $0.lastMessage != nil }.id
    let context = bob.context(for: chat)
    try await context.open()
    return (bob, context)
  }

  private static func texts(_ range: ClosedRange<Int>) -> [String] { range.map(String.init) }

  @Test("Paging up and down shows each message once and never exceeds the window's size", .simulated)
  func upAndDown() async throws {
    let (bob, context) = try await Self.chat(95)
    #expect(context.messages.texts == Self.texts(86...95))
    #expect(!context.hasMoreNextMessages)
    var last = 0
    while context.hasMorePreviousMessages {
      try await context.fetchMorePreviousMessages()
      last += 1
      try #require(last < 20, "\(context.messages.texts)")
      try #require(context.messages.count <= 30, "\(context.messages.texts)")
    }
    #expect(context.messages.texts == Self.texts(1...30))
    var seen = Self.texts(1...30)
    while context.hasMoreNextMessages {
      try await context.fetchMoreNextMessages()
      let shown = context.messages.texts
      let new = shown.drop { Int($0) ?? 0 <= seen.count }
      seen += new
      try #require(!new.isEmpty, "\(shown)")
      try #require(seen == Self.texts(1...seen.count), "\(shown)")
      try #require(shown == Array(seen.suffix(shown.count)))
      try #require(shown.count <= 30)
    }
    #expect(seen.count == 95)
    await bob.close()
  }

  @Test(
    "Messages that arrive while older ones are shown stay outside the window until a jump to the newest message",
    .simulated)
  func elsewhere() async throws {
    let (bob, context) = try await Self.chat(60)
    try await context.fetchPreviousMessages(backTo: Timestamp(milliseconds: 0))
    #expect(context.messages.texts == Self.texts(1...30))
    try LoadingTests.fill(stage, 61...62)
    try await bob.conversations.list { $0.first?.lastMessage?.content.displayedText == "62" }
    #expect(context.messages.texts == Self.texts(1...30))
    try await context.jumpToNewest()
    #expect(context.messages.texts == Self.texts(53...62))
    #expect(!context.hasMoreNextMessages)
    #expect(context.hasMorePreviousMessages)
    try LoadingTests.fill(stage, 63...63)
    try await context.list { $0.texts == Self.texts(53...63) }
    await bob.close()
  }

  @Test(
    "An own message is sent wherever the window is, and is shown after a jump to the newest message",
    .simulated)
  func ownMessage() async throws {
    let (bob, context) = try await Self.chat(60)
    try await context.fetchPreviousMessages(backTo: Timestamp(milliseconds: 0))
    _ = try await context.messenger.send(TextContent("own")).result
    #expect(context.messages.texts == Self.texts(1...30))
    try await context.jumpToNewest()
    #expect(context.messages.texts.last == "own")
    await bob.close()
  }

  @Test("Waiting messages stay in the list when they are sent, and later messages follow them", .simulated)
  func longQueue() async throws {
    var options = Self.small
    options.catchUpPageSize = 100
    let (bob, context) = try await Self.chat(60, options: options)
    try await context.fetchPreviousMessages(backTo: Timestamp(milliseconds: 0))
    stage.server.setReachable(false)
    for number in 1...25 { _ = try await context.messenger.send(TextContent("own \(number)")) }
    try await context.jumpToNewest()
    let own = (16...25).map { "own \($0)" }
    #expect(context.messages.texts == own)
    stage.server.setReachable(true)
    try await context.list { $0.allSatisfy { $0.message?.status == .sent } }
    #expect(context.messages.texts == own)
    try LoadingTests.fill(stage, 61...61)
    try await context.list { $0.texts == own + ["61"] }
    try await context.fetchMorePreviousMessages()
    let shown = context.messages.texts
    #expect(shown.suffix(13) == ["own 14", "own 15"] + own + ["61"])
    await bob.close()
  }

  @Test("A jump to a stored message moves the window there without a network", .simulated)
  func toStored() async throws {
    var options = Self.small
    options.catchUpPageSize = 100
    let (bob, context) = try await Self.chat(100, options: options)
    var target: ChatMessage?
    for _ in 1...4 { try await context.fetchMorePreviousMessages() }
    target = context.messages.compactMap(\.message).first { $0.content.displayedText == "60" }
    try await context.jumpToNewest()
    stage.server.setReachable(false)
    try await context.jump(to: try #require(target).id)
    #expect(context.messages.texts.contains("60"))
    #expect(context.messages.count == 10, "\(context.messages.texts)")
    #expect(context.hasMoreNextMessages)
    #expect(context.hasMorePreviousMessages)
    try await context.fetchMoreNextMessages()
    try await context.fetchMorePreviousMessages()
    #expect(context.messages.texts == Self.texts(45...74))
    await #expect(throws: ChatError.self) { try await context.jump(to: LocalMessageID(rawValue: 99_999)) }
    await bob.close()
  }

  @Test(
    "A jump to a missing message fetches the messages around it, and paging fills the gaps on both sides",
    .simulated)
  func toUnknown() async throws {
    let (bob, context) = try await Self.chat(100)
    let ref = try #require(stage.server.rooms().first)
    let target = try #require(stage.server.messages(in: ref)[49].serverID)
    try await context.jump(to: target)
    #expect(context.messages.texts == Self.texts(45...54))
    #expect(context.hasMoreNextMessages)
    #expect(context.hasMorePreviousMessages)
    try await context.fetchMoreNextMessages()
    #expect(context.messages.texts == Self.texts(45...64))
    try await context.fetchMorePreviousMessages()
    #expect(context.messages.texts == Self.texts(35...64))
    while context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
    #expect(context.messages.texts == Self.texts(71...100))
    await #expect(throws: BackendError.self) {
      try await context.jump(to: ServerMessageID(rawValue: "nobody"))
    }
    #expect(context.messages.texts == Self.texts(71...100))
    await bob.close()
  }

  @Test(
    "A jump to a moment before the stored messages asks the server, or loads pages if the server can't be asked",
    .simulated(seeds: 1...3), arguments: [BackendCapabilities.HistoryAnchors.all, []])
  func toMoment(history: BackendCapabilities.HistoryAnchors) async throws {
    let asked = Mutex<[HistoryAnchor]>([])
    let (bob, context) = try await Self.chat(100) { backend in
      backend.inner.abilities.history = history
      backend.onHistory = { anchor in asked.withLock { $0.append(anchor) } }
    }
    let ref = try #require(stage.server.rooms().first)
    let time = stage.server.messages(in: ref)[29].time
    try await context.jump(to: time)
    #expect(context.messages.texts.contains("30"))
    #expect(context.messages.count == 10)
    try await context.jump(to: Timestamp(milliseconds: 1_000_000_000))
    #expect(context.messages.texts.last == "100")
    let before = asked.withLock { $0.count }
    try await context.jump(to: time)
    #expect(asked.withLock { $0.count } == before)
    try await context.jump(to: Timestamp(milliseconds: 0))
    #expect(context.messages.texts.first == "1")
    while context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
    #expect(context.messages.texts == Self.texts(71...100))
    await bob.close()
    let hasAsked = asked.withLock { $0.contains { if case .time = $0 { true } else { false } } }
    #expect(hasAsked == (history == .all))
  }

  @Test("Paging back to a moment shows the messages from that moment to the newest", .simulated)
  func backTo() async throws {
    let (bob, context) = try await Self.chat(100, options: ChatOptions())
    let ref = try #require(stage.server.rooms().first)
    try await context.fetchPreviousMessages(backTo: stage.server.messages(in: ref)[39].time)
    let texts = context.messages.texts
    #expect(texts.contains("40"))
    #expect(texts.contains("100"))
    await bob.close()
  }

  @Test("The later of two jumps wins, whichever answer arrives first", .simulated(seeds: 1...10))
  func twoJumps() async throws {
    let (bob, context) = try await Self.chat(100)
    let ref = try #require(stage.server.rooms().first)
    let messages = stage.server.messages(in: ref)
    let first = stage.runtime(named: "reader").spawn { try await context.jump(to: messages[19].time) }
    // Time passes only when no task can run, so the first jump has asked the server. The answer takes longer.
    try await stage.runtime(named: "clock").sleep(for: .microseconds(1))
    try await context.jump(to: messages[69].time)
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(context.messages.texts.contains("70"))
    await bob.close()
  }

  @Test(
    "A jump replaces a page that is loading, and messages that arrive meanwhile are kept",
    .simulated(seeds: 1...20))
  func jumpDuringPage() async throws {
    let (bob, context) = try await Self.chat(100)
    let ref = try #require(stage.server.rooms().first)
    let page = stage.runtime(named: "reader").spawn { try await context.fetchMorePreviousMessages() }
    try LoadingTests.fill(stage, 101...103)
    try await context.jump(to: stage.server.messages(in: ref)[19].time)
    try await page.value
    try await context.jumpToNewest()
    try await context.list { $0.texts.last == "103" }
    #expect(context.messages.texts == context.messages.texts.sorted { Int($0)! < Int($1)! })
    let numbers = context.messages.texts.compactMap { Int($0) }
    #expect(numbers == Array((numbers.first ?? 0)...103))
    await bob.close()
  }

  @Test(
    "A chat that is cleared while older messages are shown becomes empty, and then shows new messages",
    .simulated)
  func clearing() async throws {
    let (bob, context) = try await Self.chat(100)
    try await context.fetchPreviousMessages(backTo: Timestamp(milliseconds: 0))
    try await context.clearAllMessages()
    try await context.list { $0.isEmpty }
    try LoadingTests.fill(stage, 101...101)
    try await context.list { $0.texts == ["101"] }
    #expect(!context.hasMoreNextMessages)
    #expect(!context.hasMorePreviousMessages)
    await bob.close()
  }

  @Test("Fetching new messages returns messages that were never announced by a push", .simulated)
  func newMessages() async throws {
    let (bob, context) = try await Self.chat(20)
    await bob.stop()
    try LoadingTests.fill(stage, 21...25)
    try await context.fetchNewMessages()
    #expect(context.messages.texts == Self.texts(11...25))
    await bob.close()
  }

  @Test(
    "A message that failed before any message was synced gets the rank of the first synced message",
    .simulated(seeds: 1...2))
  func failedFirst() async throws {
    let store = try await OddServerTests.store(stage)
    func take(_ positions: [Int64], count: Int, from: String?, to: String) async throws {
      let delta = ConversationDelta(
        info: ClearingTests.info, count: count, messages: positions.map { .number($0) })
      let batch = SyncBatch(
        from: from.map { SyncCursor(rawValue: $0) }, next: SyncCursor(rawValue: to), conversations: [delta])
      _ = try await store.write(.kill) { try Intake($0).apply(batch) }
    }
    try await take([], count: 0, from: nil, to: "1")
    let row = try await store.read { try $0.first(ConversationRow.self, "ORDER BY id") }
    let chat = try #require(row?.id)
    for name in ["one", "two"] {
      let draft = EncodedMessage(
        messageID: MessageID(rawValue: name), kind: "text", payload: Data("{}".utf8),
        needsPreparation: false, rejection: SendFailure(.rejected, "No."))
      _ = try await store.write(.kill) { try Composing($0).compose(draft, in: chat) }
    }
    try await take([91, 92], count: 92, from: "1", to: "2")
    let local = LocalMessageLoader(conversation: chat, store: store)
    let page = try await local.loadMessages(from: .highest, .older, limit: 10, passing: [])
    #expect(page.rows.map(\.rank.rawValue) == [91, 91, 91, 92], "\(page.rows.map(\.rank))")
    #expect(page.rows.map(\.status) == [.failed, .failed, .sent, .sent])
    await store.database.close()
  }

  @Test(
    "A jump to the newest message replaces an earlier jump, also if the newest is shown already",
    .simulated(seeds: 1...10))
  func jumpToTheShownEnd() async throws {
    let (bob, context) = try await Self.chat(100)
    let ref = try #require(stage.server.rooms().first)
    let time = stage.server.messages(in: ref)[19].time
    let first = stage.runtime(named: "reader").spawn { try await context.jump(to: time) }
    // Time passes only when no task can run, so the first jump has asked the server. The answer takes longer.
    try await stage.runtime(named: "clock").sleep(for: .microseconds(1))
    try await context.jumpToNewest()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(!context.hasMoreNextMessages)
    #expect(context.messages.texts.last == "100")
    await bob.close()
  }

  @Test("After a jump, a page does not wait for the page of the former place", .simulated(seeds: 1...4))
  func pageAfterJump() async throws {
    var (bob, context) = try await Self.chat(60)
    while context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    let stored = try #require(context.messages.compactMap(\.message).last)
    await bob.close()
    // After a restart, the page before the newest messages is missing, and the server does not return it.
    try LoadingTests.fill(stage, 61...100)
    bob = try await stage.client("bob", on: "bob", options: Self.small) { backend in
      backend.onHistory = { [runtime = backend.inner.runtime] _ in
        try await runtime.sleep(for: .seconds(3600))
      }
    }
    bob.start()
    let chat = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "100" }.id
    context = bob.context(for: chat)
    try await context.list { $0.texts == Self.texts(91...100) }
    let clock = stage.runtime(named: "clock")
    let first = stage.runtime(named: "reader").spawn { [context] in
      try await context.fetchMorePreviousMessages()
    }
    try await clock.sleep(for: .seconds(1))
    try await context.jump(to: stored.id)
    let before = clock.uptime()
    try await context.fetchMorePreviousMessages()
    #expect(clock.uptime() - before < .seconds(60))
    try await first.value
    await bob.close()
  }

  @Test("A window full of waiting messages can be moved up to the sent ones", .simulated)
  func upFromWaiting() async throws {
    var options = Self.small
    (options.pageSize, options.windowSize) = (4, 8)
    let (bob, context) = try await Self.chat(6, options: options) { backend in
      backend.onSend = { [runtime = backend.inner.runtime] _ in
        try await runtime.sleep(for: .seconds(36000))
        throw BackendError(.transient, "No.")
      }
    }
    for number in 1...10 { try await context.messenger.send(TextContent("mine \(number)")) }
    try await context.list { $0.texts.last == "mine 10" }
    #expect(context.messages.texts == (3...10).map { "mine \($0)" })
    try await context.fetchPreviousMessages(backTo: Timestamp(milliseconds: 0))
    #expect(context.messages.texts == (1...6).map(String.init) + ["mine 1", "mine 2"])
    await bob.close()
  }

  @Test("A full window with waiting messages keeps them when another user's message arrives", .simulated)
  func waitingInAFullWindow() async throws {
    var options = Self.small
    (options.pageSize, options.windowSize) = (5, 10)
    let isHeld = Mutex(true)
    let (bob, context) = try await Self.chat(4, options: options) { backend in
      backend.onSend = { [inner = backend.inner] message in
        while isHeld.withLock({ $0 }) { try await inner.runtime.sleep(for: .seconds(1)) }
        return try await inner.send(message)
      }
    }
    for number in 1...6 { try await context.messenger.send(TextContent("mine \(number)")) }
    try await context.list { $0.count == 10 }
    try LoadingTests.fill(stage, 5...5)
    let list = try await context.list { $0.texts.contains("5") }
    #expect(list.texts == ["2", "3", "4", "5"] + (1...6).map { "mine \($0)" })
    #expect(!context.hasMoreNextMessages)
    isHeld.withLock { $0 = false }
    try await context.list { $0.count(.queued) + $0.count(.sending) == 0 }
    await bob.close()
  }
}
