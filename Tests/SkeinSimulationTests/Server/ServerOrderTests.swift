import Foundation
import Skein
import Testing

@testable import SkeinSimulation

@Suite("The order that a simulated server tells")
struct ServerOrderTests {
  private static let orders = [ServerOrder.dense, .sparse(width: 2), .sparse(width: 7), .sparse(width: 51)]

  @Test("Positions rise from message to message, and each stands for its message", arguments: orders)
  func positions(_ order: ServerOrder) {
    for number in Int64(0)...200 {
      let (position, next) = (order.position(of: number), order.position(of: number + 1))
      #expect(position < next)
      for between in position..<next { #expect(order.number(upTo: between) == number) }
    }
  }

  @Test("A page before or after any position has the messages on that side", arguments: orders)
  func anchors(_ order: ServerOrder) throws {
    let epoch = Epoch(rawValue: "1")
    for position in 1...order.position(of: 50) {
      let first = (1...60).first { order.position(of: $0) >= position } ?? 0
      let last = (1...60).last { order.position(of: $0) <= position } ?? 0
      #expect(
        try order.meant(.before(Position(rawValue: position)), in: epoch)
          == .before(Position(rawValue: first)))
      #expect(
        try order.meant(.after(Position(rawValue: position)), in: epoch) == .after(Position(rawValue: last)))
    }
  }

  @Test("A server without positions sends tokens, which it takes for the same epoch only")
  func tokens() throws {
    let (one, two) = (Epoch(rawValue: "1"), Epoch(rawValue: "2"))
    let message = IncomingMessage(
      serverID: ServerMessageID(rawValue: "chat/7"), messageID: nil, sender: "alice",
      position: Position(rawValue: 7),
      time: Timestamp(milliseconds: 1), kind: "text", payload: Data())
    let page = HistoryPage(messages: [message], reachesStart: false, reachesEnd: false, epoch: one)
    let shown = ServerOrder.tokens.shown(page)
    #expect(shown.messages.map(\.position) == [nil])
    let (previous, next) = (try #require(shown.previous), try #require(shown.next))
    #expect(try ServerOrder.tokens.meant(.token(previous), in: one) == .before(Position(rawValue: 7)))
    #expect(try ServerOrder.tokens.meant(.token(next), in: one) == .after(Position(rawValue: 7)))
    #expect(throws: BackendError.self) { try ServerOrder.tokens.meant(.token(next), in: two) }
  }

  @Test("The receipts of an archive name neither the message nor its time")
  func archive() {
    let receipt = SendReceipt(
      serverID: ServerMessageID(rawValue: "chat/7"), position: Position(rawValue: 7),
      time: Timestamp(milliseconds: 1), epoch: Epoch(rawValue: "1"))
    #expect(ServerOrder.archive.shown(receipt) == SendReceipt(epoch: Epoch(rawValue: "1")))
  }

  @Test("A server that reorders its history returns every message once, at most three places earlier")
  func graph() throws {
    let pages = ServerOrder.graph.paged(Array(1...100)) { Int64($0) }
    #expect(pages.sorted() == Array(1...100))
    #expect(pages != Array(1...100))
    for (place, number) in pages.enumerated() {
      #expect(pages[..<place].count { $0 > number } <= 3)
    }
    #expect(ServerOrder.tokens.paged([3, 5, 4]) { Int64($0) } == [3, 5, 4])
  }

  @Test("A page before the messages of a sync contains all messages that the server received before them")
  func pageBelowSync() async throws {
    let server = MemoryServer(idempotency: .forever, order: .graph, now: { .zero }, clock: nil)
    let ref = try server.open(.direct("bob"), by: "alice").ref
    for number in 1...40 { try server.post("\(number)", from: "alice", in: ref) }
    let delta = try #require(try server.sync(since: nil, limit: 21, for: "bob").conversations.first)
    let batch = SyncBatch(
      from: nil, next: SyncCursor(rawValue: "1"), epoch: server.epoch, conversations: [delta])
    let token = try #require(ServerOrder.graph.shown(batch).conversations[0].previous)
    let page = try server.history(
      of: ref, at: ServerOrder.graph.meant(.token(token), in: server.epoch), limit: 100, for: "bob")
    #expect(Set(page.messages.compactMap(\.position?.rawValue)).isSuperset(of: 1...19))
  }

  @Test("The seed decides the order unless a kind is given")
  func kinds() {
    let drawn = (1...100).map { ServerOrder(nil, seed: $0) }
    #expect([ServerOrder.dense, .tokens, .archive, .graph].allSatisfy(drawn.contains))
    #expect(drawn.contains { $0.ordering == .sparse })
    #expect((1...100).allSatisfy { ServerOrder(.tokens, seed: $0) == .tokens })
    #expect((1...100).allSatisfy { ServerOrder(.archive, seed: $0) == .archive })
    #expect((1...100).allSatisfy { ServerOrder(.graph, seed: $0) == .graph })
    #expect((1...100).allSatisfy { ServerOrder(.dense, seed: $0) == .dense })
  }
}
