import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Invitations")
struct InvitationTests {
  /// A group of Bob and Carol with a message, to which Bob has invited Alice.
  private func group(on server: MemoryServer) throws -> ConversationRef {
    let ref = try server.open(.group(id: "g", title: "Holiday", members: ["carol"]), by: "bob").ref
    try server.post("one", from: "bob", in: ref)
    server.invite("alice", to: ref, by: "bob")
    return ref
  }

  /// A client of a server without a contact list.
  private func client(
    _ stage: SimulatedStage, on device: String = "phone",
    altering alter: (inout AlteredBackend) -> Void = { _ in }
  ) async throws -> ChatClient {
    let alice = try await stage.client("alice", on: device) { backend in
      backend.inner.abilities.leaving = true
      alter(&backend)
    }
    alice.start()
    return alice
  }

  @Test(
    "An invitation is listed with its inviter, has nothing unread, requests no history and can't be sent to",
    .simulated)
  func listed() async throws {
    let ref = try group(on: stage.server)
    let requests = Mutex(0)
    let alice = try await client(stage) { $0.onHistory = { _ in requests.withLock { $0 += 1 } } }
    let chat = try await alice.conversations.first { $0.invitation != nil }
    #expect(chat.ref == ref && chat.title == "Holiday" && chat.type == .group && chat.unreadCount == 0)
    #expect(chat.invitation == Conversation.Invitation(inviter: "bob", isAccepted: false))
    let context = alice.context(for: chat.id)
    try await context.open()
    #expect(!context.hasMorePreviousMessages)
    try await context.fetchMorePreviousMessages()
    try await context.jump(to: Timestamp(milliseconds: 0))
    #expect(requests.withLock { $0 } == 0)
    let error = try await #require(throws: ChatError.self) {
      try await alice.send(TextContent("hello"), to: chat.id)
    }
    #expect(error.code == .invitationPending)
    await alice.close()
  }

  @Test(
    "An invitation that is accepted offline can be written to at once, and becomes a conversation on all devices",
    .simulated(seeds: 1...5))
  func accepted() async throws {
    let server = stage.server
    let ref = try group(on: server)
    let phone = try await client(stage)
    let tablet = try await client(stage, on: "tablet")
    let chat = try await phone.conversations.first { $0.invitation != nil }
    _ = try await tablet.conversations.first { $0.invitation != nil }
    server.setReachable(false)
    try await phone.conversations.accept(chat.id)
    let accepted = try await phone.conversations.first { $0.invitation?.isAccepted == true }
    #expect(accepted.id == chat.id)
    let sent = try await phone.send(TextContent("I am coming"), to: chat.id)
    #expect(server.info(ref, for: "bob")?.members == ["bob", "carol"])
    server.setReachable(true)
    _ = try await sent.result
    for device in [phone, tablet] {
      let joined = try await device.conversations.first {
        $0.invitation == nil && $0.lastMessage?.content.displayedText == "I am coming"
      }
      let context = device.context(for: joined.id)
      try await context.list { $0.texts == ["one", "I am coming"] }
      #expect(try await device.members(of: joined.id) == ["alice", "bob", "carol"])
      await device.close()
    }
  }

  @Test("An invitation that is declined offline disappears at once, on all devices", .simulated(seeds: 1...5))
  func declined() async throws {
    let server = stage.server
    let ref = try group(on: server)
    let phone = try await client(stage)
    let tablet = try await client(stage, on: "tablet")
    let chat = try await phone.conversations.first { $0.invitation != nil }
    try await tablet.conversations.list { $0.count == 1 }
    server.setReachable(false)
    try await phone.conversations.decline(chat.id)
    try await phone.conversations.list { $0.isEmpty }
    server.setReachable(true)
    try await tablet.conversations.list { $0.isEmpty }
    try await stage.runtime(named: "stage").sleep(for: .seconds(60))
    #expect(phone.conversations.conversations.isEmpty)
    #expect(server.info(ref, for: "bob")?.members == ["bob", "carol"])
    // The same conversation can be the subject of another invitation.
    server.invite("alice", to: ref, by: "carol")
    for device in [phone, tablet] {
      let again = try await device.conversations.first { $0.invitation != nil }
      #expect(again.invitation?.inviter == "carol")
    }
    try await tablet.conversations.accept(try #require(tablet.conversations.conversations.first?.id))
    for device in [phone, tablet] {
      _ = try await device.conversations.first { $0.invitation == nil && $0.lastMessage != nil }
      await device.close()
    }
  }

  @Test("Accepting an invitation takes a declining back that the server has not received", .simulated)
  func takenBack() async throws {
    let server = stage.server
    let ref = try group(on: server)
    let alice = try await client(stage)
    let chat = try await alice.conversations.first { $0.invitation != nil }
    server.setReachable(false)
    try await alice.conversations.decline(chat.id)
    try await alice.conversations.accept(chat.id)
    try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    server.setReachable(true)
    _ = try await alice.conversations.first { $0.invitation == nil && $0.lastMessage != nil }
    #expect(server.info(ref, for: "bob")?.members == ["bob", "carol", "alice"])
    await alice.close()
  }

  @Test(
    "A withdrawn invitation disappears; an answer that comes too late is taken back with the reason",
    .simulated, arguments: [true, false])
  func withdrawn(isOnline: Bool) async throws {
    let server = stage.server
    let ref = try group(on: server)
    let isCut = Mutex(false)
    let alice = try await client(stage) { backend in
      backend.onSync = { _, batch in
        if isCut.withLock({ $0 }) { throw BackendError(.transient, "No news yet.") }
        return batch
      }
    }
    let chat = try await alice.conversations.first { $0.invitation != nil }
    isCut.withLock { $0 = !isOnline }
    server.endInvitation(of: "alice", to: ref)
    if !isOnline {
      try await alice.conversations.accept(chat.id)
      let sent = try await alice.send(TextContent("I am coming"), to: chat.id)
      let failure = try await #require(throws: SendFailure.self) { try await sent.result }
      #expect(failure.code == .conversationRefused)
      let refused = try await alice.conversations.first { $0.failure != nil }
      #expect(refused.invitation?.isAccepted == false)
      #expect(refused.failure?.message == "The invitation was withdrawn.")
      isCut.withLock { $0 = false }
    }
    try await alice.conversations.list { $0.isEmpty }
    await #expect(throws: ChatError.self) { try await alice.conversations.accept(chat.id) }
    await alice.close()
  }

  @Test("An invitation is listed again with the reason if the server refuses to decline it", .simulated)
  func refusedDeclining() async throws {
    _ = try group(on: stage.server)
    let alice = try await client(stage) { backend in
      backend.onLeave = { _ in throw BackendError(.permanent, "Nobody declines.") }
    }
    let chat = try await alice.conversations.first { $0.invitation != nil }
    try await alice.conversations.decline(chat.id)
    let back = try await alice.conversations.first { $0.failure != nil }
    #expect(back.failure?.message == "Nobody declines." && back.invitation?.isAccepted == false)
    await alice.close()
  }

  @Test("Opening the chat with a user who invites this account accepts the invitation", .simulated)
  func openedByPeer() async throws {
    let server = stage.server
    // A one-to-one chat of Bob that Alice is not in yet.
    let ref = try server.open(.direct("alice"), by: "bob").ref
    try server.leave(ref, by: "alice")
    server.invite("alice", to: ref, by: "bob")
    let alice = try await client(stage)
    let chat = try await alice.conversations.first { $0.invitation != nil }
    #expect(chat.type == .direct && chat.peer == "bob")
    #expect(try await alice.open(.direct("bob")) == chat.id)
    _ = try await alice.send(TextContent("hello"), to: chat.id).result
    let joined = try await alice.conversations.first { $0.invitation == nil }
    #expect(joined.id == chat.id)
    #expect(server.messages(in: ref).count == 1)
    await alice.close()
  }

  @Test(
    "A chat without an invitation can't be accepted or declined, and an unknown invitation can't be opened",
    .simulated)
  func noInvitation() async throws {
    let alice = try await client(stage)
    let chat = try await alice.open(.direct("bob"))
    for answer in [ConversationList.accept, ConversationList.decline] {
      let error = try await #require(throws: ChatError.self) { try await answer(alice.conversations)(chat) }
      #expect(error.code == .notPossibleNow)
    }
    let unknown = ConversationRequest.invitation(ConversationRef(rawValue: "unknown"))
    let error = try await #require(throws: ChatError.self) { try await alice.open(unknown) }
    #expect(error.code == .conversationUnknown)
    await alice.close()
  }
}
