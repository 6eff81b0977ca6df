import Foundation
import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Replaced refs in syncs of a server without positions")
struct ReplacementIntakeTests {
  private static let old = ArrivalServer.info.ref
  private static let new = ConversationRef(rawValue: "r2")

  private static func apply(
    _ numbers: Int64..., to ref: ConversationRef, replacing: [ConversationRef] = [], count: Int? = nil,
    own: Int64? = nil, reachesStart: Bool = false, at cursor: Int, in server: ArrivalServer
  ) async throws {
    var info = ConversationInfo(ref: ref, type: .group, members: ["alice", "bob"])
    info.replaces = replacing
    var messages = numbers.map { IncomingMessage.number($0) }
    for index in messages.indices where numbers[index] == own { messages[index].sender = "bob" }
    var delta = ConversationDelta(
      info: info, count: count, messages: messages,
      previous: HistoryToken(rawValue: "before \(numbers[0])"))
    delta.reachesStart = reachesStart
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "\(cursor)"), next: SyncCursor(rawValue: "\(cursor + 1)"),
      conversations: [delta])
    let isApplied = try await server.store.write(.kill) { try Intake($0).apply(batch) }
    #expect(isApplied)
  }

  private static func clear(_ ref: ConversationRef, in server: ArrivalServer) async throws {
    let found = try await server.store.read { try $0.conversation(named: ref) }
    let chat = try #require(found)
    try await server.store.write(.kill) { try Clearing($0).clear(chat.id) }
  }

  private static func refs(in server: ArrivalServer) async throws -> [ConversationRef?] {
    try await server.store.read { try $0.select(ConversationRow.self, "ORDER BY id") }.map(\.ref)
  }

  @Test(
    "The messages of the new ref follow a gap, which pages of the replaced conversation fill",
    .simulated(seeds: 1...1))
  func gap() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await Self.apply(8, 9, to: Self.new, replacing: [Self.old], at: 1, in: server)
    try await server.shows("* 1 2 | 8 9")
    try await server.page(2, 3, 7, below: 8)
    try await server.shows("* 1 2 3 7 8 9")
    #expect(try await Self.refs(in: server) == [Self.new])
    await server.store.database.close()
  }

  @Test(
    "Two stored conversations are merged if the server reports later that one replaces the other",
    .simulated(seeds: 1...1))
  func late() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await Self.apply(8, 9, to: Self.new, count: 2, at: 1, in: server)
    #expect(try await Self.refs(in: server) == [Self.old, Self.new])
    try await Self.apply(10, to: Self.new, replacing: [Self.old], count: 1, at: 2, in: server)
    #expect(try await Self.refs(in: server) == [Self.new])
    try await server.shows("* 1 2 | 8 9 10")
    try await server.page(2, 3, 7, below: 8)
    try await server.shows("* 1 2 3 7 8 9 10")
    await server.store.database.close()
  }

  @Test(
    "A merge with a conversation that was cleared above a gap leaves the history of the other one",
    .simulated(seeds: 1...1))
  func clearedAboveGap() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, isCut: true)
    try await Self.apply(8, 9, 10, to: Self.new, count: 3, at: 1, in: server)
    try await Self.apply(20, to: Self.new, at: 2, in: server)
    try await Self.clear(Self.new, in: server)
    try await Self.apply(21, to: Self.new, replacing: [Self.old], count: 1, at: 3, in: server)
    try await server.shows("1 2 | * 21")
    await server.store.database.close()
  }

  @Test(
    "After a merge, the time of the other conversation's clearing hides no older message of the first one",
    .simulated(seeds: 1...1))
  func clearedLater() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, epoch: "one")
    try await Self.clear(Self.old, in: server)
    try await server.sync(5, 6, isCut: true, epoch: "two")
    try await Self.apply(8, 9, to: Self.new, count: 2, at: 1, in: server)
    try await Self.clear(Self.new, in: server)
    try await Self.apply(10, to: Self.new, replacing: [Self.old], count: 1, at: 2, in: server)
    try await server.page(3, 4, below: 5)
    #expect(try await server.order() == "3 4 5 6 10")
    await server.store.database.close()
  }

  @Test("A message that both conversations have is stored once after their merge", .simulated(seeds: 1...1))
  func copy() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.compose(9)
    try await Self.apply(8, 9, to: Self.new, count: 2, own: 9, at: 1, in: server)
    try await Self.apply(10, to: Self.new, replacing: [Self.old], count: 1, at: 2, in: server)
    #expect(try await server.rows().count == 5)
    #expect(try await server.store.read { try $0.operations() }.isEmpty)
    try await server.shows("* 1 2 | 8 9 10")
    await server.store.database.close()
  }

  @Test(
    "An invitation to a conversation that replaces another one is another conversation until it is accepted",
    .simulated(seeds: 1...1))
  func invitation() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    var info = ConversationInfo(ref: Self.new, type: .group)
    info.replaces = [Self.old]
    let batch = SyncBatch(
      from: SyncCursor(rawValue: "1"), next: SyncCursor(rawValue: "2"), conversations: [],
      invitations: [ConversationInvitation(info: info, inviter: "bob")])
    _ = try await server.store.write(.kill) { try Intake($0).apply(batch) }
    #expect(try await Self.refs(in: server) == [Self.old, Self.new])
    try await Self.apply(8, to: Self.new, replacing: [Self.old], at: 2, in: server)
    #expect(try await Self.refs(in: server) == [Self.new])
    try await server.shows("* 1 2 | 8")
    #expect(try await server.row().invitation == nil)
    await server.store.database.close()
  }

  @Test(
    "A group that was closed under an earlier ref is opened when the contact list contains it under the new one",
    .simulated(seeds: 1...1))
  func readmitted() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival, contacts: true)
    let server = InvitedGroup.info
    try await InvitedGroup.apply((nil, 1), [InvitedGroup.delta], in: store)
    func change(_ numbers: (from: Int?, next: Int), added: [Contact] = [], removed: [Contact.ID] = [])
      async throws
    {
      let delta = ContactDelta(
        from: numbers.from.map { ContactVersion(rawValue: "\($0)") },
        next: ContactVersion(rawValue: "\(numbers.next)"), isFull: false, changed: added, removed: removed)
      _ = try await store.write(.kill) { try ContactBook($0).apply(delta, isConfirmed: false) }
    }
    try await change((nil, 1), removed: [.group(server.ref)])
    #expect(try await InvitedGroup.row(in: store).isClosed)
    var info = server
    (info.ref, info.replaces) = (Self.new, [server.ref])
    let delta = ConversationDelta(info: info, count: 1, messages: [.number(2)])
    try await InvitedGroup.apply((1, 2), [delta], in: store)
    try await change((1, 2), added: [Contact(id: .group(Self.new), type: .group, name: "Holiday")])
    let row = try #require(try await store.read { try $0.conversation(named: Self.new) })
    #expect(!row.isClosed && row.unreadCount == 2)
    await store.database.close()
  }

  @Test(
    "A group that was left stays open after the account has joined the one that replaces it",
    .simulated(seeds: 1...1))
  func leftAndJoined() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), [InvitedGroup.delta], in: store)
    try await InvitedGroup.apply((1, 2), left: [Self.old], in: store)
    var info = ConversationInfo(ref: Self.new, type: .group, title: "Holiday")
    let invitation = ConversationInvitation(info: info, inviter: "alice")
    try await InvitedGroup.apply((2, 3), [], [invitation], in: store)
    let id = try #require(try await store.read { try $0.conversation(named: Self.new) }).id
    try await store.write(.kill) { [info] work in
      try Invitations(work).accept(id)
      let opening = try #require(try work.rows.opening(of: id)).id
      try ConversationBook(work).completeOpening(opening, info)
    }
    info.replaces = [Self.old]
    let delta = ConversationDelta(info: info, count: 1, messages: [.number(2)])
    try await InvitedGroup.apply((3, 4), [delta], in: store)
    let rows = try await store.read { try $0.select(ConversationRow.self, "ORDER BY id") }
    #expect(rows.map(\.ref) == [Self.new])
    #expect(rows.first?.isClosed == false && rows.first?.unreadCount == 2)
    await store.database.close()
  }

  @Test(
    "A stretch of the replacing conversation that contains the replaced one's messages has no gap before it",
    .simulated(seeds: 1...1))
  func contained() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1)
    try await Self.apply(1, 2, 3, 4, to: Self.new, count: 4, at: 1, in: server)
    try await Self.apply(5, to: Self.new, replacing: [Self.old], count: 1, at: 2, in: server)
    #expect(try await Self.refs(in: server) == [Self.new])
    #expect(try await server.order() == "1 2 3 4 5")
    let row = try await server.row()
    #expect(try await server.store.read { try $0.spans(of: row, isDense: false) }.spans.count == 1)
    await server.store.database.close()
  }

  @Test(
    "A message that was acknowledged before both conversations are one gets the place and the time of its copy",
    .simulated(seeds: 1...1))
  func acknowledgedCopy() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    let own = try await server.compose(9)
    try await server.acknowledge(own, 9, isTimed: false)
    try await Self.apply(8, 9, to: Self.new, count: 2, own: 9, at: 1, in: server)
    try await Self.apply(10, to: Self.new, replacing: [Self.old], count: 1, at: 2, in: server)
    try await server.shows("* 1 2 | 8 9 10")
    let row = try await server.store.read { try $0.message(own) }
    #expect(!row.isTimeEstimated && row.time == Timestamp(milliseconds: 9))
    await server.store.database.close()
  }

  @Test(
    "A gap is before the first message of a replacing conversation, even if it has no other message",
    .simulated(seeds: 1...1))
  func single() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await Self.apply(8, to: Self.new, count: 1, reachesStart: true, at: 1, in: server)
    try await Self.apply(10, to: Self.new, replacing: [Self.old], at: 2, in: server)
    try await server.shows("* 1 2 | 8 | 10")
    await server.store.database.close()
  }

  @Test(
    "The cleared start of a replacing conversation stays its start after the merge", .simulated(seeds: 1...1))
  func clearedStart() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await Self.apply(8, 9, to: Self.new, count: 2, at: 1, in: server)
    try await server.store.write(.kill) { work in
      try Clearing(work).clear(#require(try work.rows.conversation(named: Self.new)).id)
    }
    try await Self.apply(10, to: Self.new, count: 1, at: 2, in: server)
    try await Self.apply(11, to: Self.new, replacing: [Self.old], count: 1, at: 3, in: server)
    try await server.shows("* 1 2 | * 10 11")
    await server.store.database.close()
  }

  @Test(
    "A waiting edit of a message that both conversations have is shown after their merge",
    .simulated(seeds: 1...1))
  func edited() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.acknowledge(server.compose(9), 9)
    try await Self.apply(8, 9, to: Self.new, count: 2, own: 9, at: 1, in: server)
    try await server.store.write(.kill) { work in
      let copy = try #require(try work.rows.conversation(named: Self.new)).id
      let row = try #require(try work.rows.messages(of: copy).first { $0.sender == "bob" })
      let content = Data(#"{"text":"edited"}"#.utf8)
      try MessageActions(work).edit(row.id, "text", content, nil, as: ActionID(rawValue: "a"))
    }
    try await Self.apply(10, to: Self.new, replacing: [Self.old], count: 1, at: 2, in: server)
    let own = try await server.rows().filter { $0.sender == "bob" }
    #expect(own.count == 1 && own.first?.pending != nil)
    await server.store.database.close()
  }
}
