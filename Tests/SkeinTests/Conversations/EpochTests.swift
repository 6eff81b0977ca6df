import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Server resets")
struct EpochTests {
  private static let numbers = (1...10).map(String.init)

  /// Opens Bob's chat with messages 1 to 10 from Alice. The backup of the server has messages 1 to 6.
  private static func chat(
    options: ChatOptions = ChatOptions(), altering alter: (inout AlteredBackend) -> Void = { _ in }
  ) async throws -> (bob: ChatClient, context: ChatContext, backup: MemoryServerBackup) {
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
    #expect(context.messages.texts == numbers)
    return (bob, context, backup)
  }

  /// Resets the server to messages 1 to 6, and posts a to c, which get the positions of 7 to 9.
  private static func setBack(to backup: MemoryServerBackup) throws {
    stage.server.restore(backup)
    let ref = try #require(stage.server.rooms().first)
    for text in ["a", "b", "c"] { try stage.server.post(text, from: "alice", in: ref) }
  }

  private static func clear(_ context: ChatContext) async throws {
    try await context.clearAllMessages()
    try await context.list { $0.isEmpty }
  }

  /// Fills every gap that can be filled, and pages to the top.
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
    "Messages that the server has lost are shown first, before a gap, and all other messages keep their rows",
    .simulated(seeds: 1...4))
  func rows() async throws {
    let (bob, context, backup) = try await Self.chat()
    try Self.setBack(to: backup)
    let before = context.messages.compactMap(\.message).prefix(6)
    try await context.list { $0.texts == Self.after }
    let gap = try #require(context.messages.compactMap(\.gap).first)
    #expect(gap.state == .unavailable)
    let shown = Set(context.messages.compactMap { $0.message?.id })
    #expect(before.allSatisfy { shown.contains($0.id) })
    let conversation = try await bob.conversations.first { $0.unreadCount == 9 }
    #expect(conversation.lastMessage?.content.displayedText == "c")
    await bob.close()
  }

  @Test(
    "Paging up fetches the whole new history before it reaches the lost messages",
    .simulated(seeds: 1...4))
  func paging() async throws {
    var options = ChatOptions()
    (options.pageSize, options.catchUpPageSize, options.windowSize) = (20, 2, 100)
    let (bob, context, backup) = try await Self.chat(options: options)
    try Self.setBack(to: backup)
    try await context.list { $0.texts.suffix(2) == ["b", "c"] }
    try await Self.fillAll(context)
    #expect(context.messages.texts == Self.after)
    await bob.close()
  }

  @Test("A lost own message is marked as lost and can be sent again", .simulated(seeds: 1...4))
  func lost() async throws {
    let (bob, context, backup) = try await Self.chat()
    _ = try await bob.send(TextContent("mine"), to: context.conversation).result
    try Self.setBack(to: backup)
    try await context.list { $0.count(.failed) == 1 && $0.texts.last == "c" }
    let lost = try #require(try await bob.failedMessages().first)
    #expect(lost.failure?.code == .lost)
    #expect(lost.isOwn)
    try await context.messenger.retry(lost.id)
    try await context.list { $0.texts.last == "mine" && $0.messages.last?.status == .sent }
    let ref = try #require(stage.server.rooms().first)
    #expect(stage.server.messages(in: ref).count { $0.messageID == lost.messageID } == 1)
    await bob.close()
  }

  @Test("Messages that wait during a server reset are sent and shown once", .simulated(seeds: 1...4))
  func outbox() async throws {
    let (bob, context, backup) = try await Self.chat()
    stage.server.setReachable(false)
    for text in ["x", "y"] { try await bob.send(TextContent(text), to: context.conversation) }
    try Self.setBack(to: backup)
    stage.server.setReachable(true)
    try await context.list { $0.texts.suffix(5) == ["a", "b", "c", "x", "y"] && $0.count(.sent) == 15 }
    let ref = try #require(stage.server.rooms().first)
    let texts = stage.server.messages(in: ref).map(\.displayedText)
    #expect(texts == ["1", "2", "3", "4", "5", "6", "a", "b", "c", "x", "y"])
    await bob.close()
  }

  @Test(
    "A message sent before the first catch-up is marked as lost if a restored server lacks it",
    .simulated(seeds: 1...4))
  func neverSynced() async throws {
    let isReady = Mutex(false)
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
    #expect(list.messages.first?.failure?.code == .lost)
    await bob.close()
  }

  @Test(
    "Messages that failed before the first sync leave no gap once all others have been received",
    .simulated(seeds: 1...4), arguments: [0, 1])
  func failedEarly(before: Int) async throws {
    let isReady = Mutex(false)
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
    #expect(context.messages.texts == texts)
    await bob.close()
  }

  @Test(
    "Messages cleared before a server reset are not restored, however many messages a sync returns",
    .simulated(seeds: 1...4),
    arguments: [2, 20])
  func cleared(limit: Int) async throws {
    var options = ChatOptions()
    (options.catchUpPageSize, options.pageSize) = (limit, 3)
    let (bob, context, backup) = try await Self.chat(options: options)
    try await Self.clear(context)
    try Self.setBack(to: backup)
    try await context.list { $0.texts.last == "c" }
    try await Self.fillAll(context)
    #expect(context.messages.texts == ["a", "b", "c"])
    #expect(!context.hasMorePreviousMessages)
    _ = try await bob.conversations.first { $0.unreadCount == 3 && !$0.unreadIsAtLeast }
    await bob.close()
  }

  @Test(
    "After a server reset, a chat cleared twice shows only later messages, even if an own message was lost",
    .simulated(seeds: 1...4))
  func clearedTwice() async throws {
    var options = ChatOptions()
    (options.catchUpPageSize, options.pageSize) = (2, 3)
    let (bob, context, backup) = try await Self.chat(options: options)
    _ = try await bob.send(TextContent("mine"), to: context.conversation).result
    try Self.setBack(to: backup)
    try await context.list { $0.texts.last == "c" }
    for _ in 1...2 { try await Self.clear(context) }
    let ref = try #require(stage.server.rooms().first)
    stage.server.setReachable(false)
    for text in ["d", "e", "f", "g"] { try stage.server.post(text, from: "alice", in: ref) }
    stage.server.setReachable(true)
    try await context.list { $0.texts.last == "g" }
    try await Self.fillAll(context)
    #expect(context.messages.texts == ["d", "e", "f", "g"])
    #expect(!context.hasMorePreviousMessages)
    await bob.close()
  }

  @Test(
    "After a server reset, a jump into the cleared history shows none of the cleared messages",
    .simulated(seeds: 1...4))
  func jumpToCleared() async throws {
    var options = ChatOptions()
    (options.catchUpPageSize, options.pageSize) = (1, 2)
    let (bob, context, backup) = try await Self.chat(options: options)
    try await Self.clear(context)
    try Self.setBack(to: backup)
    try await context.list { $0.texts.last == "c" }
    try? await context.jump(to: ServerMessageID(rawValue: "alice+bob/3"))
    try await context.jump(to: Timestamp(milliseconds: 0))
    for _ in 1...10 where context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
    #expect(context.messages.texts == ["a", "b", "c"])
    await bob.close()
  }

  @Test("A late read mark of the earlier epoch marks no newer message as read", .simulated(seeds: 1...4))
  func lateReadMark() async throws {
    let (bob, context, backup) = try await Self.chat()
    stage.server.setReachable(false)
    try await context.markRead()
    try Self.setBack(to: backup)
    stage.server.setReachable(true)
    _ = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "c" }
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    let unread = bob.conversations.conversations.first?.unreadCount
    #expect(unread == 3)
    await bob.close()
  }

  @Test(
    "Read marks are sent again after a server reset, even if a mark of the earlier epoch is rejected late",
    .simulated(seeds: 1...4))
  func readMarkAcross() async throws {
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
    let mark = stage.server.info(ref, for: "bob")?.readMark?.position
    #expect(mark == Position(rawValue: 6))
    await bob.close()
  }

  @Test(
    "A page that is on its way while the client notices a server reset does not hide missing messages",
    .simulated(seeds: 1...4))
  func pageInBetween() async throws {
    let isHeld = Mutex(false)
    var options = ChatOptions()
    (options.pageSize, options.catchUpPageSize) = (3, 2)
    let (bob, context, backup) = try await Self.chat(options: options) { backend in
      let runtime = backend.inner.runtime
      backend.onHistory = { _ in
        while isHeld.withLock({ $0 }) { try await runtime.sleep(for: .seconds(1)) }
      }
    }
    // Bob misses messages 11 to 14 and fetches the last two: there is a gap below 13.
    await bob.stop()
    let ref = try #require(stage.server.rooms().first)
    for number in 11...14 { try stage.server.post("\(number)", from: "alice", in: ref) }
    bob.start()
    try await context.list { $0.texts.last == "14" }
    isHeld.withLock { $0 = true }
    try Self.setBack(to: backup)
    async let filled: Void = context.fill(try #require(context.messages.compactMap(\.gap).first))
    try await context.list { $0.texts.last == "c" }
    isHeld.withLock { $0 = false }
    try? await filled
    let more = (1...8).map { "more \($0)" }
    for text in more { try stage.server.post(text, from: "alice", in: ref) }
    try await context.list { $0.texts.last == "more 8" }
    try await Self.fillAll(context)
    let expected = ["1", "2", "3", "4", "5", "6", "a", "b", "c"] + more
    #expect(context.messages.texts.suffix(expected.count) == expected[...])
    await bob.close()
  }

  @Test(
    "After a server reset, a reader in the middle of a chat can page to both ends of the chat",
    .simulated(seeds: 1...4))
  func window() async throws {
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
    #expect(context.messages.texts.contains("21"))
    for _ in 1...100 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    #expect(context.messages.texts.first == "1")
    for _ in 1...100 where context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
    #expect(context.messages.texts.last == "41")
    await bob.close()
  }

  @Test(
    "If a loaded page moves messages, the list shows them at their new places at once",
    .simulated(seeds: 1...4),
    arguments: 2...6)
  func movedByPage(pageSize: Int) async throws {
    var options = ChatOptions()
    (options.pageSize, options.catchUpPageSize, options.windowSize) = (pageSize, 2, 100)
    let (bob, context, backup) = try await Self.chat(options: options)
    let first = try #require(context.messages.compactMap(\.message).first?.id)
    try Self.setBack(to: backup)
    try await context.list { $0.texts.suffix(2) == ["b", "c"] }
    try await context.jump(to: first)
    for _ in 1...100 where context.hasMoreNextMessages {
      try await context.fetchMoreNextMessages()
      let texts = context.messages.texts
      try await stage.runtime(named: "stage").sleep(for: .seconds(1))
      #expect(context.messages.texts == texts)
    }
    #expect(context.messages.texts == Self.after)
    await bob.close()
  }
}

extension MessageList {
  fileprivate var messages: [ChatMessage] { compactMap(\.message) }
}
