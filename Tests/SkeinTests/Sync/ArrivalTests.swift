import Foundation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Receiving without positions")
struct ArrivalTests {
  @Test(
    "A page closes the gap below a shortened sync only if the page has the last message before the gap",
    .simulated(seeds: 1...1))
  func gap() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3)
    try await server.sync(8, 9, isCut: true)
    try await server.shows("* 1 2 3 | 8 9")
    try await server.page(2, 6, 7, below: 8)
    try await server.shows("* 1 2 3 | 6 7 8 9")
    try await server.page(2, 3, 4, 5, below: 6)
    try await server.shows("* 1 2 3 4 5 6 7 8 9")
    await server.store.database.close()
  }

  @Test(
    "If a sync reports a gap but returns no messages, the next messages are placed above that gap",
    .simulated(seeds: 1...1))
  func nothingHandedOver() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    let delta = ConversationDelta(info: ArrivalServer.info, count: nil, messages: [])
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "1"), next: SyncCursor(rawValue: "1"), conversations: [delta])
    _ = try await server.store.write(.kill) { try Intake($0).apply(batch) }
    try await server.sync(9)
    try await server.shows("* 1 2 | 9")
    await server.store.database.close()
  }

  @Test(
    "A page that begins at the start of a trimmed history does not join the messages below it",
    .simulated(seeds: 1...1))
  func trimmed() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(10, 11, isCut: true)
    try await server.sync(30, isCut: true)
    try await server.page(20, 21, above: 2, reachesStart: true)
    try await server.shows("* 1 2 | 10 11 | * 20 21 | 30")
    await server.store.database.close()
  }

  @Test(
    "A conversation that is new in a later sync has no gap if the sync states that it returns the first message",
    .simulated(seeds: 1...1))
  func newConversation() async throws {
    let server = try await ArrivalServer()
    try await server.syncNothing()
    try await server.sync(1, 2, reachesStart: true)
    try await server.shows("* 1 2")
    await server.store.database.close()
  }

  @Test(
    "A shortened sync that returns the first remaining message shows that the messages before it are lost",
    .simulated(seeds: 1...1))
  func trimmedBeforeSync() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(8, 9, isCut: true, reachesStart: true)
    try await server.shows("* 1 2 | * 8 9")
    await server.store.database.close()
  }

  @Test("Messages that occur twice in a sync do not hide a gap", .simulated(seeds: 1...1))
  func repeated() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    var messages = [3, 4, 3, 4].map { IncomingMessage.number($0) }
    for index in messages.indices { messages[index].position = nil }
    let delta = ConversationDelta(info: ArrivalServer.info, count: 3, messages: messages)
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "1"), next: SyncCursor(rawValue: "2"), conversations: [delta])
    _ = try await server.store.write(.kill) { try Intake($0).apply(batch) }
    try await server.shows("* 1 | 3 4")
    await server.store.database.close()
  }

  @Test("If an answer has two copies of a message, the first one has the place", .simulated(seeds: 1...1))
  func copies() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    var messages = [3, 4, 5].map { IncomingMessage.number($0) }
    messages[0].messageID = messages[1].messageID
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "1"), next: SyncCursor(rawValue: "1"),
      conversations: [ConversationDelta(info: ArrivalServer.info, count: nil, messages: messages)])
    _ = try await server.store.write(.kill) { try Intake($0).apply(batch) }
    try await server.shows("* 1 | 3 5")
    try await server.sync(9, isCut: true)
    let page = HistoryPage(
      messages: [.number(2)] + messages + [.number(6)], reachesStart: false, reachesEnd: false)
    let (chat, edge) = try await (server.chat(), server.rows()[3].rank)
    _ = try await server.store.write(.kill) { try Intake($0).ingest(page, below: edge, in: chat) }
    try await server.shows("* 1 | 2 3 5 6 9")
    await server.store.database.close()
  }

  @Test(
    "If an answer has two copies of a stored message, the stored one has the place", .simulated(seeds: 1...1))
  func copyBeforeStored() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    try await server.sync(4, 5, isCut: true)
    try await server.sync(9, isCut: true)
    try await server.shows("* 1 | 4 5 | 9")
    var messages = [2, 3, 4, 5, 6].map { IncomingMessage.number($0) }
    messages[1].messageID = messages[2].messageID
    let page = HistoryPage(messages: messages, reachesStart: false, reachesEnd: false)
    let (chat, edge) = try await (server.chat(), server.rows()[3].rank)
    _ = try await server.store.write(.kill) { try Intake($0).ingest(page, below: edge, in: chat) }
    try await server.shows("* 1 | 2 4 5 6 9")
    await server.store.database.close()
  }

  @Test("Two senders may use one message id", .simulated(seeds: 1...1))
  func sameNames() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    var messages = [2, 3].map { IncomingMessage.number($0) }
    (messages[1].sender, messages[1].messageID) = ("carol", messages[0].messageID)
    for index in messages.indices { messages[index].position = nil }
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "1"), next: SyncCursor(rawValue: "2"),
      conversations: [ConversationDelta(info: ArrivalServer.info, count: 2, messages: messages)])
    _ = try await server.store.write(.kill) { try Intake($0).apply(batch) }
    try await server.shows("* 1 2 3")
    await server.store.database.close()
  }

  @Test("A waiting message is not taken for another message with the same text", .simulated(seeds: 1...1))
  func sameText() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    try await server.compose(2)
    try await server.sync(2)
    try await server.shows("* 1 2 | ~?")
    await server.store.database.close()
  }

  @Test("In a new epoch, the gaps of the earlier epoch are not requested any more", .simulated(seeds: 1...1))
  func tokenOfEarlierEpoch() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, epoch: "first")
    try await server.sync(5, isCut: true)
    try await server.shows("* 1 | 5")
    try await server.sync(7, isCut: true, epoch: "second")
    try await server.shows("* ? | * ? | 7")
    await server.store.database.close()
  }

  @Test("A copy of a message changes the message, but not its server id", .simulated(seeds: 1...1))
  func copy() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3)
    var copy = IncomingMessage.number(2)
    (copy.serverID, copy.time, copy.revision) = (
      ServerMessageID(rawValue: "s9"), Timestamp(milliseconds: 9), 1
    )
    copy.payload = Data(#"{"text":"edited"}"#.utf8)
    let delta = ConversationDelta(info: ArrivalServer.info, count: 1, messages: [copy])
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "1"), next: SyncCursor(rawValue: "2"), conversations: [delta])
    _ = try await server.store.write(.kill) { try Intake($0).apply(batch) }
    try await server.shows("* 1 2 3")
    let row = try await server.rows()[1]
    #expect(row.payload == copy.payload)
    #expect(row.time == Timestamp(milliseconds: 2))
    await server.store.database.close()
  }

  @Test(
    "A gap above cleared messages is filled down to them, and none of them is restored",
    .simulated(seeds: 1...1))
  func clearing() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3)
    try await server.page(2, 3, 4, 5)
    try await server.shows("* 1 2 3 4 5")
    try await server.clear()
    // Messages 4 and 5 came in a page before. No sync has returned them yet.
    try await server.sync(4, 5, 6)
    try await server.shows("* 6")
    try await server.sync(9, isCut: true)
    try await server.page(3, 4, 5, 6, 7, 8, below: 9)
    try await server.shows("* 6 7 8 9")
    try await server.page(1, 2, 3)
    try await server.shows("* 6 7 8 9")
    await server.store.database.close()
  }

  @Test("The hidden row of the last cleared message has no content in another epoch", .simulated)
  func hiddenContent() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.clear()
    try await server.sync(1, 2, 3, epoch: "b")
    let hidden = try await server.store.read { try $0.select(MessageRow.self, "WHERE is_hidden = 1") }
    #expect(!hidden.isEmpty)
    #expect(hidden.allSatisfy { $0.payload.isEmpty })
    await server.store.database.close()
  }

  @Test(
    "Cleared messages are not restored after a server reset, even if the server has lost the last of them",
    .simulated(seeds: 1...1),
    arguments: [true, false])
  func clearedBefore(isCut: Bool) async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3, epoch: "one")
    try await server.clear()
    try await server.sync(1, 2, 4, 5, isCut: isCut, epoch: "two")
    try await server.shows("* 4 5")
    try await server.page(1, 2, 4, 5)
    try await server.page(1, 2)
    try await server.sync(2, 4, 5, 6)
    try await server.shows("* 4 5 6")
    await server.store.database.close()
  }

  @Test(
    "A sync places a sent message that has no position, and the message replaces a copy synced before its receipt",
    .simulated(seeds: 1...1))
  func receipts() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    let chat = try await server.chat()
    var sent: [LocalMessageID] = []
    for number in 2...3 {
      let draft = EncodedMessage(
        messageID: MessageID(rawValue: "own\(number)"), kind: "text",
        payload: Data(#"{"text":"\#(number)"}"#.utf8), needsPreparation: false)
      sent.append(try await server.store.write(.kill) { try Composing($0).compose(draft, in: chat).id })
    }
    let (first, second) = (sent[0], sent[1])
    try await server.store.write(.kill) {
      try Attempts($0).acknowledge(first, SendReceipt(serverID: ServerMessageID(rawValue: "s2")))
    }
    try await server.shows("* 1 | ~2 | ~?")
    try await server.sync(2, 3, 4, named: false)
    try await server.store.write(.kill) {
      try Attempts($0).acknowledge(second, SendReceipt(serverID: ServerMessageID(rawValue: "s3")))
    }
    try await server.shows("* 1 2 3 4")
    let rows = try await server.rows()
    #expect(rows[1].id == first, "\(rows.map(\.id))")
    #expect(rows[2].id == second, "\(rows.map(\.id))")
    await server.store.database.close()
  }

  /// A server that has only history, and a page for each token.
  private struct Pages: ChatBackend {
    let capabilities = BackendCapabilities(idempotency: .none, ordering: .arrival)
    let page: @Sendable (HistoryToken?) -> HistoryPage

    func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {}
    func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch { throw Self.unsupported }
    func send(_ message: OutgoingMessage) async throws -> SendReceipt { throw Self.unsupported }
    func open(_ request: ConversationRequest) async throws -> ConversationInfo { throw Self.unsupported }

    func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
      -> HistoryPage
    {
      guard case .token(let token) = anchor else { return page(nil) }
      return page(token)
    }

    private static let unsupported = BackendError(.unsupported, "It has history alone.")
  }

  @Test("A page keeps its token, although the page before it is empty", .simulated(seeds: 1...1))
  func lostToken() async throws {
    let server = try await ArrivalServer()
    try await server.sync(6, isCut: true)
    let chat = try await server.chat()
    let backend = Pages { token in
      guard token == HistoryToken(rawValue: "before 6") else {
        return HistoryPage(messages: [], reachesStart: false, reachesEnd: false)
      }
      return HistoryPage(
        messages: [3, 4, 5].map { .number($0) }, reachesStart: false, reachesEnd: false,
        previous: HistoryToken(rawValue: "before 3"))
    }
    let loader = RemoteMessageLoader(conversation: chat, store: server.store, backend: backend)
    let spans = {
      try await server.store.read { database in
        try database.spans(of: try #require(try database.find(ConversationRow.self, chat)), isDense: false)
      }
    }
    let before = try await spans()
    let gap = try #require(before.openGap(below: before.spans[0].lower, passing: []))
    #expect(try await loader.loadMessages(in: gap, .older, limit: 10))
    try await server.shows("3 4 5 6")
    #expect(try await spans().spans[0].lowerToken == HistoryToken(rawValue: "before 3"))
    await server.store.database.close()
  }

  @Test(
    "A gap that can be loaded only from its older side is not given up after one empty page",
    .simulated(seeds: 1...1))
  func emptyPage() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.page(1, 2, next: HistoryToken(rawValue: "after 2"))
    try await server.sync(9, isCut: true, canPage: false)
    try await server.shows("* 1 2 | 9")
    let chat = try await server.chat()
    let row = try await server.store.read { try $0.find(ConversationRow.self, chat) }
    let spans = try await server.store.read { try $0.spans(of: try #require(row), isDense: false) }
    let gap = try #require(spans.openGap(below: spans.spans[1].lower, passing: []))
    let backend = Pages { _ in
      HistoryPage(
        messages: [], reachesStart: false, reachesEnd: false, next: HistoryToken(rawValue: "after nothing"))
    }
    let loader = RemoteMessageLoader(conversation: chat, store: server.store, backend: backend)
    let isNews = try await loader.loadMessages(in: gap, .newer, limit: 10)
    #expect(!isNews)
    await server.store.database.close()
  }

  @Test(
    "Without a contact list, a sync closes a chat that was left elsewhere, and opens it when it reports it again",
    .simulated(seeds: 1...1))
  func leftElsewhere() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    try await server.compose(2)
    let info = ArrivalServer.info
    func sync(_ number: Int, _ conversations: [ConversationDelta], left: [ConversationRef] = []) async throws
    {
      let batch = SyncBatch(
        from: SyncCursor(rawValue: "\(number)"), next: SyncCursor(rawValue: "\(number + 1)"),
        conversations: conversations, left: left)
      _ = try await server.store.write(.kill) { try Intake($0).apply(batch) }
    }
    try await sync(1, [], left: [info.ref, ConversationRef(rawValue: "unknown")])
    #expect(try await server.row().isClosed)
    #expect(try await server.rows().map(\.status) == [.sent, .failed])
    try await sync(2, [ConversationDelta(info: info, count: 0, messages: [])])
    #expect(try await !server.row().isClosed)
    // A report that is older than the leaving of this device changes nothing.
    let id = try await server.chat()
    try await server.store.write(.kill) { work in
      try ConversationEnds(work).leave(id)
      let operation = try #require(try work.rows.leaving(id))
      try ConversationEnds(work).completeLeaving(operation.id)
    }
    try await sync(3, [ConversationDelta(info: info, count: 0, messages: [])])
    #expect(try await server.row().isClosed)
    try await sync(4, [], left: [info.ref])
    try await sync(5, [ConversationDelta(info: info, count: 0, messages: [])])
    #expect(try await !server.row().isClosed)
    await server.store.database.close()
  }

  @Test(
    "A chat whose messages were removed after it was left shows and counts what comes later",
    .simulated(seeds: 1...1), arguments: [true, false])
  func purged(isCleared: Bool) async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3)
    try await server.sync(5, 6, isCut: true)
    let chat = try await server.chat()
    try await server.store.write(.kill) { work in
      if isCleared {
        try Clearing(work).clear(chat)
      } else {
        try ConversationBook(work).markRead(chat, tellsServer: false)
      }
      try ConversationEnds(work).close(chat)
      #expect(try ConversationEnds(work).purge(chat))
    }
    try await server.sync(7, 8, isCut: true)
    #expect(try await server.order() == "7 8")
    #expect(try await server.row().unreadCount == 2)
    #expect(try await server.row().isClosed == false)
    try await server.sync(9)
    #expect(try await server.order() == "7 8 9")
    await server.store.database.close()
  }

  @Test(
    "A sync that is behind the cleared messages of a page restores none of them", .simulated(seeds: 1...1),
    arguments: [true, false])
  func clearedAhead(isCut: Bool) async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.page(9, 10)
    try await server.clear()
    try await server.sync(3, 4, isCut: isCut)
    #expect(try await server.order() == "")
    try await server.sync(5, 6, 7, 8, 9, 10, 11)
    try await server.shows("* 11")
    #expect(try await server.row().unreadCount == 1)
    await server.store.database.close()
  }

  @Test(
    "A message that was cleared does not return with a sync that ends before the last cleared one",
    .simulated(seeds: 1...1))
  func clearedBetween() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3)
    try await server.page(2, 3, 4, 5)
    try await server.clear()
    try await server.sync(4)
    try await server.sync(5, 6)
    try await server.shows("* 6")
    await server.store.database.close()
  }

  @Test(
    "A flagged message with the lowest revision there is can be received again from the beginning",
    .simulated(seeds: 1...1))
  func lowestRevision() async throws {
    let server = try await ArrivalServer()
    var message = IncomingMessage.number(1)
    (message.revision, message.flags) = (.min, [.star: message.time])
    let delta = ConversationDelta(info: ArrivalServer.info, count: 1, messages: [message])
    let batch = SyncBatch(from: nil, next: SyncCursor(rawValue: "1"), conversations: [delta])
    for _ in 1...2 {
      _ = try await server.store.write(.kill) { work in
        try EpochChange(work).dropCursor(work.account.cursor)
        return try Intake(work).apply(batch)
      }
    }
    try await server.shows("* 1")
    await server.store.database.close()
  }

  @Test(
    "An action that this version can't decode ends, and is no longer shown as waiting",
    .simulated(seeds: 1...1))
  func undecodable() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    let id = try await server.send(2)
    try await server.store.write(.kill) { work in
      try MessageActions(work).edit(id, "text", Data("{}".utf8), nil, as: ActionID(rawValue: "a"))
      var operation = try #require(try work.rows.actions(on: id).first)
      operation.parameters = Data("damaged".utf8)
      _ = try work.rows.update(operation)
      #expect(try MessageActions(work).startAttempt(operation) == nil)
      #expect(try work.rows.message(id).pending == nil)
    }
    await server.store.database.close()
  }
}
