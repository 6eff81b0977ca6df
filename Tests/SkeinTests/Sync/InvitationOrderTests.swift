import Foundation
import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Answers that a sync overtakes, and the other way round")
struct InvitationOrderTests {
  private static func kinds(in store: ChatStore) async throws -> [OperationRow.Kind] {
    try await store.read { try $0.operations() }.map(\.kind)
  }

  @Test(
    "A sync from the beginning that is older than an acceptance does not list the invitation as unanswered",
    .simulated(seeds: 1...1))
  func lateFirstSync() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation], in: store)
    let id = try await InvitedGroup.row(in: store).id
    try await store.write(.kill) { work in
      try Invitations(work).accept(id)
      try EpochChange(work).dropCursor(SyncCursor(rawValue: "1"))
    }
    // A sync from the beginning is under way now. It is answered later than the acceptance.
    try await store.write(.kill) { work in
      let opening = try #require(try work.rows.opening(of: id))
      try ConversationBook(work).completeOpening(opening.id, InvitedGroup.info)
    }
    #expect(try await InvitedGroup.row(in: store).invitation == .accepted)
    #expect(try await Self.kinds(in: store) == [])
    try await InvitedGroup.apply((nil, 2), [], [InvitedGroup.invitation], in: store)
    #expect(try await InvitedGroup.row(in: store).invitation == .accepted)
    // Accepting once more does no harm, and is necessary if it was another invitation.
    #expect(try await Self.kinds(in: store) == [.open])
    try await InvitedGroup.apply((2, 3), [InvitedGroup.delta], in: store)
    let row = try await InvitedGroup.row(in: store)
    #expect(row.invitation == nil && !row.isClosed && row.unreadCount == 1)
    #expect(try await Self.kinds(in: store) == [])
    await store.database.close()
  }

  @Test(
    "The answer to another opening of a group does not bring back a member who a sync has reported as gone",
    .simulated(seeds: 1...1))
  func lateOpening() async throws {
    let store = try await OddServerTests.store(stage)
    @Sendable func delta(_ members: [UserID]) -> ConversationDelta {
      var delta = InvitedGroup.delta
      delta.info.members = members
      return delta
    }
    try await InvitedGroup.apply((nil, 1), [delta(["alice", "bob", "carol"])], in: store)
    let id = try await InvitedGroup.row(in: store).id
    // As after a change of the epoch. The server answers before Carol leaves, and the answer is late.
    try await store.write(.kill) { try ConversationOpenings($0).queueOpening(of: id) }
    try await InvitedGroup.apply((1, 2), [delta(["alice", "bob"])], in: store)
    try await store.write(.kill) { work in
      let opening = try #require(try work.rows.opening(of: id))
      try ConversationBook(work).completeOpening(opening.id, delta(["alice", "bob", "carol"]).info)
    }
    #expect(try await store.read { try $0.members(of: id).map(\.user) } == ["alice", "bob"])
    await store.database.close()
  }

  @Test(
    "The answer to the opening of a group that syncs have returned meanwhile does not describe it",
    .simulated(seeds: 1...1))
  func lateFirstOpening() async throws {
    let store = try await OddServerTests.store(stage)
    let id = try await store.write(.kill) {
      try ConversationBook($0).open(.group(id: "g", title: "Climbing", members: ["alice", "carol"]))
    }
    var delta = InvitedGroup.delta
    delta.info.members = ["alice", "bob"]
    try await InvitedGroup.apply((nil, 1), [delta], in: store)
    try await store.write(.kill) { work in
      let opening = try #require(try work.rows.opening(of: id))
      var answer = InvitedGroup.info
      (answer.title, answer.members) = ("Climbing", ["alice", "bob", "carol"])
      try ConversationBook(work).completeOpening(opening.id, answer)
    }
    let row = try await InvitedGroup.row(in: store)
    #expect(row.id == id && row.title == "Holiday")
    #expect(try await store.read { try $0.members(of: id).map(\.user) } == ["alice", "bob"])
    await store.database.close()
  }

  @Test(
    "The answer to an opening keeps the receipts of members whom only syncs have named",
    .simulated(seeds: 1...1))
  func receiptsOfOthers() async throws {
    let store = try await OddServerTests.store(stage)
    let id = try await store.write(.kill) {
      try ConversationBook($0).open(.group(id: "g", title: "Climbing", members: ["alice"]))
    }
    var delta = InvitedGroup.delta
    delta.info.members = ["alice", "bob", "dave"]
    delta.info.receipts = [
      MemberReceipt(user: "dave", delivered: nil, read: MessageMark(position: Position(rawValue: 1)))
    ]
    try await InvitedGroup.apply((nil, 1), [delta], in: store)
    try await store.write(.kill) { [delta] work in
      let opening = try #require(try work.rows.opening(of: id))
      try ConversationBook(work).completeOpening(opening.id, delta.info)
    }
    let dave = try await store.read { try $0.members(of: id) }.last
    #expect(dave?.user == "dave" && dave?.read == Rank(rawValue: 1))
    await store.database.close()
  }

  @Test("A sync that returns a chat under another id ends its opening", .simulated(seeds: 1...1))
  func replacedWhileOpening() async throws {
    let store = try await OddServerTests.store(stage)
    try await InvitedGroup.apply((nil, 1), [InvitedGroup.delta], in: store)
    let id = try await InvitedGroup.row(in: store).id
    try await store.write(.kill) { try ConversationOpenings($0).queueOpening(of: id) }
    var next = InvitedGroup.info
    (next.ref, next.replaces) = (ConversationRef(rawValue: "r2"), [InvitedGroup.info.ref])
    try await InvitedGroup.apply(
      (1, 2), [ConversationDelta(info: next, count: 1, messages: [.number(2)])], in: store)
    #expect(try await Self.kinds(in: store) == [])
    await store.database.close()
  }

  @Test(
    "Accepting replaces a queued opening of an own group, which would not join it", .simulated(seeds: 1...1))
  func replacedOpening() async throws {
    let (store, id) = try await Self.invitedToOwnGroup(stage)
    try await store.write(.kill) { try Invitations($0).accept(id) }
    let requests = try await store.read { try $0.operations() }.map {
      try JSONDecoder().decode(ConversationRequest.self, from: $0.parameters ?? Data())
    }
    #expect(requests == [.invitation(InvitedGroup.info.ref)])
    await store.database.close()
  }

  @Test("Declining ends a queued opening of an own group, which might join it", .simulated(seeds: 1...1))
  func endedOpening() async throws {
    let (store, id) = try await Self.invitedToOwnGroup(stage)
    try await store.write(.kill) { try Invitations($0).decline(id) }
    #expect(try await Self.kinds(in: store) == [.leave])
    await store.database.close()
  }

  /// A store with an own group that is to be opened again, while its former member is invited to it.
  private static func invitedToOwnGroup(_ stage: SimulatedStage) async throws -> (ChatStore, ConversationID) {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), in: store)
    let id = try await store.write(.kill) { work in
      let id = try ConversationBook(work).open(.group(id: "g", title: "Holiday", members: ["alice"]))
      let opening = try #require(try work.rows.opening(of: id))
      try ConversationBook(work).completeOpening(opening.id, InvitedGroup.info)
      // As after a change of the epoch.
      try ConversationOpenings(work).queueOpening(of: id)
      return id
    }
    try await InvitedGroup.apply((1, 2), [], [InvitedGroup.invitation], in: store)
    return (store, id)
  }

  @Test(
    "Messages wait for the answer if the opening of their group returns a group to which this account is invited",
    .simulated(seeds: 1...1))
  func mergedInvitation() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), in: store)
    let id = try await store.write(.kill) { work in
      let id = try ConversationBook(work).open(.group(id: "g", title: "Holiday", members: ["alice"]))
      try Self.compose(in: id, work)
      return id
    }
    try await InvitedGroup.apply((1, 2), [], [InvitedGroup.invitation], in: store)
    try await store.write(.kill) { work in
      let opening = try #require(try work.rows.opening(of: id))
      var info = InvitedGroup.info
      info.members = ["alice"]
      try ConversationBook(work).completeOpening(opening.id, info)
    }
    #expect(try await InvitedGroup.row(in: store).invitation == .pending)
    #expect(try await Self.kinds(in: store).contains(.hold))
    await store.database.close()
  }

  @Test(
    "Held messages outlive the first batches of a sync from the beginning, since a later one may list their group",
    .simulated(seeds: 1...1))
  func severalBatches() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), [InvitedGroup.delta], in: store)
    let id = try await InvitedGroup.row(in: store).id
    try await store.write(.kill) { try Self.compose(in: id, $0) }
    try await InvitedGroup.apply((1, 2), left: [], [InvitedGroup.invitation], in: store)
    #expect(try await Self.kinds(in: store).contains(.hold))
    try await store.write(.kill) { try EpochChange($0).dropCursor(SyncCursor(rawValue: "2")) }
    // Another device has accepted.
    try await InvitedGroup.apply((nil, 3), hasMore: true, in: store)
    #expect(try await !InvitedGroup.row(in: store).isClosed)
    try await InvitedGroup.apply((3, 4), [InvitedGroup.delta], in: store)
    #expect(try await Self.kinds(in: store) == [.send])
    await store.database.close()
  }

  @Test("In a restored copy of a database, openings and leavings may have reached the server", .simulated)
  func restoredCopy() async throws {
    let (store, id) = try await Self.invitedToOwnGroup(stage)
    let opening = try await store.write(.kill) { work in
      try work.rows.doubtAllAttempts()
      return try work.rows.opening(of: id)
    }
    #expect(opening?.outcomeIsUnknown == true)
    await store.database.close()
  }

  private static func compose(in id: ConversationID, _ work: UnitOfWork) throws {
    let draft = EncodedMessage(
      messageID: MessageID(rawValue: "own"), kind: "text", payload: Data(#"{"text":"own"}"#.utf8),
      needsPreparation: false)
    _ = try Composing(work).compose(draft, in: id)
  }

  /// A store with the group, which this device leaves; the leaving is under way, or has not been tried.
  private static func leaving(_ stage: SimulatedStage, isUnderWay: Bool) async throws -> (
    ChatStore, OperationID
  ) {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), [InvitedGroup.delta], in: store)
    let id = try await InvitedGroup.row(in: store).id
    let operation = try await store.write(.kill) { work in
      try ConversationEnds(work).leave(id)
      let operation = try #require(try work.rows.leaving(id)).id
      if isUnderWay { _ = try Attempts(work).start(operation, mayRepeat: true) }
      return operation
    }
    return (store, operation)
  }

  @Test(
    "A group that is joined elsewhere is shown, whether its leaving was confirmed by a sync or by its answer",
    .simulated(seeds: 1...1), arguments: [true, false])
  func confirmedBySync(isUnderWay: Bool) async throws {
    let (store, operation) = try await Self.leaving(stage, isUnderWay: isUnderWay)
    try await InvitedGroup.apply((1, 2), left: [InvitedGroup.info.ref], in: store)
    #expect(try await Self.kinds(in: store) == (isUnderWay ? [] : [.leave]))
    if !isUnderWay { try await store.write(.kill) { try ConversationEnds($0).completeLeaving(operation) } }
    try await InvitedGroup.apply((2, 3), [InvitedGroup.delta], in: store)
    // The answer is late.
    try await store.write(.kill) { try ConversationEnds($0).completeLeaving(operation) }
    #expect(try await !InvitedGroup.row(in: store).isClosed)
    #expect(try await store.read { try $0.removedContacts() }.isEmpty)
    await store.database.close()
  }

  @Test(
    "The messages of a group that a sync reported as left are deleted after the retention time",
    .simulated(seeds: 1...1))
  func purgedAfterLeaving() async throws {
    let (store, operation) = try await Self.leaving(stage, isUnderWay: true)
    try await store.write(.kill) { try ConversationEnds($0).completeLeaving(operation) }
    try await InvitedGroup.apply((1, 2), left: [InvitedGroup.info.ref], in: store)
    let (id, now) = (try await InvitedGroup.row(in: store).id, store.clock.now)
    let early = try await store.read { try $0.conversationsToPurge(removedBefore: now + .seconds(-1)) }
    let late = try await store.read { try $0.conversationsToPurge(removedBefore: now + .seconds(1)) }
    #expect(early == [] && late == [id])
    await store.database.close()
  }
}
