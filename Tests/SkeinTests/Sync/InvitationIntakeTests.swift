import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Invitations in syncs")
struct InvitationIntakeTests {
  private static func rows(in store: ChatStore) async throws -> [ConversationRow] {
    try await store.read { try $0.select(ConversationRow.self, "ORDER BY id") }
  }

  @Test(
    "A sync from the beginning closes the invitations that it does not list; accepted ones may follow",
    .simulated(seeds: 1...1), arguments: [true, false])
  func firstSync(hasMore: Bool) async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    var other = InvitedGroup.invitation
    other.info.ref = ConversationRef(rawValue: "other")
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation, other], in: store)
    let ids = try await Self.rows(in: store).map(\.id)
    try await store.write(.kill) { work in
      try Invitations(work).accept(ids[1])
      try EpochChange(work).dropCursor(SyncCursor(rawValue: "1"))
    }
    try await InvitedGroup.apply((nil, 2), hasMore: hasMore, in: store)
    #expect(try await Self.rows(in: store).map(\.isClosed) == [true, !hasMore])
    #expect(try await store.read { try $0.operations() }.count == (hasMore ? 1 : 0))
    await store.database.close()
  }

  @Test(
    "A report of an invitation that is older than its answer changes nothing", .simulated(seeds: 1...1),
    arguments: [true, false])
  func olderReport(accepts: Bool) async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation], in: store)
    let id = try #require(try await Self.rows(in: store).first?.id)
    try await store.write(.kill) { work in
      if accepts { try Invitations(work).accept(id) } else { try Invitations(work).decline(id) }
    }
    let before = try await Self.rows(in: store)
    try await InvitedGroup.apply((1, 2), [], [InvitedGroup.invitation], in: store)
    #expect(try await Self.rows(in: store).map(\.invitation) == before.map(\.invitation))
    #expect(try await Self.rows(in: store).map(\.isClosed) == [!accepts])
    await store.database.close()
  }

  @Test(
    "A sync that lists the conversation ends the invitation, and a declining that still waits",
    .simulated(seeds: 1...1), arguments: [nil, true, false])
  func joinedElsewhere(answer: Bool?) async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation], in: store)
    let id = try #require(try await Self.rows(in: store).first?.id)
    try await store.write(.kill) { work in
      if answer == true { try Invitations(work).accept(id) }
      if answer == false { try Invitations(work).decline(id) }
    }
    let message = IncomingMessage.number(1)
    let delta = ConversationDelta(info: InvitedGroup.invitation.info, count: 1, messages: [message])
    try await InvitedGroup.apply((1, 2), [delta], [InvitedGroup.invitation], in: store)
    let row = try #require(try await Self.rows(in: store).first)
    #expect(row.invitation == nil && row.inviter == nil && !row.isClosed && row.unreadCount == 1)
    #expect(try await store.read { try $0.operations() }.isEmpty)
    await store.database.close()
  }

  @Test(
    "A conversation is opened when the account is added after its invitation was declined or withdrawn",
    .simulated(seeds: 1...1), arguments: [true, false], [true, false])
  func addedLater(isWithdrawn: Bool, hasContacts: Bool) async throws {
    let store = try await Self.store(hasContacts: hasContacts)
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation], in: store)
    let id = try #require(try await Self.rows(in: store).first?.id)
    if isWithdrawn {
      try await InvitedGroup.apply((1, 2), left: [InvitedGroup.invitation.info.ref], in: store)
    } else {
      try await store.write(.kill) { work in
        try Invitations(work).decline(id)
        try ConversationEnds(work).completeLeaving(try #require(try work.rows.leaving(id)).id)
      }
      try await InvitedGroup.apply((1, 2), in: store)
    }
    #expect(try await Self.rows(in: store).map(\.isClosed) == [true])
    await #expect(throws: ChatError.self) { try await store.write(.kill) { try Invitations($0).accept(id) } }
    let delta = ConversationDelta(info: InvitedGroup.invitation.info, count: 1, messages: [.number(1)])
    try await InvitedGroup.apply((2, 3), [delta], in: store)
    let row = try #require(try await Self.rows(in: store).first)
    #expect(!row.isClosed && row.invitation == nil && row.unreadCount == 1)
    await store.database.close()
  }

  @Test(
    "A declining that still waits ends with its invitation, and does not answer the next one",
    .simulated(seeds: 1...1))
  func invitedAgain() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation], in: store)
    let id = try #require(try await Self.rows(in: store).first?.id)
    try await store.write(.kill) { try Invitations($0).decline(id) }
    try await InvitedGroup.apply((1, 2), left: [InvitedGroup.invitation.info.ref], in: store)
    #expect(try await store.read { try $0.operations() }.isEmpty)
    try await InvitedGroup.apply((2, 3), [], [InvitedGroup.invitation], in: store)
    let row = try #require(try await Self.rows(in: store).first)
    #expect(!row.isClosed && row.invitation == .pending)
    await store.database.close()
  }

  @Test("An own group can be opened again after an invitation to it was withdrawn", .simulated(seeds: 1...1))
  func ownGroup() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    let request = ConversationRequest.group(id: "g", title: "Holiday", members: ["bob"])
    try await InvitedGroup.apply((nil, 1), [], in: store)
    let id = try await store.write(.kill) { work in
      let id = try ConversationBook(work).open(request)
      let operation = try #require(try work.rows.operations(in: id).first)
      try ConversationBook(work).completeOpening(operation.id, InvitedGroup.invitation.info)
      return id
    }
    try await store.write(.kill) { work in
      try ConversationEnds(work).leave(id)
      try ConversationEnds(work).completeLeaving(try #require(try work.rows.leaving(id)).id)
    }
    try await InvitedGroup.apply((1, 2), [], [InvitedGroup.invitation], in: store)
    try await InvitedGroup.apply((2, 3), left: [InvitedGroup.invitation.info.ref], in: store)
    let opened = try await store.write(.kill) { try ConversationBook($0).open(request) }
    let row = try #require(try await Self.rows(in: store).first { $0.id == opened })
    #expect(!row.isClosed && row.invitation == nil)
    await store.database.close()
  }

  @Test(
    "A user whose invitation was declined can invite to another one-to-one chat", .simulated(seeds: 1...1))
  func anotherDirectChat() async throws {
    let store = try await Self.store(hasContacts: false)
    func invitation(_ ref: String) -> ConversationInvitation {
      let ref = ConversationRef(rawValue: ref)
      return ConversationInvitation(
        info: ConversationInfo(ref: ref, type: .direct, peer: "alice"), inviter: "alice")
    }
    try await InvitedGroup.apply((nil, 1), [], [invitation("first")], in: store)
    let id = try #require(try await Self.rows(in: store).first?.id)
    try await store.write(.kill) { work in
      try Invitations(work).decline(id)
      try ConversationEnds(work).completeLeaving(try #require(try work.rows.leaving(id)).id)
    }
    try await InvitedGroup.apply((1, 2), [], [invitation("second")], in: store)
    #expect(try await Self.rows(in: store).map(\.peer) == [nil, "alice"])
    let opened = try await store.write(.kill) { try ConversationBook($0).open(.direct("alice")) }
    #expect(try await Self.rows(in: store).map(\.invitation) == [.pending, .accepted])
    #expect(opened != id)
    await store.database.close()
  }

  private static func store(hasContacts: Bool) async throws -> ChatStore {
    try await ChatStore.open(
      account: "bob", kinds: .standard,
      capabilities: ServerAbilities(
        idempotency: .forever, ordering: .arrival, contacts: hasContacts, leaving: true),
      runtime: stage.runtime(named: "store"), derivations: Derivations.all)
  }

  @Test(
    "A server with a contact list may withdraw invitations, and a member may be invited again",
    .simulated(seeds: 1...1))
  func withContacts() async throws {
    let store = try await Self.store(hasContacts: true)
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation], in: store)
    try await InvitedGroup.apply((1, 2), left: [InvitedGroup.invitation.info.ref], in: store)
    #expect(try await Self.rows(in: store).map(\.isClosed) == [true])
    let delta = ConversationDelta(info: InvitedGroup.invitation.info, count: 1, messages: [.number(1)])
    try await InvitedGroup.apply((2, 3), [], [InvitedGroup.invitation], in: store)
    try await InvitedGroup.apply((3, 4), [delta], in: store)
    #expect(try await Self.rows(in: store).map(\.unreadCount) == [1])
    // Removed and invited again between two syncs: the messages stay, and count no more.
    try await InvitedGroup.apply((4, 5), [], [InvitedGroup.invitation], in: store)
    let row = try #require(try await Self.rows(in: store).first)
    #expect(row.invitation == .pending && row.unreadCount == 0 && row.lastMessage != nil)
    // The contact list that no longer has the group does not close the invitation, and joining does not restore it
    // to the list: only the server does.
    try await store.write(.kill) { work in
      let version = ContactVersion(rawValue: "1")
      _ = try ContactBook(work).apply(
        ContactDelta(
          from: nil, next: version, isFull: false, removed: [.group(InvitedGroup.invitation.info.ref)]),
        isConfirmed: false)
    }
    #expect(try await Self.rows(in: store).map(\.isClosed) == [false])
    try await InvitedGroup.apply((5, 6), [delta], in: store)
    #expect(try await store.read { try $0.removedContacts() }.count == 1)
    await store.database.close()
  }

  @Test(
    "A chat that this device opens stays apart from an invitation of the same user until the server joins them",
    .simulated(seeds: 1...1))
  func directOpening() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    let own = try await store.write(.kill) { try ConversationBook($0).open(.direct("alice")) }
    let info = ConversationInfo(ref: ConversationRef(rawValue: "d"), type: .direct, peer: "alice")
    try await InvitedGroup.apply(
      (nil, 1), [], [ConversationInvitation(info: info, inviter: "alice")], in: store)
    #expect(try await Self.rows(in: store).map(\.invitation) == [nil, .pending])
    try await store.write(.kill) { work in
      let opening = try #require(try work.rows.opening(of: own))
      try ConversationBook(work).completeOpening(opening.id, info)
    }
    let row = try #require(try await Self.rows(in: store).first)
    #expect(try await Self.rows(in: store).count == 1)
    #expect(row.id == own && row.ref == info.ref && row.invitation == nil && !row.isClosed)
    await store.database.close()
  }
}
