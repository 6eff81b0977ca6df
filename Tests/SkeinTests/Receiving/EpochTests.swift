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

  /// As a reader does who fills every gap that can be filled, and scrolls to the top.
  private static func fillAll(_ context: ChatContext) async throws {
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
      let before = context.messages.compactMap(\.message).filter {
        ($0.serverID?.rawValue ?? "") < "alice+bob/7"
      }
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

  @Test("What failed before the first sync leaves no gap once all else has been handed over")
  func failedEarly() async {
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
      _ = try await bob.send(TextContent("1"), to: chat).result
      stage.server.fail(next: [.refused])
      _ = try? await bob.send(TextContent("refused"), to: chat).result
      _ = try await bob.send(TextContent("2"), to: chat).result
      isReady.withLock { $0 = true }
      let context = bob.context(for: chat)
      try await context.list { $0.texts == ["1", "refused", "2"] && $0.count(.sent) == 2 }
      try await stage.runtime(named: "stage").sleep(for: .seconds(60))
      try expect(context.messages.texts == ["1", "refused", "2"], "\(context.messages.texts)")
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
      before: { _, _, context in
        try await context.clearAllMessages()
        try await context.list { $0.isEmpty }
      }
    ) { _, bob, context in
      try await context.list { $0.texts.last == "c" }
      try await Self.fillAll(context)
      try expect(context.messages.texts == ["a", "b", "c"], "\(context.messages.texts)")
      try expect(!context.hasMorePreviousMessages, "what was cleared is still to come")
      _ = try await bob.conversations.first { $0.unreadCount == 3 && !$0.unreadIsAtLeast }
    }
    #expect(failures == [])
  }

  @Test("A jump into what was cleared finds nothing of it")
  func jumpToCleared() async {
    var options = ChatOptions()
    (options.catchUpPageSize, options.pageSize) = (1, 2)
    let failures = await play(
      options: options,
      before: { _, _, context in
        try await context.clearAllMessages()
        try await context.list { $0.isEmpty }
      }
    ) { _, bob, context in
      try await context.list { $0.texts.last == "c" }
      try? await context.jump(to: ServerMessageID(rawValue: "alice+bob/3"))
      try await context.jump(to: Timestamp(milliseconds: 0))
      for _ in 1...10 where context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
      try expect(context.messages.texts == ["a", "b", "c"], "\(context.messages.texts)")
    }
    #expect(failures == [])
  }

  @Test("A chat that was deleted stays away until something new comes")
  func deletedChat() async {
    let failures = await SimulatedRun.play(seeds: 1...4) { stage in
      var options = ChatOptions()
      options.catchUpPageSize = 2
      let ref = try stage.server.open(.direct("bob"), by: "alice").ref
      for number in 1...6 { try stage.server.post("\(number)", from: "alice", in: ref) }
      let backup = stage.server.backup()
      let bob = try await stage.client("bob", on: "bob", options: options)
      bob.start()
      let chat = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "6" }.id
      try await bob.conversations.delete(chat)
      stage.server.restore(backup)
      try await stage.runtime(named: "stage").sleep(for: .seconds(120))
      try expect(bob.conversations.conversations.isEmpty, "it is back")
      try stage.server.post("a", from: "alice", in: ref)
      _ = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "a" }
      try await bob.context(for: chat).list { $0.texts == ["a"] }
      await bob.close()
    }
    #expect(failures == [])
  }

  @Test("A chat that it has lost is opened anew for what is sent to it")
  func lostChat() async {
    let failures = await SimulatedRun.play { stage in
      let backup = stage.server.backup()
      let bob = try await stage.client("bob", on: "bob")
      let chat = try await bob.open(.direct("alice"))
      bob.start()
      _ = try await bob.send(TextContent("1"), to: chat).result
      stage.server.restore(backup)
      try await stage.runtime(named: "stage").sleep(for: .seconds(120))
      _ = try await bob.send(TextContent("2"), to: chat).result
      let context = bob.context(for: chat)
      let list = try await context.list { $0.texts.last == "2" && $0.statuses == [.failed, .sent] }
      try expect(list.messages.first?.failure?.code == .lost, "\(list.texts)")
      try expect(stage.server.rooms().count == 1, "\(stage.server.rooms())")
      await bob.close()
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
      try await context.list { !$0.isEmpty }
      for _ in 1...100 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
      try expect(context.messages.texts.first == "1", "\(context.messages.texts)")
      for _ in 1...100 where context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
      try expect(context.messages.texts.last == "41", "\(context.messages.texts)")
      await bob.close()
    }
    #expect(failures == [])
  }

  // MARK: Answers that come late

  private static let info = ConversationInfo(ref: ConversationRef(rawValue: "r"), type: .group)

  private static func batch(_ numbers: ClosedRange<Int64>, from: String?, to next: String, epoch: String)
    -> SyncBatch
  {
    let delta = ConversationDelta(
      info: info, count: numbers.count, messages: numbers.map { .number($0) })
    return SyncBatch(
      from: from.map { SyncCursor(rawValue: $0) }, next: SyncCursor(rawValue: next),
      epoch: Epoch(rawValue: epoch),
      conversations: [delta])
  }

  private func store(_ body: @escaping @Sendable (ChatStore, ConversationID) async throws -> Void) async
    -> [String]
  {
    await SimulatedRun.play(seeds: 1...1) { stage in
      let store = try await OddServerTests.store(stage)
      _ = try await store.write(.kill) { try $0.take(Self.batch(1...9, from: nil, to: "9", epoch: "one")) }
      let first = try await store.read { try $0.first(ConversationRow.self, "ORDER BY id")?.id }
      let chat = try #require(first)
      try await store.write(.kill) { try $0.markRead(chat, tellServer: false) }
      let isTaken = try await store.write(.kill) {
        try $0.take(Self.batch(1...5, from: nil, to: "5", epoch: "two"))
      }
      try expect(isTaken, "the new history is not followed")
      try await body(store, chat)
      await store.database.close()
    }
  }

  private func account(_ store: ChatStore) async throws -> AccountRow {
    let row = try await store.read { try $0.find(AccountRow.self, Int64(1)) }
    return try #require(row)
  }

  private func row(_ store: ChatStore, _ chat: ConversationID) async throws -> ConversationRow {
    let row = try await store.read { try $0.find(ConversationRow.self, chat) }
    return try #require(row)
  }

  @Test("A batch of before that is pushed late is not taken, wherever it goes on from")
  func latePush() async {
    let failures = await store { store, _ in
      for from in [nil, "5"] {
        let isTaken = try await store.write(.kill) {
          try $0.take(Self.batch(1...9, from: from, to: "9", epoch: "one"), isPushed: true)
        }
        try expect(!isTaken, "taken from \(from ?? "the beginning")")
      }
      let account = try await self.account(store)
      try expect(account.epoch?.rawValue == "two" && account.cursor?.rawValue == "5", "\(account)")
    }
    #expect(failures == [])
  }

  @Test(
    "A batch of another history that goes on from the stored cursor is not taken, and the next fetch starts anew"
  )
  func sameCursor() async {
    let failures = await store { store, _ in
      let isTaken = try await store.write(.kill) {
        try $0.take(Self.batch(6...7, from: "5", to: "7", epoch: "three"))
      }
      let account = try await self.account(store)
      try expect(!isTaken && account.epoch?.rawValue == "three" && account.cursor == nil, "\(account)")
    }
    #expect(failures == [])
  }

  @Test("What was read stays read, and what was lost counts nowhere, on a server that keeps no read marks")
  func readMark() async {
    let failures = await store { store, chat in
      let row = try await self.row(store, chat)
      try expect(row.unreadCount == 0 && !row.unreadIsAtLeast, "\(row.unreadCount) unread")
      _ = try await store.write(.kill) { try $0.take(Self.batch(6...7, from: "5", to: "7", epoch: "two")) }
      let later = try await self.row(store, chat)
      try expect(later.unreadCount == 2, "\(later.unreadCount) unread")
    }
    #expect(failures == [])
  }

  @Test("A page, an opened chat and a contact list that were asked for before are not taken")
  func lateAnswers() async {
    let failures = await store { store, chat in
      for epoch in ["one", "three"] {
        await #expect(throws: BackendError.self) {
          try await store.write(.kill) { try $0.check(Epoch(rawValue: epoch)) }
        }
      }
      for epoch in [nil, Epoch(rawValue: "two")] { try await store.write(.kill) { try $0.check(epoch) } }
    }
    #expect(failures == [])
  }

  @Test(
    "A page of before leaves everything as it is, whether or not the server says what it is of",
    arguments: [true, false])
  func latePage(isTold: Bool) async {
    let gate = Mutex(false)
    let failures = await SimulatedRun.play(seeds: 1...4) { stage in
      gate.withLock { $0 = false }
      var options = ChatOptions()
      (options.pageSize, options.catchUpPageSize) = (20, 2)
      let ref = try stage.server.open(.direct("bob"), by: "alice").ref
      let backup = stage.server.backup()
      for number in 1...10 { try stage.server.post("\(number)", from: "alice", in: ref) }
      let bob = try await stage.client("bob", on: "bob", options: options) { backend in
        let runtime = backend.inner.runtime
        backend.onPage = { _, page in
          while !gate.withLock({ $0 }) { try await runtime.sleep(for: .seconds(1)) }
          var page = page
          if !isTold { page.epoch = nil }
          return page
        }
      }
      bob.start()
      let chat = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "10" }.id
      let context = bob.context(for: chat)
      try await context.list { $0.texts == ["9", "10"] }
      async let more: Void = context.fetchMorePreviousMessages()
      try await stage.runtime(named: "stage").sleep(for: .seconds(10))
      stage.server.restore(backup)
      for text in ["a", "b", "c"] { try stage.server.post(text, from: "alice", in: ref) }
      _ = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "c" }
      gate.withLock { $0 = true }
      try? await more
      try await context.list { $0.texts.last == "c" }
      try await Self.fillAll(context)
      try expect(context.messages.texts == ["9", "10", "…", "a", "b", "c"], "\(context.messages.texts)")
      await bob.close()
    }
    #expect(failures == [])
  }

  @Test("A receipt of before tells nothing: the attempt is one of which nobody knows whether it arrived")
  func lateReceipt() async {
    let failures = await store { store, chat in
      let draft = Draft(
        messageID: MessageID(rawValue: "own"), kind: "text", payload: Data(#"{"text":"x"}"#.utf8),
        needsPreparation: false)
      let sent = try await store.write(.kill) { try $0.compose(draft, in: chat).id }
      let operation = try await store.read { try $0.select(OperationRow.self, "ORDER BY id").last?.id }
      let id = try #require(operation)
      _ = try await store.write(.kill) { try $0.begin(id, mayRepeat: true) }
      _ = try await store.write(.kill) { try $0.take(Self.batch(1...2, from: nil, to: "2", epoch: "three")) }
      let receipt = SendReceipt(serverID: ServerMessageID(rawValue: "s6"), position: Position(rawValue: 6))
      await #expect(throws: BackendError.self) {
        try await store.write(.kill) { try $0.acknowledge(sent, receipt) }
      }
      _ = try await store.write(.kill) { try $0.begin(id, mayRepeat: true) }
      try await store.write(.kill) { try $0.acknowledge(sent, receipt) }
      let row = try await store.read { try $0.find(MessageRow.self, sent) }
      try expect(row?.status == .sent && row?.rank == Rank(rawValue: 6), "\\(String(describing: row))")
    }
    #expect(failures == [])
  }

  @Test("A cursor that the server does not know any more is given up, and what is here stays as it is")
  func rejectedCursor() async {
    let isRejecting = Mutex(false)
    let failures = await SimulatedRun.play { stage in
      let ref = try stage.server.open(.direct("bob"), by: "alice").ref
      for number in 1...5 { try stage.server.post("\(number)", from: "alice", in: ref) }
      let bob = try await stage.client("bob", on: "bob") { backend in
        backend.onSync = { cursor, batch in
          guard cursor != nil, isRejecting.withLock({ $0 }) else {
            isRejecting.withLock { $0 = false }
            return batch
          }
          throw BackendError(.cursorRejected, "What is that?")
        }
      }
      bob.start()
      let chat = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "5" }.id
      let context = bob.context(for: chat)
      let ids = try await context.list { $0.count == 5 }.map(\.id)
      isRejecting.withLock { $0 = true }
      try stage.server.post("6", from: "alice", in: ref)
      let list = try await context.list { $0.count == 6 }
      try expect(Array(list.map(\.id).prefix(5)) == ids, "other rows")
      await bob.close()
    }
    #expect(failures == [])
  }
}

extension MessageList {
  fileprivate var messages: [ChatMessage] { compactMap(\.message) }
}
