import Foundation
import SkeinStorage
import SkeinSimulation
import Synchronization
import Testing

@testable import Skein

@Suite("Read marks")
struct ReadMarkTests {
  @Test(
    "If one device has read a part of another device's gap, both devices show the server's unread count",
    .simulated)
  func partOfAGap() async throws {
    try LoadingTests.fill(stage, 1...100)
    let laptop = try await stage.client("bob", on: "laptop")
    laptop.start()
    let there = try await laptop.conversations.first { $0.unreadCount == 100 }.id
    await laptop.stop()
    try await laptop.context(for: there).markRead()

    try LoadingTests.fill(stage, 101...300)
    let phone = try await stage.client("bob", on: "phone")
    phone.start()
    _ = try await phone.conversations.first { $0.unreadCount == 300 }
    laptop.start()
    _ = try await phone.conversations.first { $0.unreadCount == 200 }
    _ = try await laptop.conversations.first { $0.unreadCount == 200 }
    await phone.close()
    await laptop.close()
  }

  @Test("A read mark that the server does not have yet is not moved back by a sync", .simulated)
  func ahead() async throws {
    try LoadingTests.fill(stage, 1...3)
    let isCut = Mutex(false)
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onMark = { _ in
        if isCut.withLock({ $0 }) { throw BackendError(.unreachable, "There is no way to the server.") }
      }
    }
    bob.start()
    let chat = try await bob.conversations.first { $0.unreadCount == 3 }
    let ref = try #require(chat.ref)
    let context = bob.context(for: chat.id)
    try await context.markRead()
    while try await !bob.store.read({ try $0.conversationsWithPendingReadMark().isEmpty }) {
      try await stage.runtime(named: "clock").sleep(for: .milliseconds(10))
    }
    isCut.withLock { $0 = true }
    try stage.server.post("4", from: "alice", in: ref)
    _ = try await bob.conversations.first { $0.unreadCount == 1 }
    try await context.markRead()
    _ = try await bob.conversations.first { $0.unreadCount == 0 }
    try stage.server.post("5", from: "alice", in: ref)
    let last = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "5" }
    #expect(last.unreadCount == 1)
    await bob.close()
  }

  @Test(
    "If the server rejects the read mark of one chat, the read marks of other chats are not delayed",
    .simulated)
  func refusedMark() async throws {
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onMarkRead = { ref, _ in
        if ref.rawValue == "alice+bob" { throw BackendError(.permanent, "No marks here.") }
      }
    }
    for sender in ["alice", "carol"] as [UserID] {
      let ref = try stage.server.open(.direct("bob"), by: sender).ref
      try stage.server.post("hello", from: sender, in: ref)
    }
    bob.start()
    let chats = try await bob.conversations.list { $0.count { $0.unreadCount == 1 } == 2 }.map(\.id)
    for chat in chats.sorted() { try await bob.context(for: chat).markRead() }
    let other = try await stage.client("bob", on: "other")
    other.start()
    try await other.conversations.list { list in
      list.count == 2 && list.first { $0.peer == "carol" }?.unreadCount == 0
    }
    await bob.close()
    await other.close()
  }

  @Test(
    "If the read mark of one conversation fails for now, the read marks of other conversations are not delayed",
    .simulated(seeds: 1...3))
  func failingMark() async throws {
    let refs = try ["alice", "carol"].map { try stage.server.open(.direct("bob"), by: $0).ref }
    for (ref, sender) in zip(refs, ["alice", "carol"] as [UserID]) {
      try stage.server.post("one", from: sender, in: ref)
    }
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onMarkRead = { ref, _ in
        if ref == refs[0] { throw BackendError(.transient, "The server failed.") }
      }
    }
    bob.start()
    try await bob.conversations.list { $0.count == 2 }
    for conversation in bob.conversations.conversations {
      try await bob.context(for: conversation.id).markRead()
    }
    let carol = refs[1]
    for await _ in bob.catchUpStates where stage.server.info(carol, for: "bob")?.readMark != nil {
      break
    }
    #expect(stage.server.info(refs[0], for: "bob")?.readMark == nil)
    await bob.close()
  }

  @Test(
    "A failure of an unknown kind for one conversation does not delay the read marks and settings of others",
    .simulated(seeds: 1...3),
    arguments: [
      Unexpected(what: "The answer has another form."), BackendError(.cursorRejected, "No such cursor."),
      BackendError(BackendError.Code(rawValue: "newer"), "The server can't do this."),
    ] as [any Error])
  func oddFailure(_ failure: any Error) async throws {
    for sender in ["alice", "carol"] as [UserID] {
      let ref = try stage.server.open(.direct("bob"), by: sender).ref
      try stage.server.post("hello", from: sender, in: ref)
    }
    let failing = Mutex<ConversationRef?>(nil)
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onMarkRead = { ref, _ in if ref == failing.withLock({ $0 }) { throw failure } }
      backend.onSet = { _, _, ref in if ref == failing.withLock({ $0 }) { throw failure } }
    }
    bob.start()
    let list = try await bob.conversations.list { $0.count { $0.unreadCount == 1 } == 2 }
    // The values are sent in the order of the ids, so the first conversation fails first.
    let chats = list.sorted { $0.id < $1.id }
    let refs = chats.compactMap(\.ref)
    try #require(refs.count == 2)
    failing.withLock { $0 = refs[0] }
    for chat in chats {
      try await bob.context(for: chat.id).markRead()
      try await bob.conversations.setMuted(true, for: chat.id)
    }
    let (server, clock) = (stage.server, stage.runtime(named: "clock"))
    while server.info(refs[1], for: "bob")?.readMark == nil
      || server.settings(of: refs[1], for: "bob").isEmpty
    {
      try await clock.sleep(for: .milliseconds(10))
    }
    #expect(server.info(refs[0], for: "bob")?.readMark == nil)
    #expect(server.settings(of: refs[0], for: "bob").isEmpty)
    await bob.close()
  }

  @Test("A read mark is sent again no earlier than the server allows", .simulated)
  func requestedPause() async throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    try stage.server.post("one", from: "alice", in: ref)
    let clock = stage.runtime(named: "clock")
    let times = Mutex<[Duration]>([])
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onMarkRead = { _, _ in
        let count = times.withLock { times in
          times.append(clock.uptime())
          return times.count
        }
        if count == 1 { throw BackendError(.transient, "Not now.", retryAfter: .seconds(300)) }
      }
    }
    bob.start()
    let chat = try await bob.conversations.first { $0.unreadCount == 1 }.id
    try await bob.context(for: chat).markRead()
    while times.withLock({ $0.isEmpty }) { try await clock.sleep(for: .milliseconds(10)) }
    try stage.server.post("two", from: "alice", in: ref)
    _ = try await bob.conversations.first { $0.unreadCount == 1 }
    try await bob.context(for: chat).markRead()
    while times.withLock({ $0.count }) < 2 { try await clock.sleep(for: .seconds(1)) }
    let seen = times.withLock { $0 }
    #expect(seen[1] - seen[0] >= .seconds(300))
    await bob.close()
  }

  @Test(
    "Messages received later below an own message are unread, even if the chat was marked as read before",
    .simulated(seeds: 1...2)
  )
  func receiptAhead() async throws {
    let store = try await OddServerTests.store(stage)
    let chat = try await store.write(.kill) { try ConversationBook($0).open(.direct("alice")) }
    let opening = try await store.read { try $0.first(OperationRow.self, "ORDER BY id")?.id }
    let info = ConversationInfo(ref: ConversationRef(rawValue: "r"), type: .direct, peer: "alice")
    try await store.write(.kill) { try ConversationBook($0).completeOpening(try #require(opening), info) }
    let draft = EncodedMessage(
      messageID: MessageID(rawValue: "m"), kind: "text", payload: Data("{}".utf8), needsPreparation: false)
    _ = try await store.write(.kill) { try Composing($0).compose(draft, in: chat) }
    let sending = try await store.read { try $0.first(OperationRow.self, "ORDER BY id")?.message }
    try await store.write(.kill) {
      try Attempts($0).acknowledge(try #require(sending), SendReceipt(position: Position(rawValue: 3)))
      try ConversationBook($0).markRead(chat, tellsServer: true)
    }
    let delta = ConversationDelta(info: info, count: 2, messages: [IncomingMessage.number(1), .number(2)])
    let batch = SyncBatch(from: nil, next: SyncCursor(rawValue: "1"), conversations: [delta])
    _ = try await store.write(.kill) { try Intake($0).apply(batch) }
    let row = try await store.read { try $0.find(ConversationRow.self, chat) }
    #expect(row?.unreadCount == 2)
    await store.database.close()
  }
}

extension IncomingMessage {
  /// Alice's message at a position.
  static func number(_ number: Int64) -> IncomingMessage {
    IncomingMessage(
      serverID: ServerMessageID(rawValue: "s\(number)"), messageID: MessageID(rawValue: "m\(number)"),
      sender: "alice", position: Position(rawValue: number), time: Timestamp(milliseconds: number),
      kind: "text", payload: Data(#"{"text":"\#(number)"}"#.utf8))
  }
}
