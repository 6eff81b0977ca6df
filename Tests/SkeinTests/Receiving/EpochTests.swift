import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("A server that was set back to a backup")
struct EpochTests {
  private static let numbers = (1...10).map(String.init)

  /// Bob has 1 to 10 of Alice's chat; the server is set back to 1 to 6 and takes a to c in the places of 7 to 9.
  private func play(
    seeds: ClosedRange<UInt64> = 1...4, options: ChatOptions = ChatOptions(),
    altering alter: @escaping @Sendable (inout AlteredBackend) -> Void = { _ in },
    before: @escaping @Sendable (SimulatedStage, ChatClient, ChatContext) async throws -> Void = { _, _, _ in
    },
    _ body: @escaping @Sendable (SimulatedStage, ChatClient, ChatContext) async throws -> Void
  ) async -> [String] {
    await SimulatedRun.play(seeds: seeds) { stage in
      let server = stage.server
      let ref = try server.open(.direct("bob"), by: "alice").ref
      for number in 1...6 { try server.post("\(number)", from: "alice", in: ref) }
      let backup = server.backup()
      for number in 7...10 { try server.post("\(number)", from: "alice", in: ref) }
      let bob = try await stage.client("bob", on: "bob", options: options, altering: alter)
      bob.start()
      let chat = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "10" }.id
      let context = bob.context(for: chat)
      try await context.list { $0.texts.last == "10" }
      for _ in 1...5 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
      try expect(context.messages.texts == Self.numbers, "\(context.messages.texts)")
      try await before(stage, bob, context)
      server.restore(backup)
      for text in ["a", "b", "c"] { try server.post(text, from: "alice", in: ref) }
      try await body(stage, bob, context)
      await bob.close()
    }
  }

  private static func clear(_ context: ChatContext) async throws {
    try await context.clearAllMessages()
    try await context.list { $0.isEmpty }
  }

  /// As a reader does who fills every gap that can be filled, and scrolls to the top.
  static func fillAll(_ context: ChatContext) async throws {
    for _ in 1...20 {
      let gap = context.messages.compactMap(\.gap).last { $0.state != .unavailable }
      if let gap {
        try await context.fill(gap)
      } else if context.hasMorePreviousMessages {
        try await context.fetchMorePreviousMessages()
      }
    }
  }

  private static let after = ["7", "8", "9", "10", "…", "1", "2", "3", "4", "5", "6", "a", "b", "c"]

  @Test(
    "What it has lost stays, below what it has and beyond a gap; what it still has is the same row as before")
  func rows() async {
    let failures = await play { stage, bob, context in
      let before = context.messages.compactMap(\.message).prefix(6)
      try await context.list { $0.texts == Self.after }
      let gap = try #require(context.messages.compactMap(\.gap).first)
      try expect(gap.state == .unavailable, "\(gap)")
      let shown = Set(context.messages.compactMap { $0.message?.id })
      try expect(before.allSatisfy { shown.contains($0.id) }, "rows have changed")
      let conversation = try await bob.conversations.first { $0.unreadCount == 9 }
      try expect(conversation.lastMessage?.content.displayedText == "c", "another preview")
    }
    #expect(failures == [])
  }

  @Test("Scrolling up fetches the whole of the new history before it comes to what was lost")
  func paging() async {
    var options = ChatOptions()
    (options.pageSize, options.catchUpPageSize, options.windowSize) = (20, 2, 100)
    let failures = await play(options: options) { _, _, context in
      try await context.list { $0.texts.suffix(2) == ["b", "c"] }
      try await Self.fillAll(context)
      try expect(context.messages.texts == Self.after, "\(context.messages.texts)")
    }
    #expect(failures == [])
  }

  @Test("An own message that it has lost says so, and can be sent again")
  func lost() async {
    let failures = await play(before: { _, bob, context in
      _ = try await bob.send(TextContent("mine"), to: context.conversation).result
    }) { stage, bob, context in
      try await context.list { $0.count(.failed) == 1 && $0.texts.last == "c" }
      let lost = try #require(try await bob.failedMessages().first)
      try expect(lost.failure?.code == .lost && lost.isOwn, "\(lost)")
      try await context.messenger.retry(lost.id)
      try await context.list { $0.texts.last == "mine" && $0.messages.last?.status == .sent }
      let ref = try #require(stage.server.rooms().first)
      try expect(stage.server.messages(in: ref).count { $0.messageID == lost.messageID } == 1, "not once")
    }
    #expect(failures == [])
  }

  @Test("What waits to be sent is sent, and stands once")
  func outbox() async {
    let failures = await play(before: { stage, bob, context in
      stage.server.setReachable(false)
      for text in ["x", "y"] { try await bob.send(TextContent(text), to: context.conversation) }
    }) { stage, _, context in
      stage.server.setReachable(true)
      try await context.list { $0.texts.suffix(5) == ["a", "b", "c", "x", "y"] && $0.count(.sent) == 15 }
      let ref = try #require(stage.server.rooms().first)
      let texts = stage.server.messages(in: ref).map(\.displayedText)
      try expect(texts == ["1", "2", "3", "4", "5", "6", "a", "b", "c", "x", "y"], "\(texts)")
    }
    #expect(failures == [])
  }

  @Test("What a device has sent that had not caught up before is lost like anything else")
  func neverSynced() async {
    let isReady = Mutex(false)
    let failures = await SimulatedRun.play(seeds: 1...4) { stage in
      isReady.withLock { $0 = false }
      let ref = try stage.server.open(.direct("bob"), by: "alice").ref
      let backup = stage.server.backup()
      let bob = try await stage.client("bob", on: "bob") { backend in
        backend.onSync = { _, batch in
          guard isReady.withLock({ $0 }) else { throw BackendError(.transient, "Not yet.") }
          return batch
        }
      }
      bob.start()
      let chat = try await bob.open(.direct("alice"))
      _ = try await bob.send(TextContent("mine"), to: chat).result
      stage.server.restore(backup)
      for text in ["a", "b"] { try stage.server.post(text, from: "alice", in: ref) }
      isReady.withLock { $0 = true }
      let list = try await bob.context(for: chat).list { $0.texts == ["mine", "…", "a", "b"] }
      try expect(list.messages.first?.failure?.code == .lost, "\(list.messages)")
      await bob.close()
    }
    #expect(failures == [])
  }

  @Test(
    "What failed before the first sync leaves no gap once all else has been handed over", arguments: [0, 1])
  func failedEarly(before: Int) async {
    let isReady = Mutex(false)
    let failures = await SimulatedRun.play(seeds: 1...4) { stage in
      isReady.withLock { $0 = false }
      let bob = try await stage.client("bob", on: "bob") { backend in
        backend.onSync = { _, batch in
          guard isReady.withLock({ $0 }) else { throw BackendError(.transient, "Not yet.") }
          return batch
        }
      }
      bob.start()
      let chat = try await bob.open(.direct("alice"))
      var texts = ["1", "2"]
      for text in texts[..<before] { _ = try await bob.send(TextContent(text), to: chat).result }
      for _ in 1...2 {
        stage.server.fail(next: [.refused])
        _ = try? await bob.send(TextContent("refused"), to: chat).result
      }
      for text in texts[before...] { _ = try await bob.send(TextContent(text), to: chat).result }
      texts.insert(contentsOf: ["refused", "refused"], at: before)
      isReady.withLock { $0 = true }
      let context = bob.context(for: chat)
      try await context.list { [texts] in $0.texts == texts && $0.count(.sent) == 2 }
      try await stage.runtime(named: "stage").sleep(for: .seconds(60))
      try expect(context.messages.texts == texts, "\(context.messages.texts)")
      await bob.close()
    }
    #expect(failures == [])
  }

  @Test("What was cleared stays away, however much is handed over at once", arguments: [2, 20])
  func cleared(limit: Int) async {
    var options = ChatOptions()
    (options.catchUpPageSize, options.pageSize) = (limit, 3)
    let failures = await play(
      options: options,
      before: { _, _, context in try await Self.clear(context) }
    ) { _, bob, context in
      try await context.list { $0.texts.last == "c" }
      try await Self.fillAll(context)
      try expect(context.messages.texts == ["a", "b", "c"], "\(context.messages.texts)")
      try expect(!context.hasMorePreviousMessages, "what was cleared is still to come")
      _ = try await bob.conversations.first { $0.unreadCount == 3 && !$0.unreadIsAtLeast }
    }
    #expect(failures == [])
  }

  @Test("A chat that is cleared twice afterwards begins where it was cleared, own messages of before or not")
  func clearedTwice() async {
    var options = ChatOptions()
    (options.catchUpPageSize, options.pageSize) = (2, 3)
    let failures = await play(
      options: options,
      before: { _, bob, context in
        _ = try await bob.send(TextContent("mine"), to: context.conversation).result
      }
    ) { stage, _, context in
      try await context.list { $0.texts.last == "c" }
      for _ in 1...2 { try await Self.clear(context) }
      let ref = try #require(stage.server.rooms().first)
      stage.server.setReachable(false)
      for text in ["d", "e", "f", "g"] { try stage.server.post(text, from: "alice", in: ref) }
      stage.server.setReachable(true)
      try await context.list { $0.texts.last == "g" }
      try await Self.fillAll(context)
      try expect(context.messages.texts == ["d", "e", "f", "g"], "\(context.messages.texts)")
      try expect(!context.hasMorePreviousMessages, "something is said to be missing of what was cleared")
    }
    #expect(failures == [])
  }

  @Test("A jump into what was cleared finds nothing of it")
  func jumpToCleared() async {
    var options = ChatOptions()
    (options.catchUpPageSize, options.pageSize) = (1, 2)
    let failures = await play(
      options: options,
      before: { _, _, context in try await Self.clear(context) }
    ) { _, bob, context in
      try await context.list { $0.texts.last == "c" }
      try? await context.jump(to: ServerMessageID(rawValue: "alice+bob/3"))
      try await context.jump(to: Timestamp(milliseconds: 0))
      for _ in 1...10 where context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
      try expect(context.messages.texts == ["a", "b", "c"], "\(context.messages.texts)")
    }
    #expect(failures == [])
  }

  @Test("A read mark of before that is told late reads nothing of what came since")
  func lateReadMark() async {
    let failures = await play(before: { stage, _, context in
      stage.server.setReachable(false)
      try await context.markRead()
    }) { stage, bob, _ in
      stage.server.setReachable(true)
      _ = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "c" }
      try await stage.runtime(named: "stage").sleep(for: .seconds(120))
      let unread = bob.conversations.conversations.first?.unreadCount
      try expect(unread == 3, "\(String(describing: unread)) unread")
    }
    #expect(failures == [])
  }

  @Test("What was read is told anew, though a mark of the earlier history is refused meanwhile")
  func readMarkAcross() async {
    let failures = await SimulatedRun.play(seeds: 1...4) { stage in
      let ref = try stage.server.open(.direct("bob"), by: "alice").ref
      for number in 1...6 { try stage.server.post("\(number)", from: "alice", in: ref) }
      let backup = stage.server.backup()
      let isSetBack = Mutex(false)
      let bob = try await stage.client("bob", on: "bob") { backend in
        let runtime = backend.inner.runtime
        backend.onMark = { epoch in
          if epoch != Epoch(rawValue: "0") { return }
          while !isSetBack.withLock({ $0 }) { try await runtime.sleep(for: .seconds(1)) }
          try await runtime.sleep(for: .seconds(30))
        }
      }
      bob.start()
      let chat = try await bob.conversations.first { $0.unreadCount == 6 }.id
      let context = bob.context(for: chat)
      try await context.list { $0.texts.last == "6" }
      try await context.markRead()
      try await stage.runtime(named: "stage").sleep(for: .seconds(5))
      stage.server.restore(backup)
      isSetBack.withLock { $0 = true }
      try stage.server.post("a", from: "alice", in: ref)
      try await context.list { $0.texts.last == "a" }
      try await Self.fillAll(context)
      try await stage.runtime(named: "stage").sleep(for: .seconds(300))
      let mark = stage.server.info(ref, for: "bob")?.readPosition
      try expect(mark == Position(rawValue: 6), "the server knows \(String(describing: mark))")
      await bob.close()
    }
    #expect(failures == [])
  }

  @Test("A page that was asked for before and answered after it joins nothing")
  func pageInBetween() async {
    let isHeld = Mutex(false)
    let failures = await play(
      options: {
        var options = ChatOptions()
        (options.pageSize, options.catchUpPageSize) = (3, 2)
        return options
      }(),
      altering: { backend in
        let runtime = backend.inner.runtime
        backend.onHistory = { _ in
          while isHeld.withLock({ $0 }) { try await runtime.sleep(for: .seconds(1)) }
        }
      },
      before: { stage, bob, context in
        // A gap below 13.
        isHeld.withLock { $0 = false }
        await bob.stop()
        let ref = try #require(stage.server.rooms().first)
        for number in 11...14 { try stage.server.post("\(number)", from: "alice", in: ref) }
        bob.start()
        try await context.list { $0.texts.last == "14" }
        isHeld.withLock { $0 = true }
      }
    ) { stage, _, context in
      async let filled: Void = context.fill(try #require(context.messages.compactMap(\.gap).first))
      try await context.list { $0.texts.last == "c" }
      isHeld.withLock { $0 = false }
      try? await filled
      let ref = try #require(stage.server.rooms().first)
      let more = (1...8).map { "more \($0)" }
      for text in more { try stage.server.post(text, from: "alice", in: ref) }
      try await context.list { $0.texts.last == "more 8" }
      try await Self.fillAll(context)
      let expected = ["1", "2", "3", "4", "5", "6", "a", "b", "c"] + more
      try expect(context.messages.texts.suffix(expected.count) == expected[...], "\(context.messages.texts)")
    }
    #expect(failures == [])
  }

  @Test("A reader in the middle of a chat can read on to both of its ends")
  func window() async {
    let failures = await SimulatedRun.play(seeds: 1...4) { stage in
      var options = ChatOptions()
      (options.pageSize, options.windowSize) = (2, 4)
      let ref = try stage.server.open(.direct("bob"), by: "alice").ref
      for number in 1...40 { try stage.server.post("\(number)", from: "alice", in: ref) }
      let bob = try await stage.client("bob", on: "bob", options: options)
      bob.start()
      let chat = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "40" }.id
      let context = bob.context(for: chat)
      try await context.jump(to: Timestamp(milliseconds: 21))
      stage.server.restore(stage.server.backup())
      try stage.server.post("41", from: "alice", in: ref)
      _ = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "41" }
      try await stage.runtime(named: "stage").sleep(for: .seconds(60))
      try expect(context.messages.texts.contains("21"), "it stands elsewhere: \(context.messages.texts)")
      for _ in 1...100 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
      try expect(context.messages.texts.first == "1", "\(context.messages.texts)")
      for _ in 1...100 where context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
      try expect(context.messages.texts.last == "41", "\(context.messages.texts)")
      await bob.close()
    }
    #expect(failures == [])
  }

  @Test("What a page gives new places stands there once the page is loaded", arguments: 2...6)
  func movedByPage(pageSize: Int) async {
    var options = ChatOptions()
    (options.pageSize, options.catchUpPageSize, options.windowSize) = (pageSize, 2, 100)
    let first = Mutex<LocalMessageID?>(nil)
    let failures = await play(
      options: options,
      before: { _, _, context in
        first.withLock { $0 = context.messages.compactMap(\.message).first?.id }
      }
    ) { stage, _, context in
      try await context.list { $0.texts.suffix(2) == ["b", "c"] }
      try await context.jump(to: #require(first.withLock(\.self)))
      for _ in 1...100 where context.hasMoreNextMessages {
        try await context.fetchMoreNextMessages()
        let texts = context.messages.texts
        try await stage.runtime(named: "stage").sleep(for: .seconds(1))
        try expect(context.messages.texts == texts, "\(texts) became \(context.messages.texts)")
      }
      try expect(context.messages.texts == Self.after, "\(context.messages.texts)")
    }
    #expect(failures == [])
  }
}

extension MessageList {
  fileprivate var messages: [ChatMessage] { compactMap(\.message) }
}
