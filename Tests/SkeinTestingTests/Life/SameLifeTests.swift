import Foundation
import Skein
import SkeinTesting
import Testing

@Suite("The same scenario on every style of server", .timeLimit(.minutes(3)))
struct SameLifeTests {
  static let styles = [ServerStyle.dense, .sparse, .tokens, .archive, .cutArchive]

  func numbers(_ range: ClosedRange<Int>) -> [String] { range.map(String.init) }

  /// Bob has the messages 1 to 4, was away, and is back; the server has 70.
  func withAbsence(
    _ style: ServerStyle, fault: Fault? = nil,
    _ body: (Household, ChatClient, ChatContext) async throws -> Void
  ) async throws {
    try await Household.with(style) { household in
      try await household.say(1...4)
      let client = try await household.client(of: household.bob, fault: fault)
      client.start()
      let context = client.context(for: try await client.open(.direct(household.alice)))
      try await context.texts { $0 == self.numbers(1...4) }
      await client.stop()
      try await household.say(5...70)
      client.start()
      try await context.texts { $0.last == "70" }
      try await body(household, client, context)
      await client.close()
    }
  }

  @Test(
    "Messages that a sync omits leave a gap; after the gap is filled, each message is listed and counted once",
    arguments: styles)
  func gap(_ style: ServerStyle) async throws {
    try await withAbsence(style) { household, client, context in
      let missed = style.cutsTimelines ? ["…"] + self.numbers(66...70) : self.numbers(5...70)
      #expect(context.texts == self.numbers(1...4) + missed)
      let isKnown = style.statesUnread || !style.cutsTimelines
      let unread = isKnown ? 70 : 9
      let conversation = try await client.conversations.only { $0.unreadCount == unread }
      #expect(conversation.unreadIsAtLeast == !isKnown)

      try await context.fillGaps()
      let texts = context.texts
      #expect(household.isWhole(texts, 70), "\(texts)")
      let filled = try await client.conversations.only { $0.unreadCount == 70 }
      #expect(!filled.unreadIsAtLeast)
      try await context.markRead()
      try await client.conversations.only { $0.unreadCount == 0 && !$0.unreadIsAtLeast }
    }
  }

  @Test(
    "Paging back through a gap reaches the first message, and the loaded messages are stored",
    arguments: styles)
  func pagingUp(_ style: ServerStyle) async throws {
    try await withAbsence(style) { household, client, _ in
      await client.close()
      let later = try await household.client(of: household.bob)
      later.start()
      let context = later.context(for: try await later.open(.direct(household.alice)))
      try await context.texts { $0.last == "70" }
      let first = context.texts
      #expect(first.count <= 7 && !first.contains("…"), "\(first)")
      try await context.pageBack()
      let texts = context.texts
      #expect(household.isWhole(texts, 70), "\(texts)")
      await later.close()

      try await household.server.stop()
      let offline = try await household.client(of: household.bob)
      let stored = offline.context(for: try await offline.open(.direct(household.alice)))
      try await stored.open()
      try await stored.pageBack()
      #expect(stored.texts == texts)
      let conversation = try #require(offline.conversations.conversations.first)
      #expect(conversation.unreadCount == 70 && !conversation.unreadIsAtLeast)
      await offline.close()
    }
  }

  @Test(
    "What a user has read is read on another device of the user, and the sender is told", arguments: styles)
  func readMarks(_ style: ServerStyle) async throws {
    try await Household.with(style) { household in
      try await household.say(1...20)
      let bob = try await household.client(of: household.bob)
      bob.start()
      let context = bob.context(for: try await bob.open(.direct(household.alice)))
      try await context.texts { $0.last == "20" }
      try await context.markRead()

      let tablet = try await household.client(of: household.bob, on: "tablet")
      tablet.start()
      // Servers that swap neighbours may name the last message but one.
      try await tablet.conversations.only { $0.lastMessage != nil && $0.unreadCount <= 1 }
      let alice = try await household.client(of: household.alice)
      alice.start()
      let own = alice.context(for: try await alice.open(.direct(household.bob)))
      try await own.texts { $0.last == "20" }
      try await own.pageBack()
      for await receipts in own.receiptUpdates {
        if own.messages.compactMap(\.message).dropLast().allSatisfy({ receipts.stage(of: $0) == .read }) {
          break
        }
      }
      for client in [bob, tablet, alice] { await client.close() }
    }
  }

  @Test("The unread count of a server without read marks does not override the local read mark")
  func unreadWithoutMarks() async throws {
    var style = ServerStyle.tokens
    style.statesUnread = true
    (style.abilities.readMarks, style.abilities.receipts) = (false, [])
    try await Household.with(style) { household in
      try await household.say(1...4)
      let client = try await household.client(of: household.bob)
      client.start()
      let context = client.context(for: try await client.open(.direct(household.alice)))
      try await context.texts { $0 == self.numbers(1...4) }
      try await context.markRead()
      await client.stop()
      try await household.say(5...70)
      client.start()
      let conversation = try await client.conversations.only { $0.lastMessage?.content.displayedText == "70" }
      #expect(conversation.unreadCount == 66 && !conversation.unreadIsAtLeast)
      await client.close()
    }
  }

  @Test("A new device that pages back to the first message counts all messages as unread", arguments: styles)
  func newDevice(_ style: ServerStyle) async throws {
    try await Household.with(style) { household in
      try await household.say(1...40)
      let client = try await household.client(of: household.bob)
      client.start()
      try await client.conversations.only { $0.lastMessage?.content.displayedText == "40" }
      let context = client.context(for: try await client.open(.direct(household.alice)))
      try await context.open()
      try await context.pageBack()
      let texts = context.texts
      #expect(household.isWhole(texts, 40), "\(texts)")
      try await client.conversations.only { $0.unreadCount == 40 && !$0.unreadIsAtLeast }
      await client.close()
    }
  }

  @Test("After a jump into a gap, paging in both directions closes the gaps on both sides", arguments: styles)
  func jump(_ style: ServerStyle) async throws {
    try await withAbsence(style) { household, client, context in
      try await context.jump(to: Timestamp(milliseconds: 35))
      let around = context.texts
      #expect(around.contains("35"), "\(around)")
      if style.cutsTimelines, style.abilities.history.contains(.time) {
        #expect(around.count <= 7 && context.hasMoreNextMessages, "\(around)")
      }
      try await context.pageOn()
      try await context.pageBack()
      let texts = context.texts
      #expect(household.isWhole(texts, 70), "\(texts)")
      try await client.conversations.only { $0.unreadCount == 70 && !$0.unreadIsAtLeast }
    }
  }

  @Test("Paging and filling gaps join the parts of a chat that several jumps have loaded", arguments: styles)
  func jumps(_ style: ServerStyle) async throws {
    try await withAbsence(style) { household, client, context in
      for moment in [50, 20, 60, 35, 10, 51, 66] {
        try await context.jump(to: Timestamp(milliseconds: Int64(moment)))
        let around = context.texts
        #expect(around.contains("\(moment)"), "\(around)")
        if moment.isMultiple(of: 20) { try await context.fetchMoreNextMessages() }
        if moment.isMultiple(of: 10) { try await context.fetchMorePreviousMessages() }
      }
      try await context.fetchNewMessages()
      try await household.say(71...72)
      try await context.pageBack()
      try await context.pageOn()
      try await context.texts { $0.last == "72" }
      try await context.fillGaps()
      let texts = context.texts
      #expect(household.isWhole(texts, 72), "\(texts)")
      try await client.conversations.only { $0.unreadCount == 72 && !$0.unreadIsAtLeast }
    }
  }

  @Test(
    "Cleared messages do not return when later messages arrive, gaps are filled and older pages are fetched",
    arguments: styles)
  func clearing(_ style: ServerStyle) async throws {
    var style = style
    // If neighbors may swap, it is unknown whether a message belongs to the cleared messages.
    if style.pages == .shuffled { style.pages = .arrival }
    try await withAbsence(style) { household, client, context in
      try await context.clearAllMessages()
      await client.stop()
      try await household.say(71...90)
      client.start()
      try await context.texts { $0.last == "90" }
      try await context.fillGaps()
      try await context.pageBack()
      #expect(context.texts == self.numbers(71...90))
      try await client.conversations.only { $0.unreadCount == 20 && !$0.unreadIsAtLeast }
    }
  }
}
