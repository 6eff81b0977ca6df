import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Answers around a server reset")
struct EpochAnswerTests {
  private static let info = ConversationInfo(ref: ConversationRef(rawValue: "r"), type: .group)

  private static func batch(_ numbers: ClosedRange<Int64>, from: String?, to next: String, epoch: String)
    -> SyncBatch
  {
    let delta = ConversationDelta(info: info, count: numbers.count, messages: numbers.map { .number($0) })
    return SyncBatch(
      from: from.map { SyncCursor(rawValue: $0) }, next: SyncCursor(rawValue: next),
      epoch: Epoch(rawValue: epoch),
      conversations: [delta])
  }

  /// A store that had messages 1 to 9 of epoch one, all read, and then received messages 1 to 5 of epoch two.
  private static func store() async throws -> (store: ChatStore, chat: ConversationID) {
    let store = try await OddServerTests.store(stage)
    _ = try await store.write(.kill) { try Intake($0).apply(batch(1...9, from: nil, to: "9", epoch: "one")) }
    let first = try await store.read { try $0.first(ConversationRow.self, "ORDER BY id")?.id }
    let chat = try #require(first)
    try await store.write(.kill) { try ConversationBook($0).markRead(chat, tellsServer: false) }
    let isTaken = try await store.write(.kill) {
      try Intake($0).apply(batch(1...5, from: nil, to: "5", epoch: "two"))
    }
    #expect(isTaken)
    return (store, chat)
  }

  private func account(_ store: ChatStore) async throws -> AccountRow {
    let row = try await store.read { try $0.account() }
    return try #require(row)
  }

  private func row(_ store: ChatStore, _ chat: ConversationID) async throws -> ConversationRow {
    let row = try await store.read { try $0.find(ConversationRow.self, chat) }
    return try #require(row)
  }

  @Test(
    "After a reset, a message that was read and is sent again does not mark new messages before it as read",
    .simulated(seeds: 1...1), arguments: [true, false])
  func sentAgain(isOneBatch: Bool) async throws {
    let store = try await OddServerTests.store(stage, readMarks: true)
    _ = try await store.write(.kill) {
      try Intake($0).apply(Self.batch(1...9, from: nil, to: "9", epoch: "one"))
    }
    let chat = try await Self.chat(in: store)
    try await store.write(.kill) { try ConversationBook($0).markRead(chat, tellsServer: false) }
    var new = IncomingMessage.number(1), again = IncomingMessage.number(9)
    (new.serverID, new.messageID) = (ServerMessageID(rawValue: "n"), MessageID(rawValue: "n"))
    (again.serverID, again.position) = (ServerMessageID(rawValue: "again"), Position(rawValue: 2))
    let answers = isOneBatch ? [[new, again]] : [[new], [again]]
    for (index, messages) in answers.enumerated() {
      let batch = SyncBatch(
        from: index == 0 ? nil : SyncCursor(rawValue: "\(index)"), next: SyncCursor(rawValue: "\(index + 1)"),
        epoch: Epoch(rawValue: "two"),
        conversations: [ConversationDelta(info: Self.info, count: messages.count, messages: messages)])
      #expect(try await store.write(.kill) { try Intake($0).apply(batch) })
    }
    let row = try await row(store, chat)
    #expect(row.unreadCount >= 1)
    #expect(row.pendingReadMark == nil)
    #expect(row.readMark < Rank(rawValue: 1))
    await store.database.close()
  }

  @Test(
    "Messages that are cleared after a server reset, but before the next sync, stay cleared",
    .simulated(seeds: 1...1))
  func clearedInBetween() async throws {
    let store = try await Self.store().store
    _ = try await store.write(.kill) {
      try Intake($0).apply(Self.batch(1...9, from: "5", to: "9", epoch: "two"))
    }
    let chat = try await Self.chat(in: store)
    try await store.write(.kill) { transaction in
      try EpochChange(transaction).begin(Epoch(rawValue: "three"))
      try Clearing(transaction).clear(chat)
    }
    _ = try await store.write(.kill) {
      try Intake($0).apply(Self.batch(1...10, from: nil, to: "10", epoch: "three"))
    }
    let ranks = try await store.read {
      try $0.select(MessageRow.self, "WHERE is_hidden = 0").map(\.rank.rawValue)
    }
    #expect(ranks == [10])
    await store.database.close()
  }

  @Test(
    "A late pushed batch of an earlier epoch is not applied, whatever its cursor", .simulated(seeds: 1...1))
  func latePush() async throws {
    let store = try await Self.store().store
    for from in [nil, "5"] {
      let isTaken = try await store.write(.kill) {
        try Intake($0).apply(Self.batch(1...9, from: from, to: "9", epoch: "one"), isPushed: true)
      }
      #expect(!isTaken, "taken from \(from ?? "the beginning")")
    }
    let account = try await self.account(store)
    #expect(account.epoch?.rawValue == "two")
    #expect(account.cursor?.rawValue == "5")
    await store.database.close()
  }

  @Test(
    "A batch of another epoch is not applied, even if its cursor fits, and the next fetch starts anew",
    .simulated(seeds: 1...1))
  func sameCursor() async throws {
    let store = try await Self.store().store
    let isTaken = try await store.write(.kill) {
      try Intake($0).apply(Self.batch(6...7, from: "5", to: "7", epoch: "three"))
    }
    let account = try await self.account(store)
    #expect(!isTaken)
    #expect(account.epoch?.rawValue == "three")
    #expect(account.cursor == nil)
    await store.database.close()
  }

  @Test(
    "Without read marks on the server, messages read before a reset stay read, and lost ones are not counted",
    .simulated(seeds: 1...1))
  func readMark() async throws {
    let (store, chat) = try await Self.store()
    let row = try await self.row(store, chat)
    #expect(row.unreadCount == 0)
    #expect(!row.unreadIsAtLeast)
    _ = try await store.write(.kill) {
      try Intake($0).apply(Self.batch(6...7, from: "5", to: "7", epoch: "two"))
    }
    let later = try await self.row(store, chat)
    #expect(later.unreadCount == 2)
    await store.database.close()
  }

  @Test(
    "Answers that name another epoch are rejected, and answers that name none are accepted",
    .simulated(seeds: 1...1))
  func lateAnswers() async throws {
    let store = try await Self.store().store
    for epoch in ["one", "three"] {
      await #expect(throws: BackendError.self) {
        try await store.write(.kill) { try $0.requireCurrent(Epoch(rawValue: epoch)) }
      }
    }
    for epoch in [nil, Epoch(rawValue: "two")] {
      try await store.write(.kill) { try $0.requireCurrent(epoch) }
    }
    await store.database.close()
  }

  @Test(
    "A page requested before a server reset changes nothing, whether or not the page names its epoch",
    .simulated(seeds: 1...4),
    arguments: [true, false])
  func latePage(isTold: Bool) async throws {
    let gate = Mutex(false)
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
    try await EpochTests.fillAll(context)
    #expect(context.messages.texts == ["9", "10", "…", "a", "b", "c"])
    await bob.close()
  }

  @Test(
    "A receipt without an epoch is accepted only if no server reset has happened since its attempt began",
    .simulated(seeds: 1...1))
  func lateReceipt() async throws {
    let (store, chat) = try await Self.store()
    let sent = try await Self.compose("x", in: chat, of: store)
    let operation = try await store.read { try $0.select(OperationRow.self, "ORDER BY id").last?.id }
    let id = try #require(operation)
    _ = try await store.write(.kill) { try Attempts($0).start(id, mayRepeat: true) }
    _ = try await store.write(.kill) {
      try Intake($0).apply(Self.batch(1...2, from: nil, to: "2", epoch: "three"))
    }
    let receipt = SendReceipt(serverID: ServerMessageID(rawValue: "s6"), position: Position(rawValue: 6))
    await #expect(throws: BackendError.self) {
      try await store.write(.kill) { try Attempts($0).acknowledge(sent, receipt) }
    }
    _ = try await store.write(.kill) { try Attempts($0).start(id, mayRepeat: true) }
    try await store.write(.kill) { try Attempts($0).acknowledge(sent, receipt) }
    let row = try await store.read { try $0.find(MessageRow.self, sent) }
    #expect(row?.status == .sent)
    #expect(row?.rank == Rank(rawValue: 6))
    await store.database.close()
  }

  @Test(
    "A revised message of an earlier epoch keeps its place until its new place is known",
    .simulated(seeds: 1...1))
  func revisedOfBefore() async throws {
    let store = try await ChatStore.open(
      account: "bob", kinds: .standard,
      capabilities: ServerAbilities(idempotency: .forever, ordering: .dense, actions: .reactions),
      runtime: stage.runtime(named: "store"), derivations: Derivations.all)
    _ = try await store.write(.kill) {
      try Intake($0).apply(Self.batch(1...9, from: nil, to: "9", epoch: "one"))
    }
    _ = try await store.write(.kill) {
      try Intake($0).apply(Self.batch(8...9, from: nil, to: "9", epoch: "two"))
    }
    let before = try await store.read { try $0.first(MessageRow.self, "WHERE message_id = 'm3'") }
    let row = try #require(before)
    try await store.write(.kill) {
      try MessageActions($0).react("👍", to: row.id, isSet: true, as: ActionID(rawValue: "r"))
    }
    let operation = try await store.read { try $0.actions(on: row.id).last?.id }
    let id = try #require(operation)
    var answer = IncomingMessage.number(3)
    (answer.revision, answer.reactions) = (1, [Reaction("👍", users: ["bob"])])
    let message = answer
    try await store.write(.kill) { try MessageActions($0).complete(id, with: message) }
    let after = try await store.read { try $0.find(MessageRow.self, row.id) }
    #expect(after?.rank == row.rank)
    #expect(StoredReactions.decode(after?.reactions).first?.isBy("bob") == true)
    await store.database.close()
  }

  @Test(
    "After a server reset, the mentions of a message are replaced by those that the server returns",
    .simulated(seeds: 1...1))
  func mentionedBefore() async throws {
    let store = try await OddServerTests.store(stage)
    var message = IncomingMessage.number(1)
    for (epoch, mentions) in [
      ("one", Mentions(everyone: true)), ("two", .nobody), ("three", Mentions(everyone: true)),
    ] {
      message.mentions = mentions
      var batch = Self.batch(1...1, from: nil, to: "1", epoch: epoch)
      batch.conversations[0].messages = [message]
      let next = batch
      _ = try await store.write(.kill) { try Intake($0).apply(next) }
      let row = try await store.read { try $0.first(MessageRow.self, "ORDER BY id") }
      #expect(row?.isMention == (mentions != .nobody), "epoch \(epoch): \(String(describing: row))")
    }
    await store.database.close()
  }

  @Test("A reaction that the server has lost is removed", .simulated(seeds: 1...1))
  func lostReaction() async throws {
    let store = try await OddServerTests.store(stage)
    for (epoch, reactions) in [("one", [Reaction("👍", users: ["alice"])]), ("two", nil)] {
      var batch = Self.batch(1...1, from: nil, to: "1", epoch: epoch)
      batch.conversations[0].messages[0].reactions = reactions
      let next = batch
      _ = try await store.write(.kill) { try Intake($0).apply(next) }
      let row = try await store.read { try $0.first(MessageRow.self, "ORDER BY id") }
      #expect(
        StoredReactions.decode(row?.reactions) == reactions ?? [],
        "epoch \(epoch): \(String(describing: row))")
    }
    await store.database.close()
  }

  @Test(
    "A recalled reply shows no quote, even if its original changes at the same time", .simulated(seeds: 1...1)
  )
  func recalledReply() async throws {
    let store = try await OddServerTests.store(stage)
    var first = Self.batch(1...2, from: nil, to: "1", epoch: "one")
    first.conversations[0].messages[1].quote = IncomingQuote(
      message: MessageReference(
        sender: "alice", messageID: MessageID(rawValue: "m1"), serverID: ServerMessageID(rawValue: "s1")))
    var (edited, recalled) = (IncomingMessage.number(1), IncomingMessage.number(2))
    (edited.revision, edited.payload) = (1, Data(#"{"text":"other"}"#.utf8))
    (recalled.revision, recalled.kind, recalled.payload) = (
      1, RecalledContent.kind, RecalledContent.payload(by: "alice")
    )
    var second = Self.batch(1...2, from: "1", to: "2", epoch: "one")
    (second.conversations[0].count, second.conversations[0].messages) = (0, [])
    second.conversations[0].revised = [edited, recalled]
    for batch in [first, second] {
      _ = try await store.write(.kill) { try Intake($0).apply(batch) }
    }
    let rows = try await store.read { try $0.select(MessageRow.self, "ORDER BY rank") }
    #expect(rows.map(\.revision) == [1, 1])
    #expect(rows[1].quote == nil)
    await store.database.close()
  }

  @Test(
    "A page that was requested before the first sync but arrives later is rejected and can be loaded again",
    .simulated(seeds: 1...4))
  func earlyPage() async throws {
    let gate = Mutex(false)
    var options = ChatOptions()
    options.catchUpPageSize = 1
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    for number in 1...3 { try stage.server.post("\(number)", from: "alice", in: ref) }
    let bob = try await stage.client("bob", on: "bob", options: options) { backend in
      let runtime = backend.inner.runtime
      backend.onPage = { _, page in
        while !gate.withLock({ $0 }) { try await runtime.sleep(for: .seconds(1)) }
        return page
      }
    }
    let chat = try await bob.open(.direct("alice"))
    let context = bob.context(for: chat)
    try await bob.store.write(.kill) { try $0.change(chat) { $0.ref = ref } }
    let page = stage.runtime(named: "stage").spawn { try await context.fetchNewMessages() }
    try await stage.runtime(named: "stage").sleep(for: .seconds(10))
    let first = try #require(stage.server.messages(in: ref).first)
    _ = try stage.server.perform(
      OutgoingAction(
        id: ActionID(rawValue: "r"), conversation: ref,
        message: MessageReference(sender: "alice", messageID: first.messageID, serverID: first.serverID),
        action: .reaction("👍", isSet: true)), by: "alice")
    bob.start()
    for await state in bob.catchUpStates where state == .caughtUp { break }
    gate.withLock { $0 = true }
    await #expect(throws: BackendError.self) { try await page.value }
    try await EpochTests.fillAll(context)
    let shown = context.messages.compactMap(\.message).first
    #expect(shown?.content.displayedText == "1")
    #expect(shown?.reactions.isEmpty == false)
    await bob.close()
  }

  @Test(
    "If the server does not echo message ids, own messages are recognised by their server ids",
    .simulated(seeds: 1...1))
  func namelessEcho() async throws {
    let store = try await ChatStore.open(
      account: "bob", kinds: .standard,
      capabilities: ServerAbilities(idempotency: .none, ordering: .dense, echoesMessageID: .never),
      runtime: stage.runtime(named: "bob"), derivations: Derivations.all)
    let chat = try await Self.chat(in: store)
    let sent = try await Self.compose("x", in: chat, of: store)
    let receipt = SendReceipt(serverID: ServerMessageID(rawValue: "s1"), position: Position(rawValue: 1))
    try await store.write(.kill) { try Attempts($0).acknowledge(sent, receipt) }
    var echo = IncomingMessage.number(1)
    (echo.messageID, echo.sender) = (nil, "bob")
    var batch = Self.batch(1...1, from: nil, to: "1", epoch: "one")
    batch.conversations[0].messages = [echo]
    let first = batch
    _ = try await store.write(.kill) { try Intake($0).apply(first) }
    let rows = try await store.read { try $0.select(MessageRow.self, "ORDER BY id") }
    #expect(rows.map(\.id) == [sent])
    #expect(rows[0].status == .sent)
    await store.database.close()
  }

  @Test(
    "A receipt of an epoch not yet known marks the message as sent, without a position",
    .simulated(seeds: 1...1))
  func earlyReceipt() async throws {
    let (store, chat) = try await Self.store()
    let sent = try await Self.compose("x", in: chat, of: store)
    let receipt = SendReceipt(
      serverID: ServerMessageID(rawValue: "s2"), position: Position(rawValue: 2),
      epoch: Epoch(rawValue: "three"))
    try await store.write(.kill) { try Attempts($0).acknowledge(sent, receipt) }
    let row = try await store.read { try $0.find(MessageRow.self, sent) }
    #expect(row?.status == .sent)
    #expect(row?.rank.isUnsent == true)
    #expect(row?.serverID == nil)
    await store.database.close()
  }

  @Test("A reused server id does not change the message that had it before", .simulated(seeds: 1...1))
  func namesOnceMore() async throws {
    let store = try await Self.store().store
    for (epoch, sender) in [("three", "carol"), ("four", "alice")] {
      var batch = Self.batch(1...1, from: nil, to: "1", epoch: epoch)
      batch.conversations[0].messages[0] = IncomingMessage(
        serverID: ServerMessageID(rawValue: "notice"), messageID: nil, sender: UserID(rawValue: sender),
        position: Position(rawValue: 1), time: Timestamp(milliseconds: 100), kind: "text",
        payload: Data(#"{"text":"\#(sender)"}"#.utf8))
      let next = batch
      _ = try await store.write(.kill) { try Intake($0).apply(next) }
    }
    let rows = try await store.read {
      try $0.select(MessageRow.self, "WHERE sender <> 'alice' OR server_id = 'notice' ORDER BY rank")
    }
    #expect(
      rows.map { String(decoding: $0.payload, as: UTF8.self) } == [
        #"{"text":"carol"}"#, #"{"text":"alice"}"#,
      ])
    await store.database.close()
  }

  @Test(
    "A message whose receipt had no position is marked as lost if the server lacks it after a reset",
    .simulated(seeds: 1...1))
  func floating() async throws {
    let (store, chat) = try await Self.store()
    let sent = try await Self.compose("x", in: chat, of: store)
    try await store.write(.kill) { try Attempts($0).acknowledge(sent, SendReceipt()) }
    _ = try await store.write(.kill) {
      try Intake($0).apply(Self.batch(1...6, from: nil, to: "6", epoch: "three"))
    }
    let row = try await store.read { try $0.find(MessageRow.self, sent) }
    #expect(row?.failure?.code == .lost)
    #expect(row?.rank.isEarlier == true)
    await store.database.close()
  }

  @Test(
    "After a server reset, the revisions of a message are counted from the start", .simulated(seeds: 1...1))
  func revisions() async throws {
    let store = try await Self.store().store
    for (epoch, revisions) in [("three", [3]), ("four", [1, 2])] {
      var from: String?
      for revision in revisions {
        var batch = Self.batch(5...5, from: from, to: "\(revision)", epoch: epoch)
        batch.conversations[0].messages[0].revision = Int64(revision)
        batch.conversations[0].messages[0].payload = Data(#"{"text":"\#(epoch) \#(revision)"}"#.utf8)
        let next = batch
        _ = try await store.write(.kill) { try Intake($0).apply(next) }
        from = "\(revision)"
      }
    }
    let row = try await store.read { try $0.first(MessageRow.self, "WHERE server_id = 's5'") }
    let text = row.map { String(decoding: $0.payload, as: UTF8.self) }
    #expect(text == #"{"text":"four 2"}"#)
    await store.database.close()
  }

  private static func chat(in store: ChatStore) async throws -> ConversationID {
    try await store.write(.kill) { try ConversationBook($0).findOrCreate(Self.info) }
  }

  private static func compose(_ text: String, in chat: ConversationID, of store: ChatStore) async throws
    -> LocalMessageID
  {
    let draft = EncodedMessage(
      messageID: MessageID(rawValue: "own"), kind: "text", payload: Data(#"{"text":"\#(text)"}"#.utf8),
      needsPreparation: false)
    return try await store.write(.kill) { try Composing($0).compose(draft, in: chat).id }
  }

  @Test("A rejected cursor is discarded, and the stored messages stay as they are", .simulated)
  func rejectedCursor() async throws {
    let isRejecting = Mutex(false)
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
    #expect(Array(list.map(\.id).prefix(5)) == ids)
    await bob.close()
  }
}
