import Foundation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Marks of a server without positions")
struct ServerMarkTests {
  private static let ref = ConversationRef(rawValue: "r")

  /// A store for a server without positions, and the batches of that server, one after the other.
  private final class Server {
    let store: ChatStore
    private var cursor = 0

    init() async throws { store = try await OddServerTests.store(stage, ordering: .arrival, readMarks: true) }

    /// Applies a sync with these messages, of which the last may be the only ones since the previous sync.
    func sync(
      _ numbers: Int64..., isCut: Bool = false, unread: Int? = nil, readUpTo mark: Int64? = nil,
      receipt: (delivered: Int64?, read: Int64?)? = nil
    ) async throws {
      cursor += 1
      var info = ConversationInfo(ref: ServerMarkTests.ref, type: .group, members: ["alice", "bob"])
      info.readMark = mark.map(Self.mark)
      info.receipts = receipt.map { receipt in
        [
          MemberReceipt(
            user: "alice", delivered: receipt.delivered.map(Self.mark), read: receipt.read.map(Self.mark))
        ]
      }
      let delta = ConversationDelta(
        info: info, count: isCut ? nil : numbers.count, unread: unread, messages: numbers.map { .number($0) },
        previous: numbers.first.map { HistoryToken(rawValue: "before \($0)") })
      let batch = SyncBatch(
        from: cursor > 1 ? SyncCursor(rawValue: "\(cursor - 1)") : nil,
        next: SyncCursor(rawValue: "\(cursor)"),
        conversations: [delta])
      _ = try await store.write(.kill) { try Intake($0).apply(batch) }
    }

    func page(_ numbers: Int64..., below edge: Int64) async throws {
      let page = HistoryPage(
        messages: numbers.map { .number($0) }, reachesStart: false, reachesEnd: false,
        previous: HistoryToken(rawValue: "before \(numbers[0])"))
      let rank = try #require(try await rank(of: edge))
      let chat = try await chat().id
      _ = try await store.write(.kill) { try Intake($0).ingest(page, below: rank, in: chat) }
    }

    func chat() async throws -> ConversationRow {
      try #require(try await store.read { try $0.first(ConversationRow.self, "ORDER BY id") })
    }

    func rank(of number: Int64) async throws -> Rank? {
      let chat = try await chat().id
      return try await store.read { try $0.place(of: ServerMessageID(rawValue: "s\(number)"), in: chat) }
    }

    func receipts() async throws -> MemberRow {
      let chat = try await chat().id
      return try #require(try await store.read { try $0.find(MemberRow.self, chat, UserID("alice")) })
    }

    static func mark(_ number: Int64) -> MessageMark {
      MessageMark(serverID: ServerMessageID(rawValue: "s\(number)"))
    }
  }

  @Test("A read mark names a message, and the messages after it are unread", .simulated(seeds: 1...1))
  func readMark() async throws {
    let server = try await Server()
    try await server.sync(1, 2, 3, 4, unread: 3, readUpTo: 1)
    #expect(try await server.chat().unreadCount == 3)
    try await server.sync(unread: 1, readUpTo: 3)
    #expect(try await server.chat().unreadCount == 1)
    // A mark that goes back has no effect.
    try await server.sync(unread: 1, readUpTo: 2)
    #expect(try await server.chat().readMark == server.rank(of: 3))
    await server.store.database.close()
  }

  @Test("A read mark on a message that is not stored waits for this message", .simulated(seeds: 1...1))
  func waiting() async throws {
    let server = try await Server()
    try await server.sync(1, 2, unread: 2)
    try await server.sync(8, 9, isCut: true, unread: 3, readUpTo: 6)
    // The server counts three unread messages, and four are stored: the mark can't be below the gap.
    #expect(try await server.chat().unreadCount == 3)
    #expect(try await server.chat().readMark == server.rank(of: 2))
    try await server.page(2, 3, 4, 5, 6, 7, below: 8)
    #expect(try await server.chat().unreadCount == 3)
    #expect(try await server.chat().readMark == server.rank(of: 6))
    #expect(try await server.chat().waitingReadMark == nil)
    await server.store.database.close()
  }

  @Test(
    "While a read mark waits, stored messages count as unread if the server's count includes them",
    .simulated(seeds: 1...1))
  func countsBelowTheGap() async throws {
    let server = try await Server()
    try await server.sync(3, 4, isCut: true, unread: 3, readUpTo: 2)
    #expect(try await server.chat().unreadCount == 3)
    try await server.sync(8, 9, isCut: true, unread: 7, readUpTo: 2)
    #expect(try await server.chat().unreadCount == 7)
    #expect(try await server.chat().readMark == .lowest)
    await server.store.database.close()
  }

  @Test("A receipt on a message that is not stored waits for this message", .simulated(seeds: 1...1))
  func receipts() async throws {
    let server = try await Server()
    try await server.sync(1, 2, receipt: (delivered: 2, read: 1))
    let (first, second) = try await (server.rank(of: 1), server.rank(of: 2))
    #expect(try await server.receipts().read == first)
    #expect(try await server.receipts().delivered == second)
    try await server.sync(8, 9, isCut: true, receipt: (delivered: 9, read: 6))
    #expect(try await server.receipts().delivered == server.rank(of: 9))
    #expect(try await server.receipts().read == first)
    try await server.page(2, 3, 4, 5, 6, 7, below: 8)
    #expect(try await server.receipts().read == server.rank(of: 6))
    await server.store.database.close()
  }
}
