import Foundation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Clearing a chat")
struct ClearingTests {
  static let info = ConversationInfo(ref: ConversationRef(rawValue: "r"), type: .group)

  /// A store that has received one batch with messages at these positions and this `count`.
  private func store(
    _ stage: SimulatedStage, _ ordering: BackendCapabilities.Ordering, _ positions: [Int64], count: Int
  ) async throws -> (ChatStore, ConversationID) {
    let store = try await OddServerTests.store(stage, ordering: ordering)
    try await take(positions, count: count, from: nil, to: "1", store)
    let row = try await store.read { try $0.first(ConversationRow.self, "ORDER BY id") }
    return (store, try #require(row?.id))
  }

  private func take(
    _ positions: [Int64], own: Int64? = nil, count: Int, from: String?, to: String, _ store: ChatStore
  ) async throws {
    let messages = positions.map { position in
      var message = IncomingMessage.number(position)
      if position == own { (message.sender, message.messageID) = ("bob", MessageID(rawValue: "own")) }
      return message
    }
    let delta = ConversationDelta(info: Self.info, count: count, messages: messages)
    let batch = SyncBatch(
      from: from.map { SyncCursor(rawValue: $0) }, next: SyncCursor(rawValue: to), conversations: [delta])
    _ = try await store.write(.kill) { try Intake($0).apply(batch) }
  }

  /// Stores an own message that was cancelled during its attempt.
  private func uncertainMessage(in chat: ConversationID, _ store: ChatStore) async throws -> LocalMessageID {
    let draft = EncodedMessage(
      messageID: MessageID(rawValue: "own"), kind: "text", payload: Data("{}".utf8),
      needsPreparation: false)
    let sent = try await store.write(.kill) { try Composing($0).compose(draft, in: chat).id }
    let operation = try #require(try await store.read { try $0.operations(of: sent).first?.id })
    try await store.write(.kill) {
      _ = try Attempts($0).start(operation, mayRepeat: true)
      _ = try MessageEnds($0).cancel(sent)
    }
    return sent
  }

  private func spans(_ store: ChatStore, _ chat: ConversationID) async throws -> [Span] {
    try await store.read { database in
      let row = try database.find(ConversationRow.self, chat)
      return try database.spans(of: try #require(row), isDense: true).spans
    }
  }

  @Test(
    "A page that is requested before a chat is cleared, and arrives afterwards, leaves no gap",
    .simulated(seeds: 1...2))
  func latePage() async throws {
    let (store, chat) = try await self.store(stage, .dense, [11, 12], count: 12)
    try await store.write(.kill) { try Clearing($0).clear(chat) }
    let page = HistoryPage(
      messages: (1...10).map { .number($0) }, reachesStart: true, reachesEnd: false)
    _ = try await store.write(.kill) { try Intake($0).ingest(page, below: Rank(rawValue: 11), in: chat) }
    let spans = try await self.spans(store, chat)
    try #require(spans.count == 1)
    #expect(spans[0].reachesStart)
    await store.database.close()
  }

  @Test(
    "A deleted chat stays deleted when a sync without a cursor returns its messages again",
    .simulated(seeds: 1...2))
  func deletedTwiceTold() async throws {
    let (store, chat) = try await self.store(stage, .dense, [11, 12], count: 12)
    try await store.write(.kill) {
      try Clearing($0).deleteConversation(chat)
      try EpochChange($0).dropCursor(SyncCursor(rawValue: "1"))
    }
    try await self.take([11, 12], count: 12, from: nil, to: "2", store)
    var row = try await store.read { try $0.find(ConversationRow.self, chat) }
    #expect(row?.isHidden == true)
    try await self.take([18], count: 6, from: "2", to: "3", store)
    row = try await store.read { try $0.find(ConversationRow.self, chat) }
    #expect(row?.isHidden == false)
    await store.database.close()
  }

  @Test(
    "With sparse positions, a gap above cleared messages is full once a page reaches the cleared messages",
    .simulated(seeds: 1...2))
  func gapAbove() async throws {
    let (store, chat) = try await self.store(stage, .sparse, [10, 20], count: 2)
    try await store.write(.kill) { try Clearing($0).clear(chat) }
    try await self.take([50, 60], count: 4, from: "1", to: "2", store)
    let page = HistoryPage(
      messages: [10, 20, 30, 40].map { .number($0) }, reachesStart: false, reachesEnd: false)
    _ = try await store.write(.kill) { try Intake($0).ingest(page, below: Rank(rawValue: 50), in: chat) }
    let spans = try await self.spans(store, chat)
    try #require(spans.count == 1)
    #expect(spans[0].reachesStart)
    await store.database.close()
  }

  @Test(
    "If an own message is sent and cleared before a sync, the sync shows the new messages, but not the own one",
    .simulated(seeds: 1...2))
  func clearedAhead() async throws {
    let (store, chat) = try await self.store(stage, .dense, [10], count: 10)
    let draft = EncodedMessage(
      messageID: MessageID(rawValue: "own"), kind: "text", payload: Data("{}".utf8),
      needsPreparation: false)
    _ = try await store.write(.kill) { try Composing($0).compose(draft, in: chat) }
    let sending = try await store.read { try $0.first(OperationRow.self, "ORDER BY id")?.message }
    try await store.write(.kill) {
      try Attempts($0).acknowledge(try #require(sending), SendReceipt(position: Position(rawValue: 13)))
      try Clearing($0).clear(chat)
    }
    try await self.take([11, 12, 13, 14], own: 13, count: 4, from: "1", to: "2", store)
    let spans = try await self.spans(store, chat)
    try #require(spans.count == 1)
    #expect(spans[0].reachesStart)
    let shown = try await store.read {
      try $0.select(MessageRow.self, "WHERE is_hidden = 0 ORDER BY rank").compactMap(\.position?.rawValue)
    }
    #expect(shown == [11, 12, 14])
    await store.database.close()
  }

  @Test(
    "If a recall arrives before the message's receipt, the message is recalled even if the chat is cleared",
    .simulated(seeds: 1...2), arguments: [true, false])
  func recalledBeforeTheAnswer(isClearedFirst: Bool) async throws {
    let (store, chat) = try await self.store(stage, .dense, [10], count: 10)
    let draft = EncodedMessage(
      messageID: MessageID(rawValue: "own"), kind: "text", payload: Data("{}".utf8),
      needsPreparation: false)
    let sent = try await store.write(.kill) { try Composing($0).compose(draft, in: chat).id }
    let operation = try #require(try await store.read { try $0.operations(of: sent).first?.id })
    _ = try await store.write(.kill) { try Attempts($0).start(operation, mayRepeat: true) }
    // The server has the message at position 11, which the sync leaves out.
    try await take([12], count: 2, from: "1", to: "2", store)
    var recalled = IncomingMessage.number(11)
    (recalled.sender, recalled.messageID) = (store.account, MessageID(rawValue: "own"))
    (recalled.kind, recalled.payload) = (RecalledContent.kind, RecalledContent.payload(by: store.account))
    recalled.revision = 1
    let steps: [@Sendable (UnitOfWork) throws -> Void] = [
      { try Clearing($0).clear(chat) }, { [recalled] in try AbsentMessages($0).apply([recalled], in: chat) },
    ]
    for step in isClearedFirst ? steps : steps.reversed() { try await store.write(.kill, step) }
    let receipt = SendReceipt(serverID: recalled.serverID, position: recalled.position)
    try await store.write(.kill) { try Attempts($0).acknowledge(sent, receipt) }
    let row = try await store.read { try $0.message(sent) }
    #expect(row.isRecalled)
    await store.database.close()
  }

  @Test(
    "An uncertain message that was deleted stays hidden after its chat is cleared",
    .simulated(seeds: 1...2))
  func deletedUncertain() async throws {
    let (store, chat) = try await self.store(stage, .dense, [10], count: 10)
    let sent = try await uncertainMessage(in: chat, store)
    try await store.write(.kill) {
      _ = try Clearing($0).delete([sent])
      try Clearing($0).clear(chat)
    }
    let row = try await store.read { try $0.find(MessageRow.self, sent) }
    #expect(row?.status == .uncertain)
    #expect(row?.isHidden == true)
    await store.database.close()
  }

  @Test("A cleared uncertain message that a sync returns later is not shown", .simulated(seeds: 1...2))
  func clearedUncertain() async throws {
    let (store, chat) = try await self.store(stage, .dense, [10], count: 10)
    _ = try await uncertainMessage(in: chat, store)
    try await store.write(.kill) { try Clearing($0).clear(chat) }
    let named = try await store.read { [account = store.account] in try $0.unsentMessageNames(of: account) }
    #expect(named == [], "The files of a cleared message are not kept.")
    try await take([11, 12], own: 11, count: 2, from: "1", to: "2", store)
    let shown = try await store.read {
      try $0.select(MessageRow.self, "WHERE is_hidden = 0 ORDER BY rank").compactMap(\.position?.rawValue)
    }
    #expect(shown == [12])
    await store.database.close()
  }

  @Test(
    "Clearing a chat removes failed messages, even if an earlier message is still waiting",
    .simulated(seeds: 1...2))
  func failedBehindWaiting() async throws {
    let (store, chat) = try await self.store(stage, .dense, [10], count: 10)
    for (name, rejection) in [("waits", nil), ("failed", SendFailure(.rejected, "No."))]
      as [(String, SendFailure?)]
    {
      let draft = EncodedMessage(
        messageID: MessageID(rawValue: name), kind: "text", payload: Data("{}".utf8),
        needsPreparation: false, rejection: rejection)
      _ = try await store.write(.kill) { try Composing($0).compose(draft, in: chat) }
    }
    try await store.write(.kill) { try Clearing($0).clear(chat) }
    let left = try await store.read {
      try $0.select(MessageRow.self, "WHERE is_hidden = 0 ORDER BY rank").map(\.messageID.rawValue)
    }
    #expect(left == ["waits"])
    await store.database.close()
  }
}
