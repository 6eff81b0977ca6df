import Foundation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Sent messages without positions")
struct FloatingMessageTests {
  @Test(
    "A sent message that a shortened sync left out is listed in the gap, until a page returns it",
    .simulated(seeds: 1...1))
  func gap() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.send(5)
    #expect(try await server.order() == "1 2 5")
    try await server.sync(8, 9, isCut: true)
    #expect(try await server.order() == "1 2 5 8 9")
    try await server.page(2, 3, 4, 5, 6, 7, below: 8)
    try await server.shows("* 1 2 3 4 5 6 7 8 9")
    await server.store.database.close()
  }

  @Test("A receipt after a shortened sync places its message in the gap", .simulated(seeds: 1...1))
  func lateReceipt() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(8, 9, isCut: true)
    try await server.send(5)
    #expect(try await server.order() == "1 2 5 8 9")
    try await server.send(10)
    #expect(try await server.order() == "1 2 5 8 9 10")
    await server.store.database.close()
  }

  @Test(
    "A page that is placed in a gap has the sent messages of the gap on the sides on which their times are",
    .simulated(seeds: 1...1))
  func split() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.send(5)
    try await server.send(15)
    try await server.sync(20, 21, isCut: true)
    #expect(try await server.order() == "1 2 5 15 20 21")
    try await server.page(10, 11)
    #expect(try await server.order() == "1 2 5 10 11 15 20 21")
    await server.store.database.close()
  }

  @Test(
    "A long page that is placed in a gap stays below the sent messages that are newer",
    .simulated(seeds: 1...1))
  func many() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    for number in Int64(15)...18 { try await server.send(number) }
    try await server.sync(20, 21, isCut: true)
    try await server.page(5, 6, 7, 8, 9, 10)
    #expect(try await server.order() == "1 2 5 6 7 8 9 10 15 16 17 18 20 21")
    await server.store.database.close()
  }

  @Test(
    "A sent message that the server has deleted stays between the ends of its gap when a page closes it",
    .simulated(seeds: 1...1))
  func deleted() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.send(5)
    try await server.sync(8, 9, isCut: true)
    try await server.page(2, 3, 4, 6, 7, 8)
    #expect(try await server.order() == "1 2 3 4 6 7 5 8 9")
    await server.store.database.close()
  }

  @Test(
    "A message that a sync has recalled stays recalled when an older look-up ends", .simulated(seeds: 1...1))
  func lateLookUp() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    let id = try await server.compose(2)
    var message = IncomingMessage.number(2)
    message.sender = "bob"
    try await server.store.write(.kill) { [message] work in
      try Attempts(work).adopt(id, message)
      var recalled = message
      (recalled.kind, recalled.payload) = (RecalledContent.kind, RecalledContent.payload(by: "bob"))
      recalled.revision = 1
      try MessageMerge(work).merge(changed: recalled, into: try work.rows.message(id))
      try Attempts(work).adopt(id, message)
    }
    #expect(try await server.store.read { try $0.message(id).isRecalled })
    await server.store.database.close()
  }

  @Test(
    "A message that a sync has returned stays as it is when an older look-up ends", .simulated(seeds: 1...1))
  func editedDuringLookUp() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    let id = try await server.compose(2)
    var message = IncomingMessage.number(2)
    message.sender = "bob"
    var edited = message
    edited.payload = Data(#"{"text":"edited"}"#.utf8)
    let delta = ConversationDelta(info: ArrivalServer.info, count: 1, messages: [edited])
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "1"), next: SyncCursor(rawValue: "2"), conversations: [delta])
    try await server.store.write(.kill) { [message] work in
      _ = try Intake(work).apply(batch)
      try Attempts(work).adopt(id, message)
    }
    #expect(try await server.store.read { try $0.message(id).payload } == edited.payload)
    await server.store.database.close()
  }

  @Test(
    "A change that is reported before the receipt is kept, even if the server counts no revisions",
    .simulated(seeds: 1...1))
  func changedBeforeReceipt() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    let id = try await server.compose(2)
    let chat = try await server.chat()
    var changed = IncomingMessage.number(2)
    (changed.position, changed.sender) = (nil, "bob")
    changed.reactions = [Reaction("+", users: ["alice"])]
    try await server.store.write(.kill) { [changed] in try AbsentMessages($0).apply([changed], in: chat) }
    try await server.acknowledge(id, 2)
    let row = try await server.store.read { try $0.message(id) }
    #expect(StoredReactions.decode(row.reactions) == changed.reactions)
    await server.store.database.close()
  }

  @Test(
    "A sent message with the time of the first synced message is listed above it", .simulated(seeds: 1...1))
  func sameTime() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.send(7, at: 8)
    try await server.sync(8, 9, isCut: true)
    #expect(try await server.order() == "1 2 7 8 9")
    await server.store.database.close()
  }

  @Test("A sent message that is older than the server's history is listed above it", .simulated(seeds: 1...1))
  func trimmed() async throws {
    let server = try await ArrivalServer()
    try await server.sync()
    try await server.send(1)
    try await server.page(6, 7, reachesStart: true)
    try await server.sync(8)
    #expect(try await server.order() == "1 6 7 8")
    // Lower ranks are those of earlier epochs.
    #expect(try await server.rows().first?.rank == .beforeHistory)
    await server.store.database.close()
  }

  @Test(
    "Clearing a chat clears sent messages without a place, and a sync does not show them again",
    .simulated(seeds: 1...1))
  func cleared() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.send(5)
    let chat = try await server.chat()
    try await server.store.write(.kill) { try Clearing($0).clear(chat) }
    #expect(try await server.order() == "")
    try await server.sync(3, 4, 5, 6)
    #expect(try await server.order() == "3 4 6")
    try await server.shows("* 3 4 6")
    await server.store.database.close()
  }

  @Test(
    "A message that was unsent when its chat was cleared has its place before the later messages",
    .simulated(seeds: 1...1))
  func unsentWhenCleared() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 3)
    let chat = try await server.chat()
    let waiting = try await server.compose(2)
    try await server.store.write(.kill) { try Clearing($0).clear(chat) }
    try await server.sync(4, 5)
    try await server.acknowledge(waiting, 2)
    #expect(try await server.order() == "2 4 5")
    await server.store.database.close()
  }

  @Test(
    "A message that was unsent when a history from its start was cleared does not count as one of an earlier epoch",
    .simulated(seeds: 1...1))
  func unsentWhenClearedFromStart() async throws {
    let server = try await ArrivalServer()
    try await server.sync()
    try await server.sync(1, 3)
    let chat = try await server.chat()
    let waiting = try await server.compose(2)
    try await server.store.write(.kill) { try Clearing($0).clear(chat) }
    try await server.sync(4, 5)
    try await server.acknowledge(waiting, 2)
    #expect(try await server.order() == "2 4 5")
    #expect(try await server.rows().map(\.isPlaced) == [true, true, true])
    await server.store.database.close()
  }

  @Test(
    "A late receipt lists a message that the server had lost below the messages of the new epoch",
    .simulated(seeds: 1...1))
  func lateReceiptAfterReset() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, epoch: "first")
    let sent = try await server.send(3)
    try await server.sync(4, 5, epoch: "second")
    try await server.acknowledge(sent, 6, epoch: Epoch(rawValue: "second"))
    #expect(try await server.order() == "? ? 4 5 6")
    await server.store.database.close()
  }

  @Test(
    "A message whose receipt named no server id gets its place and its id from the answer that returns it",
    .simulated(seeds: 1...1))
  func receiptWithoutName() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    let sent = try await server.compose(10)
    try await server.store.write(.kill) {
      try Attempts($0).acknowledge(sent, SendReceipt(time: Timestamp(milliseconds: 3)))
    }
    try await server.sync(8, 9, isCut: true)
    #expect(try await server.order() == "1 2 ? 8 9")
    try await server.page(2, 3, 4, 7, below: 8)
    var own = IncomingMessage.number(10)
    own.sender = "bob"
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "2"), next: SyncCursor(rawValue: "3"),
      conversations: [ConversationDelta(info: ArrivalServer.info, count: 1, messages: [own])])
    _ = try await server.store.write(.kill) { try Intake($0).apply(batch) }
    try await server.shows("* 1 2 3 4 7 8 9 10")
    await server.store.database.close()
  }

  @Test(
    "A sent message is listed by the time of its receipt, even if the receipt is empty",
    .simulated(seeds: 1...1))
  func timeOfEmptyReceipt() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    let waiting = try await server.compose(5)
    let composed = try #require(try await server.rows().last?.time)
    try await server.store.runtime.sleep(for: .seconds(60))
    try await server.store.write(.kill) { try Attempts($0).acknowledge(waiting, SendReceipt()) }
    let sent = try #require(try await server.rows().last?.time)
    #expect(sent.rawValue - composed.rawValue >= 60_000)
    await server.store.database.close()
  }

  @Test(
    "A message whose receipt states no time is listed below earlier messages, even if the device's clock is slow",
    .simulated(seeds: 1...1))
  func slowClock() async throws {
    let server = try await ArrivalServer()
    let tomorrow = server.store.clock.now + .seconds(86_400)
    try await server.sync(1, 2, at: tomorrow.rawValue)
    let sent = try await server.compose(3)
    let receipt = SendReceipt(serverID: ServerMessageID(rawValue: "s3"))
    try await server.store.write(.kill) { try Attempts($0).acknowledge(sent, receipt) }
    #expect(try await server.order() == "1 2 3")
    try await server.sync(8, isCut: true, at: tomorrow.rawValue + 8)
    #expect(try await server.order() == "1 2 3 8")
    await server.store.database.close()
  }

  @Test(
    "A receipt without a time does not change the time of a message that a sync has returned before",
    .simulated(seeds: 1...1))
  func lateReceiptWithoutTime() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    let sent = try await server.compose(2)
    var own = IncomingMessage.number(2)
    own.sender = "bob"
    let page = HistoryPage(messages: [own], reachesStart: false, reachesEnd: true)
    let chat = try await server.chat()
    try await server.store.write(.kill) { work in
      try Intake(work).ingest(page, in: chat)
      try Attempts(work).acknowledge(sent, SendReceipt())
    }
    let row = try #require(try await server.rows().last)
    #expect(row.status == .sent)
    #expect(row.time == own.time)
    await server.store.database.close()
  }

  @Test(
    "A message whose time is an estimate counts as lost only once the whole history is known",
    .simulated(seeds: 1...1))
  func estimatedTimeAfterReset() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, epoch: "first")
    let sent = try await server.compose(2)
    try await server.store.write(.kill) { try Attempts($0).acknowledge(sent, SendReceipt()) }
    try await server.sync(1, 3, isCut: true, epoch: "second")
    #expect(try await server.rows().map(\.status) == [.sent, .sent, .sent])
    try await server.page(1, below: 1, reachesStart: true)
    #expect(try await server.rows().filter { $0.status == .failed }.map(\.id) == [sent])
    await server.store.database.close()
  }

  @Test(
    "A change that states the times of messages in a gap lists them in the order of these times",
    .simulated(seeds: 1...1))
  func changedInGap() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    let chat = try await server.chat()
    for number: Int64 in 3...4 {
      let sent = try await server.compose(number)
      try await server.store.write(.kill) { try Attempts($0).acknowledge(sent, SendReceipt()) }
    }
    let later = server.store.clock.now.rawValue + 1_000_000
    try await server.sync(8, isCut: true, at: later)
    func change(_ number: Int64) async throws {
      var changed = IncomingMessage.number(number)
      (changed.position, changed.sender, changed.revision) = (nil, "bob", 1)
      try await server.store.write(.kill) { [changed] in try AbsentMessages($0).apply([changed], in: chat) }
    }
    try await change(4)
    #expect(try await server.order() == "1 4 ? 8")
    try await change(3)
    #expect(try await server.order() == "1 3 4 8")
    await server.store.database.close()
  }

  @Test(
    "A message whose time is an estimate gets its place from the answer that returns it, wherever it was listed",
    .simulated(seeds: 1...1))
  func wrongGuess() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    let later = server.store.clock.now.rawValue + 86_400_000
    let own = try await server.compose(10)
    try await server.acknowledge(own, 10, isTimed: false)
    try await server.sync(8, 9, isCut: true, at: later)
    try await server.page(2, 3, 4, 5, 6, 7, below: 8, at: later)
    try await server.sync(10)
    try await server.shows("* 1 2 3 4 5 6 7 8 9 10")
    await server.store.database.close()
  }

  @Test(
    "A complete sync does not move a message whose time is an estimate below its messages",
    .simulated(seeds: 1...1))
  func slowClockAtPost() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    let own = try await server.compose(10)
    try await server.acknowledge(own, 10, isTimed: false)
    try await server.sync(8, at: server.store.clock.now.rawValue + 86_400_000)
    #expect(try await server.order() == "1 2 8 10")
    await server.store.database.close()
  }

  @Test(
    "A message whose time is an estimate stays where it is listed when the receipt of the next one arrives",
    .simulated(seeds: 1...1))
  func nextReceipt() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.acknowledge(server.compose(10), 10, isTimed: false)
    try await server.sync(8, 9, at: server.store.clock.now.rawValue + 86_400_000)
    try await server.acknowledge(server.compose(11), 11, isTimed: false)
    #expect(try await server.order() == "1 2 8 9 10 11")
    await server.store.database.close()
  }

  @Test(
    "A sent message that a page has narrowed the gap of stays in what is left of the gap",
    .simulated(seeds: 1...1))
  func narrowed() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.send(5)
    try await server.sync(8, 9, isCut: true)
    try await server.page(2, 3, 4, 6, 7)
    #expect(try await server.order() == "1 2 3 4 6 7 5 8 9")
    await server.store.database.close()
  }

  @Test(
    "A page without anything newer does not move a message whose time is an estimate",
    .simulated(seeds: 1...1))
  func knownPage() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.acknowledge(server.compose(10), 10, isTimed: false)
    let tomorrow = server.store.clock.now.rawValue + 86_400_000
    try await server.sync(8, 9, at: tomorrow)
    try await server.page(8, 9, at: tomorrow)
    #expect(try await server.order() == "1 2 8 9 10")
    await server.store.database.close()
  }
}
