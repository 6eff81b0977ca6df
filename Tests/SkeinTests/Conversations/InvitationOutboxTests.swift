import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Invitations and the outbox")
struct InvitationOutboxTests {
  /// A client of a server without a contact list.
  private func client(
    _ stage: SimulatedStage, altering alter: (inout AlteredBackend) -> Void = { _ in }
  ) async throws -> ChatClient {
    let alice = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities.leaving = true
      alter(&backend)
    }
    alice.start()
    return alice
  }

  private func group(on server: MemoryServer, with members: [UserID]) throws -> ConversationRef {
    let ref = try server.open(.group(id: "g", title: "Holiday", members: members), by: "bob").ref
    try server.post("one", from: "bob", in: ref)
    return ref
  }

  @Test("An acceptance that the server can't have received is taken back by declining", .simulated)
  func declinedBeforeAccepting() async throws {
    let server = stage.server
    let ref = try group(on: server, with: ["carol"])
    server.invite("alice", to: ref, by: "bob")
    let openings = Mutex(0)
    let alice = try await client(stage) { backend in
      backend.onOpen = { request in
        try server.checkReachable()
        openings.withLock { $0 += 1 }
        return try server.open(request, by: "alice")
      }
    }
    let chat = try await alice.conversations.first { $0.invitation != nil }
    server.setReachable(false)
    try await alice.conversations.accept(chat.id)
    let sent = try await alice.send(TextContent("I am coming"), to: chat.id)
    try await stage.runtime(named: "stage").sleep(for: .seconds(5))
    try await alice.conversations.decline(chat.id)
    let failure = try await #require(throws: SendFailure.self) { try await sent.result }
    #expect(failure.message == "The invitation to the conversation was declined.")
    server.setReachable(true)
    while server.isInvited("alice", to: ref) {
      try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    }
    #expect(openings.withLock { $0 } == 0)
    #expect(server.info(ref, for: "bob")?.members == ["bob", "carol"])
    #expect(alice.conversations.conversations.isEmpty)
    await alice.close()
  }

  @Test("An acceptance that the server may have received is followed by leaving", .simulated)
  func declinedWhileAccepting() async throws {
    let server = stage.server
    let ref = try group(on: server, with: ["carol"])
    server.invite("alice", to: ref, by: "bob")
    let isLost = Mutex(true)
    let alice = try await client(stage) { backend in
      backend.onOpen = { request in
        let info = try server.open(request, by: "alice")
        if isLost.withLock({ $0 }) {
          throw BackendError(.transient, "The answer was lost.", outcomeIsUnknown: true)
        }
        return info
      }
      backend.onSync = { _, batch in
        if isLost.withLock({ $0 }), !batch.conversations.isEmpty {
          throw BackendError(.transient, "No news yet.")
        }
        return batch
      }
    }
    let chat = try await alice.conversations.first { $0.invitation != nil }
    try await alice.conversations.accept(chat.id)
    while server.info(ref, for: "bob")?.members?.contains("alice") != true {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(10))
    }
    try await alice.conversations.decline(chat.id)
    isLost.withLock { $0 = false }
    while server.info(ref, for: "bob")?.members?.contains("alice") == true {
      try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    }
    try await alice.conversations.list { $0.isEmpty }
    await alice.close()
  }

  @Test(
    "The waiting messages of a former member who is invited again wait for the answer", .simulated,
    arguments: [true, false])
  func invitedAgain(accepts: Bool) async throws {
    let server = stage.server
    let ref = try group(on: server, with: ["alice", "carol"])
    let isBusy = Mutex(true)
    let posts = Mutex(0)
    let alice = try await client(stage) { backend in
      let inner = backend.inner
      backend.onSend = { message in
        if isBusy.withLock({ $0 }) { throw BackendError(.transient, "Busy.") }
        posts.withLock { $0 += 1 }
        return try await inner.send(message)
      }
    }
    let chat = try await alice.conversations.first { $0.lastMessage != nil }
    let sent = try await alice.send(TextContent("I am coming"), to: chat.id)
    try server.leave(ref, by: "alice")
    server.invite("alice", to: ref, by: "bob")
    _ = try await alice.conversations.first { $0.invitation != nil }
    isBusy.withLock { $0 = false }
    try await stage.runtime(named: "stage").sleep(for: .seconds(600))
    #expect(posts.withLock { $0 } == 0)
    #expect(try await alice.waitingMessageCount() == 1)
    if accepts {
      try await alice.conversations.accept(chat.id)
      _ = try await sent.result
      #expect(server.messages(in: ref).count == 2)
    } else {
      try await alice.conversations.decline(chat.id)
      let failure = try await #require(throws: SendFailure.self) { try await sent.result }
      #expect(failure.code == .recipientRemoved)
      #expect(failure.message == "The invitation to the conversation was declined.")
    }
    #expect(try await alice.store.read { try $0.operations() }.allSatisfy { $0.kind != .hold })
    await alice.close()
  }

  @Test(
    "A message that depends on one that waits for the answer to an invitation does not block its chat",
    .simulated)
  func dependent() async throws {
    let server = stage.server
    let ref = try group(on: server, with: ["alice", "carol"])
    let isBusy = Mutex(true)
    let alice = try await client(stage) { backend in
      let inner = backend.inner
      backend.onSend = { message in
        if isBusy.withLock({ $0 }) { throw BackendError(.transient, "Busy.") }
        return try await inner.send(message)
      }
    }
    let chat = try await alice.conversations.first { $0.lastMessage != nil }
    let waiting = try await alice.send(TextContent("I am coming"), to: chat.id)
    try server.leave(ref, by: "alice")
    server.invite("alice", to: ref, by: "bob")
    _ = try await alice.conversations.first { $0.invitation != nil }
    let other = try await alice.open(.direct("carol"))
    let messenger = alice.context(for: other).messenger
    let dependent = try await messenger.send(TextContent("They know"), after: waiting.id)
    let later = try await messenger.send(TextContent("How are you?"))
    isBusy.withLock { $0 = false }
    _ = try await later.result
    #expect(try await dependent.state != .sent)
    try await alice.conversations.accept(chat.id)
    _ = try await dependent.result
    await alice.close()
  }

  @Test(
    "A former member who is invited again can jump to a time before a gap, which can't be filled", .simulated)
  func gap() async throws {
    let server = stage.server
    let ref = try group(on: server, with: ["alice", "carol"])
    try server.post((1...200).map { "\($0)" }, from: "bob", in: ref)
    let alice = try await client(stage)
    let chat = try await alice.conversations.first { $0.lastMessage != nil }
    try server.leave(ref, by: "alice")
    server.invite("alice", to: ref, by: "bob")
    _ = try await alice.conversations.first { $0.invitation != nil }
    let context = alice.context(for: chat.id)
    try await context.jump(to: Timestamp(milliseconds: 0))
    #expect(context.messages.texts.last == "200")
    await alice.close()
  }

  @Test("A held operation keeps the lane from posting, but not from preparing", arguments: LanePolicy.all)
  func lane(policy: LanePolicy) {
    let (text, media, hold) = (
      OperationID(rawValue: 1), OperationID(rawValue: 2), OperationID(rawValue: 3)
    )
    var lane = OutboxLane(policy)
    lane.added(.init(text, message: LocalMessageID(rawValue: 1)))
    lane.added(.init(media, message: LocalMessageID(rawValue: 2), isMedia: true, isReady: false))
    lane.added(.init(hold, isBarrier: true, isHold: true))
    #expect(lane.next(at: .zero) == .prepare(media))
    lane.prepared(media)
    #expect(lane.next(at: .zero) == .rest)
    lane.removed(hold)
    #expect(lane.next(at: .zero) == .post(text))
  }
}

extension LanePolicy {
  fileprivate static let all: [LanePolicy] = [.strict, .mediaLane, .free]
}
