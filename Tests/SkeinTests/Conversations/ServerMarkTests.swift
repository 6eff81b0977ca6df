import SkeinStorage
import Testing

@testable import Skein

@Suite("Marks of a server without positions")
struct ServerMarkTests {
  @Test("A read mark names a message, and the messages after it are unread", .simulated(seeds: 1...1))
  func readMark() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3, 4, unread: 3, readUpTo: 1)
    #expect(try await server.row().unreadCount == 3)
    try await server.sync(unread: 1, readUpTo: 3)
    #expect(try await server.row().unreadCount == 1)
    // A mark that goes back has no effect.
    try await server.sync(unread: 1, readUpTo: 2)
    #expect(try await server.row().readMark == rank(on: server, of: 3))
    await server.store.database.close()
  }

  @Test("A read mark on a message that is not stored waits for this message", .simulated(seeds: 1...1))
  func waiting() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, unread: 2)
    try await server.sync(8, 9, isCut: true, unread: 3, readUpTo: 6)
    // The server counts three unread messages, and four are stored: the mark can't be below the gap.
    #expect(try await server.row().unreadCount == 3)
    #expect(try await server.row().readMark == rank(on: server, of: 2))
    try await server.page(2, 3, 4, 5, 6, 7, below: 8)
    #expect(try await server.row().unreadCount == 3)
    #expect(try await server.row().readMark == rank(on: server, of: 6))
    #expect(try await server.row().waitingReadMark == nil)
    await server.store.database.close()
  }

  @Test(
    "While a read mark waits, a page without its message does not change the unread count",
    .simulated(seeds: 1...1))
  func pageWithoutMark() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3, unread: 3)
    try await server.sync(9, 10, isCut: true, unread: 5, readUpTo: 5)
    #expect(try await server.row().unreadCount == 5)
    try await server.page(7, 8, below: 9)
    #expect(try await server.row().unreadCount == 5)
    #expect(try await server.row().readMark == rank(on: server, of: 3))
    await server.store.database.close()
  }

  @Test(
    "A page ahead of the syncs does not reduce the number of unread messages in the gap below it",
    .simulated(seeds: 1...1))
  func pageAhead() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3, unread: 0, readUpTo: 3)
    try await server.sync(6, 7, isCut: true, unread: 4, readUpTo: 3)
    try await server.page(5, 6, 7, 8, 9)
    #expect(try await server.row().unreadCount == 6)
    await server.store.database.close()
  }

  @Test(
    "While a read mark waits, stored messages count as unread if the server's count includes them",
    .simulated(seeds: 1...1))
  func countsBelowTheGap() async throws {
    let server = try await ArrivalServer()
    try await server.sync(3, 4, isCut: true, unread: 3, readUpTo: 2)
    #expect(try await server.row().unreadCount == 3)
    try await server.sync(8, 9, isCut: true, unread: 7, readUpTo: 2)
    #expect(try await server.row().unreadCount == 7)
    #expect(try await server.row().readMark == .lowest)
    await server.store.database.close()
  }

  @Test(
    "The counts stay as the server sent them if a page has the message of the read mark",
    .simulated(seeds: 1...1))
  func totals() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, calls: true, unread: 2, unreadMentions: 2)
    try await server.sync(20, 21, isCut: true, unread: 17, unreadMentions: 2, readUpTo: 4)
    #expect(try await server.row().unreadCount == 17)
    #expect(try await server.row().unreadMentions == 2)
    try await server.page(3, 4, 5, 6)
    #expect(try await server.row().readMark == rank(on: server, of: 4))
    #expect(try await server.row().unreadCount == 17)
    #expect(try await server.row().unreadMentions == 2)
    await server.store.database.close()
  }

  @Test(
    "A read mark on a sent message in a gap waits, since its place is not exact", .simulated(seeds: 1...1))
  func inexact() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, unread: 2)
    try await server.send(5)
    try await server.sync(8, 9, isCut: true, unread: 4, readUpTo: 5)
    try await server.sync(unread: 4, readUpTo: 5)
    #expect(try await server.row().waitingReadMark == ServerMessageID(rawValue: "s5"))
    try await server.page(2, 3, 4, 5, 6, 7, below: 8)
    #expect(try await server.row().readMark == rank(on: server, of: 5))
    #expect(try await server.row().unreadCount == 4)
    await server.store.database.close()
  }

  @Test(
    "While a read mark waits, mentions that the server does not count are read", .simulated(seeds: 1...1))
  func mentions() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, calls: true, unread: 2, unreadMentions: 2)
    try await server.sync(8, 9, isCut: true, unread: 5, unreadMentions: 0, readUpTo: 4)
    #expect(try await server.row().readMark == rank(on: server, of: 2))
    #expect(try await server.row().unreadMentions == 0)
    #expect(try await server.row().unreadCount == 5)
    await server.store.database.close()
  }

  @Test(
    "While a read mark waits, mentions in a gap count until all is read, although stored messages fill the count",
    .simulated(seeds: 1...1))
  func mentionsInGap() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, unread: 2, unreadMentions: 0)
    try await server.sync(8, 9, isCut: true, unread: 4, unreadMentions: 1, readUpTo: 5)
    #expect(try await server.row().unreadCount == 4)
    #expect(try await server.row().unreadMentions == 1)
    let chat = try await server.chat()
    try await server.store.write(.kill) { try ConversationBook($0).markRead(chat, tellsServer: true) }
    #expect(try await server.row().unreadCount == 0)
    #expect(try await server.row().unreadMentions == 0)
    await server.store.database.close()
  }

  @Test(
    "While a read mark waits, the count may be too low if a message was deleted here",
    .simulated(seeds: 1...1))
  func deleted() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, unread: 2)
    let first = try await server.rows()[0].id
    try await server.store.write(.kill) { _ = try Clearing($0).delete([first]) }
    #expect(try await server.row().unreadIsAtLeast == false)
    try await server.sync(8, 9, isCut: true, unread: 5, readUpTo: 4)
    #expect(try await server.row().unreadCount == 4)
    #expect(try await server.row().unreadIsAtLeast)
    await server.store.database.close()
  }

  @Test("A receipt on a message that is not stored waits for this message", .simulated(seeds: 1...1))
  func receipts() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, receipt: (delivered: 2, read: 1))
    let (first, second) = try await (rank(on: server, of: 1), rank(on: server, of: 2))
    #expect(try await receipts(on: server).read == first)
    #expect(try await receipts(on: server).delivered == second)
    try await server.sync(8, 9, isCut: true, receipt: (delivered: 9, read: 6))
    #expect(try await receipts(on: server).delivered == rank(on: server, of: 9))
    #expect(try await receipts(on: server).read == first)
    try await server.page(2, 3, 4, 5, 6, 7, below: 8)
    #expect(try await receipts(on: server).read == rank(on: server, of: 6))
    await server.store.database.close()
  }

  private func rank(on server: ArrivalServer, of number: Int64) async throws -> Rank? {
    let chat = try await server.chat()
    return try await server.store.read {
      try $0.placedRank(of: ServerMessageID(rawValue: "s\(number)"), in: chat)
    }
  }

  private func receipts(on server: ArrivalServer) async throws -> MemberRow {
    let chat = try await server.chat()
    return try #require(try await server.store.read { try $0.find(MemberRow.self, chat, UserID("alice")) })
  }
}
