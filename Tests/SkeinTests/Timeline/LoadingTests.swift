import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("Loading messages")
struct LoadingTests {
  /// Posts the numbers of a range as messages from Alice in her chat with Bob.
  @Sendable static func fill(_ stage: SimulatedStage, _ range: ClosedRange<Int>) throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    for number in range { try stage.server.post("\(number)", from: "alice", in: ref) }
  }

  static func texts(_ range: ClosedRange<Int>) -> [String] { range.map(String.init) }

  @Test(
    "All messages that arrive during an absence are counted, and paging back returns each once, in order",
    .simulated
  )
  func absence() async throws {
    try Self.fill(stage, 1...300)
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    let conversation = try await bob.conversations.first { $0.lastMessage != nil }
    #expect(conversation.unreadCount == 300)
    let context = bob.context(for: conversation.id)
    var pages = 0
    try await context.open()
    while context.hasMorePreviousMessages {
      try await context.fetchMorePreviousMessages()
      pages += 1
      try #require(pages < 20)
    }
    #expect(context.messages.texts == Self.texts(1...300))
    let unread = bob.conversations.conversations.first?.unreadCount
    #expect(unread == 300)
    try await context.markRead()
    try await bob.conversations.list { $0.first?.unreadCount == 0 }
    await bob.close()
  }

  @Test(
    "Stored messages are shown without a network, page by page; other pages fail until the server is back",
    .simulated(seeds: 1...3))
  func offline() async throws {
    try Self.fill(stage, 1...120)
    var options = ChatOptions()
    options.catchUpPageSize = 80
    var bob = try await stage.client("bob", on: "bob", options: options)
    bob.start()
    let chat = try await bob.conversations.first { $0.lastMessage != nil }.id
    await bob.close()

    stage.server.setReachable(false)
    bob = try await stage.client("bob", on: "bob", options: options)
    let context = bob.context(for: chat)
    try await context.open()
    #expect(context.messages.texts == Self.texts(71...120))
    try await context.fetchMorePreviousMessages()
    #expect(context.messages.texts == Self.texts(41...120))
    #expect(context.hasMorePreviousMessages)
    await #expect(throws: BackendError.self) { try await context.fetchMorePreviousMessages() }
    stage.server.setReachable(true)
    try await context.fetchMorePreviousMessages()
    #expect(context.messages.texts == Self.texts(1...120))
    #expect(!context.hasMorePreviousMessages)
    await bob.close()
  }

  @Test(
    "An own message that is older than a gap appears in the list only with the page that reaches it",
    .simulated)
  func ownMessageBelow() async throws {
    try Self.fill(stage, 1...3)
    var bob = try await stage.client("bob", on: "bob") { backend in
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
    }
    bob.start()
    let chat = try await bob.open(.direct("alice"))
    _ = try await bob.send(TextContent("own"), to: chat).result
    await bob.close()

    try Self.fill(stage, 5...8)
    var options = ChatOptions()
    options.catchUpPageSize = 2
    bob = try await stage.client("bob", on: "bob", options: options)
    bob.start()
    _ = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "8" }
    let context = bob.context(for: chat)
    try await context.open()
    #expect(context.messages.texts == ["7", "8"])
    stage.runtime(named: "reader").spawn { try await context.fetchMorePreviousMessages() }
    let reached = try await context.list { $0.texts.contains("3") }
    #expect(reached.texts == ["1", "2", "3", "own", "5", "6", "7", "8"])
    await bob.close()
  }

  @Test("A gap left by a catch-up is shown in an open list, and disappears when it is filled", .simulated)
  func gap() async throws {
    try Self.fill(stage, 1...10)
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    let chat = try await bob.conversations.first { $0.lastMessage != nil }.id
    let context = bob.context(for: chat)
    try await context.list { $0.count == 10 }
    await bob.stop()
    try Self.fill(stage, 11...150)
    bob.start()
    var list = try await context.list { $0.count == 61 }
    #expect(list.texts == Self.texts(1...10) + ["…"] + Self.texts(101...150))
    while case .gap(let gap)? = context.messages.first(where: { $0.message == nil }) {
      let before = context.messages.count
      try await context.fill(gap)
      try #require(context.messages.count > before)
    }
    list = try await context.list { $0.count == 150 }
    #expect(list.texts == Self.texts(1...150))
    await bob.close()
  }

  @Test("Neither sync nor paging restores the messages of a cleared chat", .simulated)
  func clearing() async throws {
    try Self.fill(stage, 1...30)
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    let chat = try await bob.conversations.first { $0.lastMessage != nil }.id
    let context = bob.context(for: chat)
    try await context.list { $0.count == 30 }
    try await context.clearAllMessages()
    try await context.list { $0.isEmpty }
    try await bob.conversations.list { $0.first?.unreadCount == 0 }
    try await context.fetchMorePreviousMessages()
    #expect(context.messages.isEmpty, "\(context.messages.texts)")
    #expect(!context.hasMorePreviousMessages, "\(context.messages.texts)")
    try Self.fill(stage, 31...32)
    let list = try await context.list { $0.count == 2 }
    #expect(list.texts == ["31", "32"])
    await bob.close()
  }

  @Test("A new empty chat has no previous messages", .simulated(seeds: 1...3))
  func emptyChat() async throws {
    let alice = try await stage.client("alice", on: "alice")
    alice.start()
    for await state in alice.catchUpStates where state == .caughtUp { break }
    let chat = try await alice.open(.direct("bob"))
    try await alice.conversations.list { $0.first?.ref != nil }
    let context = alice.context(for: chat)
    try await context.fetchMorePreviousMessages()
    #expect(!context.hasMorePreviousMessages)
    try await alice.send(TextContent("first"), to: chat)
    try await context.list { $0.count(.sent) == 1 && $0.count == 1 }
    await alice.close()
  }
}
