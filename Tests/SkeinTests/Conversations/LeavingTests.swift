import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Leaving a group")
struct LeavingTests {
  @Test(
    "A group that a user leaves offline disappears at once, is left on the server later, and does not return",
    .simulated)
  func leaving() async throws {
    let server = stage.server
    let request = ConversationRequest.group(id: "g", title: "Climbing", members: ["alice", "carol"])
    let ref = try server.open(request, by: "bob").ref
    try server.post("one", from: "bob", in: ref)
    let bob = try await stage.contactClient("bob", on: "bob")
    let alice = try await stage.contactClient("alice", on: "phone")
    alice.start()
    bob.start()
    let group = try await alice.conversations.first { $0.unreadCount == 1 }
    try await alice.contacts.list { $0.map(\.name) == ["Climbing"] }
    let theirs = try await bob.conversations.first { $0.lastMessage != nil }
    server.setReachable(false)
    try await alice.send(TextContent("never sent"), to: group.id)
    try await alice.conversations.leave(group.id)
    try await alice.conversations.list { $0.isEmpty }
    try await alice.contacts.list { $0.isEmpty }
    let failed = try await alice.failedMessages()
    #expect(failed.map { $0.failure?.code } == [.recipientRemoved])
    #expect(server.info(ref, for: "bob")?.members?.count == 3)
    server.setReachable(true)
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    #expect(try await bob.members(of: theirs.id) == ["bob", "carol"])
    try server.post("two", from: "bob", in: ref)
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    #expect(alice.conversations.conversations.isEmpty)
    #expect(alice.contacts.contacts.isEmpty)
    await alice.close()
    await bob.close()
  }

  @Test(
    "A group that a user has left returns if the server refuses the request to leave",
    .simulated(seeds: 1...2))
  func refused() async throws {
    let ref = try stage.server.open(.group(id: "g", title: "Work", members: ["alice"]), by: "bob").ref
    try stage.server.post("one", from: "bob", in: ref)
    let alice = try await stage.contactClient("alice", on: "phone") { backend in
      backend.onLeave = { _ in throw BackendError(.permanent, "Nobody leaves.") }
    }
    alice.start()
    let group = try await alice.conversations.first { $0.unreadCount == 1 }
    try await alice.contacts.list { $0.count == 1 }
    try await alice.conversations.leave(group.id)
    try await alice.conversations.list { $0.isEmpty }
    try await alice.conversations.list { $0.first?.unreadCount == 1 }
    try await alice.contacts.list { $0.map(\.name) == ["Work"] }
    await alice.close()
  }

  @Test(
    "Without a contact list, a group that another device joins after the leaving opens again",
    .simulated(seeds: 1...3))
  func joinedElsewhere() async throws {
    let server = stage.server
    let ref = try server.open(.group(id: "g", title: "Climbing", members: ["alice"]), by: "bob").ref
    try server.post("one", from: "bob", in: ref)
    let alice = try await stage.client("alice", on: "phone") { $0.inner.abilities.leaving = true }
    alice.start()
    let group = try await alice.conversations.first { $0.unreadCount == 1 }
    try await alice.conversations.leave(group.id)
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    #expect(server.info(ref, for: "bob")?.members == ["bob"])
    #expect(alice.conversations.conversations.isEmpty)
    server.join(ref, by: "alice")
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    #expect(alice.conversations.conversations.map(\.id) == [group.id])
    await alice.close()
  }

  @Test(
    "Opening a group again by its key cancels a request to leave that the server has not received", .simulated
  )
  func openedAgain() async throws {
    let server = stage.server
    let alice = try await stage.contactClient("alice", on: "phone")
    alice.start()
    let request = ConversationRequest.group(id: "trip", title: "Trip", members: ["bob"])
    let id = try await alice.open(request)
    let ref = try await alice.conversations.first { $0.ref != nil }.ref
    try await alice.contacts.list { $0.count == 1 }
    server.setReachable(false)
    try await alice.conversations.leave(id)
    try await alice.contacts.list { $0.isEmpty }
    try await alice.conversations.list { $0.isEmpty }
    let again = try await alice.open(request)
    #expect(again == id)
    try await alice.contacts.list { $0.map(\.name) == ["Trip"] }
    try await alice.conversations.list { $0.count == 1 }
    // Requests that are under way fail before the server is reachable again.
    try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    server.setReachable(true)
    _ = try await alice.send(TextContent("still here"), to: id).result
    let members = server.info(try #require(ref), for: "alice")?.members
    #expect(members == ["alice", "bob"])
    await alice.close()
  }

  @Test(
    "A group that is opened again is also opened on the server if the server may have processed the leaving",
    .simulated(seeds: 1...1), arguments: [true, false])
  func openedAfterLostAnswer(isUnderWay: Bool) async throws {
    let store = try await OddServerTests.store(stage)
    let request = ConversationRequest.group(id: "g", title: "Holiday", members: ["alice"])
    try await InvitedGroup.apply((nil, 1), in: store)
    let id = try await store.write(.kill) { work in
      let id = try ConversationBook(work).open(request)
      let opening = try #require(try work.rows.opening(of: id)).id
      try ConversationBook(work).completeOpening(opening, InvitedGroup.info)
      return id
    }
    try await store.write(.kill) { work in
      try ConversationEnds(work).leave(id)
      let leaving = try #require(try work.rows.leaving(id)).id
      if isUnderWay { _ = try Attempts(work).start(leaving, mayRepeat: true) }
    }
    let kinds = try await store.write(.kill) { work in
      #expect(try ConversationBook(work).open(request) == id)
      return try work.rows.operations(in: id).map(\.kind)
    }
    #expect(kinds == (isUnderWay ? [.open] : []))
    #expect(try await !InvitedGroup.row(in: store).isClosed)
    await store.database.close()
  }

  /// A client whose group is created on the server and not confirmed until `confirm` is called.
  ///
  /// - Parameter meanwhile: runs on the server before each answer that is lost.
  private func clientWithUnconfirmedGroup(
    _ stage: SimulatedStage, meanwhile: @escaping @Sendable (ConversationInfo) throws -> Void = { _ in }
  ) async throws -> (alice: ChatClient, confirm: @Sendable () -> Void) {
    let isConfirmed = Mutex(false)
    let alice = try await stage.contactClient("alice", on: "phone") { [server = stage.server] backend in
      backend.onOpen = { request in
        let info = try server.open(request, by: "alice")
        guard isConfirmed.withLock({ $0 }) else {
          try meanwhile(info)
          throw BackendError(.transient, "The response was lost.", outcomeIsUnknown: true)
        }
        return info
      }
    }
    alice.start()
    return (alice, { isConfirmed.withLock { $0 = true } })
  }

  @Test(
    "If a group is stored twice because its creation is unconfirmed, leaving one copy leaves both",
    .simulated,
    arguments: [0, 1])
  func leftTwice(_ number: Int) async throws {
    let server = stage.server
    let (alice, confirm) = try await self.clientWithUnconfirmedGroup(stage)
    let made = try await alice.open(.group(id: "trip", title: "Trip", members: ["bob"]))
    let synced = try await alice.conversations.first { $0.ref != nil && $0.id != made }.id
    try await alice.contacts.list { $0.count == 1 }
    let (left, other) = number == 0 ? (made, synced) : (synced, made)
    try await alice.conversations.leave(left)
    let sent = try await alice.send(TextContent("see you there"), to: other)
    confirm()
    _ = try? await sent.result
    try await alice.conversations.list { $0.isEmpty }
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    let members = server.rooms().first.flatMap { server.info($0, for: "bob")?.members }
    #expect(members == ["bob"])
    #expect(alice.conversations.conversations.isEmpty)
    #expect(alice.contacts.contacts.isEmpty)
    await alice.close()
  }

  @Test("A new group that another device leaves before the creation is confirmed is not shown", .simulated)
  func removedUnconfirmed() async throws {
    let (alice, confirm) = try await self.clientWithUnconfirmedGroup(stage) { info in
      try stage.server.leave(info.ref, by: "alice")
    }
    for await state in alice.catchUpStates where state == .caughtUp { break }
    let made = try await alice.open(.group(id: "trip", title: "Trip", members: ["bob"]))
    let sent = try await alice.send(TextContent("see you there"), to: made)
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    confirm()
    let failure = try await #require(throws: SendFailure.self) { try await sent.result }
    #expect(failure.code == .recipientRemoved)
    try await alice.conversations.list { $0.isEmpty }
    await alice.close()
  }
}
