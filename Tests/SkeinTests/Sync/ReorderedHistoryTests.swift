import SkeinStorage
import Testing

@testable import Skein

@Suite("A server that reorders its history")
struct ReorderedHistoryTests {
  @Test(
    "After a reset, a message is lost only if the whole history is stored without it",
    .simulated(seeds: 1...1))
  func lost() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, epoch: "one")
    let own = try await server.send(5)
    try await server.sync(3, 8, isCut: true, epoch: "two")
    #expect(try await server.status(of: own) == .sent)
    try await server.page(1, 2, below: 3, reachesStart: true)
    #expect(try await server.status(of: own) == .failed)
    await server.store.database.close()
  }

  @Test(
    "After a reset, a message that is older than the last cleared message is not lost, since it may be before it",
    .simulated(seeds: 1...1))
  func cleared() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 4, epoch: "one")
    try await server.clear()
    let older = try await server.send(3)
    let newer = try await server.send(7)
    try await server.sync(1, 2, 4, 9, reachesStart: true, epoch: "two")
    #expect(try await server.status(of: older) == .sent)
    #expect(try await server.status(of: newer) == .failed)
    await server.store.database.close()
  }

  @Test(
    "After a reset, a message that is newer than the last cleared message is shown, although it is listed before it",
    .simulated(seeds: 1...1))
  func listedBeforeCleared() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 4, epoch: "one")
    try await server.clear()
    let own = try await server.send(7)
    try await server.sync(9, isCut: true, epoch: "two")
    try await server.page(1, 6, 7, 4, below: 9, reachesStart: true, own: [7])
    try await server.shows("* 6 7 9")
    #expect(try await server.status(of: own) == .sent)
    await server.store.database.close()
  }

  @Test(
    "After a reset, an own message that waited while the chat was cleared is not lost if the server has it below",
    .simulated(seeds: 1...1), arguments: [true, false])
  func waitedWhileCleared(reorders: Bool) async throws {
    let server = try await ArrivalServer(reordersHistory: reorders)
    try await server.sync(1, 2, epoch: "one")
    let own = try await server.compose(5)
    try await server.sync(8, 9, isCut: true)
    let chat = try await server.chat()
    try await server.store.write(.kill) { try Clearing($0).clear(chat) }
    try await server.acknowledge(own, 5, isTimed: !reorders)
    try await server.sync(12, isCut: true, epoch: "two")
    // Only a server that reorders its history is asked for what is before the last cleared message.
    if reorders {
      try await server.page(1, 2, 5, 8, 9, below: 12, reachesStart: true, own: [5])
    } else {
      try await server.page(8, 9, below: 12)
    }
    #expect(try await server.status(of: own) == .sent)
    await server.store.database.close()
  }

  @Test(
    "A page that contains the last cleared message closes all gaps above it: what is before it was cleared",
    .simulated(seeds: 1...1))
  func clearedEdge() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2)
    try await server.clear()
    try await server.sync(3, 4, 5)
    try await server.sync(9, isCut: true)
    try await server.shows("* 3 4 5 | 9")
    // The server lists 5 before 2, where paging ends.
    try await server.page(4, 3, 2, 7, 8, below: 9)
    try await server.shows("* 3 4 5 7 8 9")
    await server.store.database.close()
  }

  @Test(
    "The unread count is exact once all is stored, although the server's read mark is on a cleared message",
    .simulated(seeds: 1...1))
  func markOnCleared() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2, 3)
    try await server.clear()
    try await server.sync(8, 9, isCut: true, unread: 3, readUpTo: 5)
    let last = try #require(try await server.rows().last).id
    try await server.store.write(.kill) { _ = try Clearing($0).delete([last]) }
    #expect(try await server.row().unreadIsAtLeast)
    try await server.page(5, 3, 6, 7, below: 8)
    try await server.shows("* 6 7 8")
    #expect(try await server.row().unreadCount == 3)
    #expect(try await !server.row().unreadIsAtLeast)
    await server.store.database.close()
  }

  @Test(
    "A waiting message that the server has is shown as sent, although a page lists it before the last cleared one",
    .simulated(seeds: 1...1))
  func waitingBeforeCleared() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2)
    let own = try await server.compose(3)
    try await server.clear()
    try await server.sync(8, isCut: true)
    try await server.page(1, 3, 2, 6, below: 8, own: [3])
    try await server.shows("* 3 6 8")
    #expect(try await server.status(of: own) == .sent)
    await server.store.database.close()
  }

  @Test(
    "New messages among those of a stretch that a longer page contains are listed at the nearer end of it",
    .simulated(seeds: 1...1))
  func nearerEndFromBelow() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1)
    try await server.sync(4, 5, 6, 7, 8, 9, isCut: true)
    try await server.page(1, 2, 4, 3, 5, 6, 7, 8, 10, 9, 11)
    try await server.shows("* 1 2 3 4 5 6 7 8 9 10 11")
    await server.store.database.close()
  }

  @Test(
    "A new message among those of a stretch that a page contains is listed at the nearer end of it",
    .simulated(seeds: 1...1))
  func nearerEnd() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(4, 5, 6, 7, 8, 9, isCut: true)
    try await server.page(1, 2, 4, 3, 5, 6, 7, 8, 10, 9)
    try await server.shows("1 2 3 4 5 6 7 8 9 10")
    await server.store.database.close()
  }

  @Test(
    "A new message after the last cleared one is shown, although a page lists it beside that one",
    .simulated(seeds: 1...1))
  func besideCleared() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2)
    try await server.clear()
    try await server.sync(3, 4, 5)
    try await server.page(2, 7, 3, 4, 5)
    try await server.shows("* 3 4 5 7")
    await server.store.database.close()
  }

  @Test(
    "A new message in a page that begins with the last cleared one, and ends in the same stretch, is shown",
    .simulated(seeds: 1...1))
  func inClearedStretch() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2)
    try await server.clear()
    try await server.sync(3, 4, 5, 6, 8, 9)
    try await server.page(2, 7, 3, 4)
    try await server.shows("* 3 4 5 6 8 9 7")
    await server.store.database.close()
  }

  @Test(
    "An own message that was cleared in a gap stays cleared, although a page lists it after the last cleared one",
    .simulated(seeds: 1...1))
  func clearedInGap() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2)
    try await server.send(5)
    try await server.sync(8, 9, isCut: true)
    #expect(try await server.order() == "1 2 5 8 9")
    try await server.clear()
    try await server.sync(12, isCut: true)
    try await server.page(9, 5, 10, 11, below: 12)
    try await server.shows("* 10 11 12")
    await server.store.database.close()
  }

  @Test(
    "A deleted message stays deleted after a clearing, although a page lists it after the last cleared one",
    .simulated(seeds: 1...1))
  func deletedAndCleared() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 6, 7)
    let chat = try await server.chat()
    let row = try await server.rows()[1]
    try await server.store.write(.kill) { work in
      _ = try Clearing(work).delete([row.id])
      try Clearing(work).clear(chat)
    }
    try await server.sync(12, isCut: true)
    try await server.page(1, 7, 6, 10, 11, below: 12)
    try await server.shows("* 10 11 12")
    await server.store.database.close()
  }

  @Test(
    "A new message that a shortened sync lists inside a short stretch is listed last, and is unread",
    .simulated(seeds: 1...1), arguments: [true, false])
  func newsInside(isCut: Bool) async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(4, 5, 6, isCut: isCut)
    let chat = try await server.chat()
    try await server.store.write(.kill) { try ConversationBook($0).markRead(chat, tellsServer: false) }
    try await server.sync(4, 7, 5, 6, isCut: true)
    try await server.shows(isCut ? "4 5 6 7" : "* 4 5 6 7")
    #expect(try await server.row().unreadCount == 1)
    await server.store.database.close()
  }

  @Test(
    "A page with a new message inside a stretch keeps the token of the page after the stretch",
    .simulated(seeds: 1...1))
  func tokenAbove() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2, 3, 4)
    try await server.page(3, 4, next: HistoryToken(rawValue: "after 4"))
    try await server.sync(9, isCut: true, canPage: false)
    try await server.page(1, 7, 2)
    try await server.shows("* 1 2 3 4 7 | 9")
    let row = try await server.row()
    let spans = try await server.store.read { try $0.spans(of: row, isDense: false).spans }
    #expect(spans[0].upperToken == HistoryToken(rawValue: "after 4"))
    await server.store.database.close()
  }

  @Test(
    "A shortened sync that contains the end of a stretch does not adjoin it: a page may list missing messages after that end",
    .simulated(seeds: 1...1), arguments: [true, false])
  func sharedEnd(reorders: Bool) async throws {
    let server = try await ArrivalServer(reordersHistory: reorders)
    try await server.sync(1, 2)
    try await server.sync(9, isCut: true)
    try await server.page(3, 6, below: 9)
    try await server.sync(6, 7, 9, 10, isCut: true)
    try await server.shows(reorders ? "* 1 2 | 3 6 9 | 7 10" : "* 1 2 | 3 6 9 7 10")
    await server.store.database.close()
  }

  @Test("A shortened sync of known messages does not join two stretches", .simulated(seeds: 1...1))
  func sharedEndWithoutNews() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2)
    try await server.sync(10, 11, isCut: true)
    try await server.page(5, 9)
    try await server.shows("* 1 2 | 5 9 | 10 11")
    try await server.sync(9, 10, 11, isCut: true)
    try await server.shows("* 1 2 | 5 9 | 10 11")
    await server.store.database.close()
  }

  @Test("A sync that reaches the start adjoins the stretch whose end it contains", .simulated(seeds: 1...1))
  func sharedEndFromStart() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2)
    try await server.sync(2, 3, isCut: true, reachesStart: true)
    try await server.shows("* 1 2 3")
    await server.store.database.close()
  }

  @Test(
    "A page that reaches the start closes the gap above a stretch that it has passed",
    .simulated(seeds: 1...1))
  func passed() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2, 3, 4, 5, 6, 7)
    try await server.sync(20, isCut: true)
    try await server.page(4, 5, 9, 8)
    try await server.shows("* 1 2 3 4 5 6 7 | 9 8 | 20")
    // The server lists 6 and 7 after 8.
    try await server.page(1, 2, 3, 4, 5, below: 9, reachesStart: true)
    try await server.shows("* 1 2 3 4 5 6 7 9 8 | 20")
    await server.store.database.close()
  }
}

extension ArrivalServer {
  fileprivate func status(of id: LocalMessageID) async throws -> MessageStatus? {
    try await store.read { try $0.find(MessageRow.self, id)?.status }
  }
}
