import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("Ends of a membership that a device learns late or not at all")
struct MissedInvitationTests {
  @Test(
    "After an invitation that this device has not received, the first contact list decides about the group",
    .simulated(seeds: 1...1), arguments: [true, false])
  func firstContactList(isMember: Bool) async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival, contacts: true)
    try await InvitedGroup.apply((nil, 1), [InvitedGroup.delta], in: store)
    try await InvitedGroup.apply((1, 2), left: [InvitedGroup.info.ref], in: store)
    #expect(try await !InvitedGroup.row(in: store).isClosed)
    let group = Contact(id: .group(InvitedGroup.info.ref), type: .group, name: "Holiday")
    try await store.write(.kill) { work in
      let list = ContactDelta(
        from: nil, next: ContactVersion(rawValue: "1"), isFull: true, changed: isMember ? [group] : [])
      _ = try ContactBook(work).apply(list, isConfirmed: true)
    }
    #expect(try await InvitedGroup.row(in: store).isClosed == !isMember)
    #expect(try await store.read { try $0.removedContacts() }.isEmpty == isMember)
    await store.database.close()
  }

  @Test(
    "A group that was opened here and left elsewhere closes if no contact list contains it",
    .simulated(seeds: 1...1))
  func openedHereLeftElsewhere() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival, contacts: true)
    let later = ConversationRef(rawValue: "later")
    let other = ConversationInfo(ref: later, type: .group, title: "Later", members: [])
    try await InvitedGroup.apply((nil, 1), [InvitedGroup.delta], in: store)
    let unlisted = try await store.read { try $0.unlistedGroups() }
    #expect(unlisted == [.group(InvitedGroup.info.ref)])
    // The server creates this group after the request.
    try await InvitedGroup.apply((1, 2), [ConversationDelta(info: other, count: 0, messages: [])], in: store)
    try await store.write(.kill) { work in
      let list = ContactDelta(from: nil, next: ContactVersion(rawValue: "1"), isFull: true)
      _ = try ContactBook(work).apply(list, isConfirmed: false, unlisted: unlisted)
    }
    #expect(try await InvitedGroup.row(in: store).isClosed)
    #expect(try await store.read { try $0.conversation(named: later) }?.isClosed == false)
    #expect(try await store.read { try $0.unlistedGroups() } == [.group(later)])
    await store.database.close()
  }

  @Test(
    "A group that was accepted and then left stays closed when an older sync lists it",
    .simulated(seeds: 1...1))
  func acceptedAndLeft() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation], in: store)
    let id = try await InvitedGroup.row(in: store).id
    try await store.write(.kill) { work in
      try Invitations(work).accept(id)
      let opening = try #require(try work.rows.opening(of: id)).id
      _ = try Attempts(work).start(opening, mayRepeat: true)
      try ConversationEnds(work).leave(id)
      try ConversationBook(work).completeOpening(opening, InvitedGroup.info)
    }
    let leaving = try #require(try await store.read { try $0.leaving(id) }).id
    try await store.write(.kill) { try ConversationEnds($0).completeLeaving(leaving) }
    try await InvitedGroup.apply((1, 2), [InvitedGroup.delta], in: store)
    #expect(try await InvitedGroup.row(in: store).isClosed)
    try await InvitedGroup.apply((2, 3), left: [InvitedGroup.info.ref], in: store)
    try await InvitedGroup.apply((3, 4), [InvitedGroup.delta], in: store)
    #expect(try await !InvitedGroup.row(in: store).isClosed)
    await store.database.close()
  }

  @Test(
    "A group that was left here and joined elsewhere opens with a listing that was requested after the confirmation",
    .simulated(seeds: 1...1), arguments: [true, false])
  func joinedElsewhere(isRequestedLater: Bool) async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), [InvitedGroup.delta], in: store)
    let id = try await InvitedGroup.row(in: store).id
    let leaving = try await store.write(.kill) { work in
      try ConversationEnds(work).leave(id)
      return try #require(try work.rows.leaving(id)).id
    }
    let before = try await store.read { try $0.account()?.version }
    try await store.write(.kill) { try ConversationEnds($0).completeLeaving(leaving) }
    let after = try await store.read { try $0.account()?.version }
    try await InvitedGroup.apply(
      (1, 2), [InvitedGroup.delta], requestedAt: isRequestedLater ? after : before, in: store)
    #expect(try await InvitedGroup.row(in: store).isClosed != isRequestedLater)
    #expect(try await store.read { try $0.removedContacts() }.isEmpty == isRequestedLater)
    await store.database.close()
  }

  @Test(
    "A contact list that contains the group for a moment does not list a declined invitation again",
    .simulated(seeds: 1...1))
  func declined() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival, contacts: true)
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation], in: store)
    let id = try await InvitedGroup.row(in: store).id
    let group = Contact(id: .group(InvitedGroup.info.ref), type: .group, name: "Holiday")
    try await store.write(.kill) { work in
      let removal = ContactDelta(
        from: nil, next: ContactVersion(rawValue: "1"), isFull: false, removed: [group.id])
      _ = try ContactBook(work).apply(removal, isConfirmed: false)
      try Invitations(work).decline(id)
      try ConversationEnds(work).completeLeaving(try #require(try work.rows.leaving(id)).id)
      let addition = ContactDelta(
        from: ContactVersion(rawValue: "1"), next: ContactVersion(rawValue: "2"), isFull: false,
        changed: [group])
      _ = try ContactBook(work).apply(addition, isConfirmed: false)
    }
    #expect(try await InvitedGroup.row(in: store).isClosed)
    // Another device has accepted a later invitation.
    try await InvitedGroup.apply((1, 2), [InvitedGroup.delta], in: store)
    let row = try await InvitedGroup.row(in: store)
    #expect(!row.isClosed && row.invitation == nil)
    await store.database.close()
  }

  @Test(
    "A confirmed acceptance that the first batch of a sync does not list is asked for again",
    .simulated(seeds: 1...1))
  func unlistedAcceptance() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival)
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation], in: store)
    let id = try await InvitedGroup.row(in: store).id
    try await store.write(.kill) { work in
      try EpochChange(work).dropCursor(SyncCursor(rawValue: "1"))
      try Invitations(work).accept(id)
      let opening = try #require(try work.rows.opening(of: id)).id
      try ConversationBook(work).completeOpening(opening, InvitedGroup.info)
    }
    #expect(try await store.read { try $0.operations() }.isEmpty)
    try await InvitedGroup.apply((nil, 2), hasMore: true, in: store)
    #expect(try await InvitedGroup.row(in: store).invitation == .accepted)
    #expect(try await store.read { try $0.operations() }.map(\.kind) == [.open])
    await store.database.close()
  }

  @Test(
    "A contact that arrives while its invitation is being declined is listed if another device has accepted it",
    .simulated(seeds: 1...1))
  func acceptedElsewhere() async throws {
    let store = try await OddServerTests.store(stage, ordering: .arrival, contacts: true)
    try await InvitedGroup.apply((nil, 1), [], [InvitedGroup.invitation], in: store)
    let id = try await InvitedGroup.row(in: store).id
    let group = Contact(id: .group(InvitedGroup.info.ref), type: .group, name: "Holiday")
    try await store.write(.kill) { work in
      try Invitations(work).decline(id)
      let addition = ContactDelta(
        from: nil, next: ContactVersion(rawValue: "1"), isFull: false, changed: [group])
      _ = try ContactBook(work).apply(addition, isConfirmed: false)
    }
    #expect(try await store.read { try $0.contacts() }.isEmpty)
    try await InvitedGroup.apply((1, 2), [InvitedGroup.delta], in: store)
    #expect(try await store.read { try $0.contacts() }.map(\.id) == [group.id])
    #expect(try await !InvitedGroup.row(in: store).isClosed)
    await store.database.close()
  }
}
