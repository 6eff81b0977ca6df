import SkeinStorage
import Testing

@testable import Skein

@Suite("Answers placed by the server's times")
struct FreeAnchorsTests {
  @Test(
    "A shortened sync with messages older than those of a stored page is placed below that page",
    .simulated(seeds: 1...1))
  func oldAnswer() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.page(9, 10)
    try await server.sync(6, 7, isCut: true)
    try await server.shows("* 1 2 | 6 7 | 9 10")
    try await server.sync(8, 9, 10, 11)
    try await server.shows("* 1 2 | 6 7 8 9 10 11")
    await server.store.database.close()
  }

  @Test(
    "A shortened sync is placed above the last one, even if the clock of an earlier sender was ahead",
    .simulated(seeds: 1...1))
  func wrongClock() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, isCut: true, at: 9_000_000)
    try await server.sync(6, 7, isCut: true, at: 8_000_000)
    try await server.shows("1 2 | 6 7")
    #expect(try await server.row().unreadCount == 4)
    await server.store.database.close()
  }

  @Test("A page with the times of stored messages is placed below them", .simulated(seeds: 1...1))
  func sameTimes() async throws {
    let server = try await ArrivalServer()
    try await server.sync()
    try await server.page(9, 10, at: 5)
    try await server.page(6, 7, at: 5)
    try await server.shows("* | 6 7 | 9 10")
    await server.store.database.close()
  }

  @Test(
    "A page from the past stays below the newest messages, even if the last one has an old time",
    .simulated(seeds: 1...1))
  func oldTime() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(7, 8, 9, 10, 11, isCut: true)
    try await server.sync(12, at: 3)
    try await server.page(5, 6)
    try await server.shows("* 1 2 | 5 6 | 7 8 9 10 11 12")
    try await server.sync(13)
    try await server.shows("* 1 2 | 5 6 | 7 8 9 10 11 12 13")
    await server.store.database.close()
  }

  @Test(
    "A complete sync that is older than a stored page is placed below it, and the next one joins the two",
    .simulated(seeds: 1...1))
  func oldCompleteSync() async throws {
    let server = try await ArrivalServer()
    try await server.syncNothing()
    try await server.sync()
    try await server.page(8, 9, 10)
    try await server.sync(1)
    try await server.shows("1 | 8 9 10")
    try await server.sync(2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
    try await server.shows("1 2 3 4 5 6 7 8 9 10 11")
    await server.store.database.close()
  }

  @Test(
    "A complete sync after one that omitted everything is listed last, even if its time is old",
    .simulated(seeds: 1...1))
  func completeAfterNothing() async throws {
    let server = try await ArrivalServer()
    try await server.sync(2, 4, 6)
    try await server.sync(isCut: true)
    try await server.sync(7, at: 3)
    try await server.sync(8)
    #expect(try await server.order() == "2 4 6 7 8")
    await server.store.database.close()
  }

  @Test(
    "A shortened sync is placed by its middle time: a wrong time of its last message does not decide",
    .simulated(seeds: 1...1))
  func wrongLastTime() async throws {
    let server = try await ArrivalServer()
    try await server.sync(5, 6, 7)
    var messages = [20, 21, 22].map { IncomingMessage.number($0) }
    messages[2].time = Timestamp(milliseconds: 3)
    let delta = ConversationDelta(info: ArrivalServer.info, count: nil, messages: messages)
    let batch = SyncBatch(from: nil, next: SyncCursor(rawValue: "9"), conversations: [delta])
    _ = try await server.store.write(.kill) { work in
      try EpochChange(work).dropCursor(SyncCursor(rawValue: "1"))
      return try Intake(work).apply(batch)
    }
    try await server.shows("* 5 6 7 | 20 21 22")
    await server.store.database.close()
  }

  @Test(
    "A page is placed above the start of the history, whatever the times of its messages",
    .simulated(seeds: 1...1))
  func olderThanStart() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(8, 9, isCut: true)
    try await server.page(5, at: 0)
    try await server.shows("* 1 2 | 5 | 8 9")
    await server.store.database.close()
  }

  @Test(
    "A late answer from before the server trimmed its history is placed below the new start",
    .simulated(seeds: 1...1))
  func beforeTrimming() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(8, 9, isCut: true)
    try await server.page(7, below: 8, reachesStart: true)
    try await server.page(4, 5)
    try await server.shows("* 1 2 | 4 5 | * 7 8 9")
    await server.store.database.close()
  }

  @Test(
    "A complete sync with one wrong time is placed below a newer page, and the next one joins the two",
    .simulated(seeds: 1...1))
  func wrongTimeOfFirstSync() async throws {
    let server = try await ArrivalServer()
    try await server.syncNothing()
    try await server.sync()
    try await server.page(8, 9, 10)
    var messages = [1, 2, 3].map { IncomingMessage.number($0) }
    messages[2].time = Timestamp(milliseconds: 99)
    let delta = ConversationDelta(info: ArrivalServer.info, count: 3, messages: messages)
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "2"), next: SyncCursor(rawValue: "2"), conversations: [delta])
    _ = try await server.store.write(.kill) { try Intake($0).apply(batch) }
    try await server.shows("1 2 3 | 8 9 10")
    try await server.sync(4, 5, 6, 7, 8, 9, 10, 11)
    try await server.shows("1 2 3 4 5 6 7 8 9 10 11")
    await server.store.database.close()
  }
}
