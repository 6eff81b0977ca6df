import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Receiving")
struct ReceivingTests {
  @Test("A poke makes the client fetch the new message and its conversation", .simulated)
  func poke() async throws {
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    try stage.server.post("hello", from: "alice", in: ref)
    let list = try await bob.conversations.list { $0.first?.lastMessage != nil }
    let conversation = try #require(list.first)
    #expect(conversation.peer == "alice")
    #expect(conversation.unreadCount == 1)
    #expect(conversation.lastMessage?.content.displayedText == "hello")
    await bob.close()
  }

  @Test(
    "A message of an unregistered kind is stored unchanged, and decodes when the kind is registered",
    .simulated(seeds: 1...2))
  func unknownKind() async throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    let payload = Data(#"{"answers":["yes"],"question":"Lunch?","novelty":1}"#.utf8)
    _ = try stage.server.send(
      OutgoingMessage(
        id: MessageID(rawValue: "p"), conversation: ref, kind: "com.example.poll", payload: payload),
      from: "alice")
    let runtime = stage.runtime(named: "bob")
    let backend = MemoryBackend(user: "bob", server: stage.server, runtime: runtime)
    var bob = try await ChatClient.open(account: "bob", backend: backend, runtime: runtime)
    bob.start()
    let chat = try await bob.conversations.first { _ in true }.id
    var list = try await bob.context(for: chat).list { $0.count == 1 }
    let content = list.first?.message?.content
    #expect(content == .unknown("com.example.poll", payload: payload))
    await bob.close()

    var kinds = KindRegistry.standard
    kinds.register(Poll.self)
    bob = try await ChatClient.open(account: "bob", backend: backend, kinds: kinds, runtime: runtime)
    list = try await bob.context(for: chat).list { $0.count == 1 }
    let poll = list.first?.message?.content.as(Poll.self)
    #expect(poll?.question == "Lunch?")
    await bob.close()
  }

  @Test(
    "With dense positions, a message that a batch lacks leaves a gap, whatever count the batch states",
    .simulated,
    arguments: [2, 3])
  func tornBatch(count: Int) async throws {
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    for number in 1...3 { try stage.server.post("\(number)", from: "bob", in: ref) }
    let network = stage.runtime(named: "network")
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities.receipts = []
      backend.onRun = { [server = stage.server] receive in
        await receive(.connected)
        try await network.sleep(for: .seconds(5))
        let before = SyncCursor(rawValue: String(server.latestChange(for: "alice")))
        for number in 4...6 { try server.post("\(number)", from: "bob", in: ref) }
        var batch = try server.sync(since: before, limit: 20, for: "alice")
        batch.conversations[0].messages.remove(at: 1)
        batch.conversations[0].count = count
        await receive(.batch(batch))
        try await network.sleep(for: .seconds(86400))
      }
    }
    client.start()
    let chat = try await client.conversations.first { $0.lastMessage != nil }
    let context = client.context(for: chat.id)
    try await context.list { $0.texts == ["1", "2", "3", "…", "6"] }
    let gap = try #require(context.messages.compactMap(\.gap).first)
    try await context.fill(gap)
    try await context.list { $0.texts == ["1", "2", "3", "4", "5", "6"] }
    await client.close()
  }

  @Test(
    "An own message that a sync returns before its receipt arrives is listed only once",
    .simulated(seeds: 1...20))
  func ownMessageFirst() async throws {
    let phone = try await stage.client("alice", on: "phone")
    let laptop = try await stage.client("alice", on: "laptop")
    phone.start()
    laptop.start()
    let chats = try await [phone.open(.direct("bob")), laptop.open(.direct("bob"))]
    stage.server.fail(next: [.responseLost, .none, .responseLost])
    for number in 1...4 {
      try await phone.send(TextContent("p\(number)"), to: chats[0])
      try await laptop.send(TextContent("l\(number)"), to: chats[1])
    }
    let onPhone = try await phone.context(for: chats[0]).list { $0.count(.sent) == 8 }
    let onLaptop = try await laptop.context(for: chats[1]).list { $0.count(.sent) == 8 }
    #expect(onPhone.texts == onLaptop.texts)
    let unread = phone.conversations.unreadCount + laptop.conversations.unreadCount
    #expect(unread == 0)
    await phone.close()
    await laptop.close()
  }

  @Test("Connections that are dropped at once are retried at growing intervals", .simulated)
  func flapping() async throws {
    let connections = Mutex(0)
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onRun = { receive in
        connections.withLock { $0 += 1 }
        await receive(.connected)
      }
    }
    bob.start()
    try await stage.runtime(named: "stage").sleep(for: .seconds(600))
    await bob.close()
    let count = connections.withLock { $0 }
    #expect(count > 10)
    #expect(count < 100)
  }

  @Test(
    "Nothing is fetched or sent after the session has ended, and a new start resumes both", .simulated)
  func signedOut() async throws {
    let syncs = Mutex(0)
    let marks = Mutex(0)
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    try stage.server.post("1", from: "bob", in: ref)
    let isFirst = Mutex(true)
    let alice = try await stage.client("alice", on: "alice") { backend in
      let inner = backend.inner
      backend.onSync = { _, batch in
        syncs.withLock { $0 += 1 }
        return batch
      }
      backend.onMarkRead = { _, _ in
        marks.withLock { $0 += 1 }
        throw BackendError(.transient, "Not now.")
      }
      backend.onRun = { receive in
        await receive(.connected)
        try await inner.runtime.sleep(for: .seconds(3))
        let ends = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        if ends { throw BackendError(.unauthorized, "The session has ended.") }
        try await inner.run(since: nil, receive)
      }
    }
    let chat = try await alice.open(.direct("bob"))
    alice.start()
    let context = alice.context(for: chat)
    try await context.list { $0.texts == ["1"] }
    try await context.markRead()
    for await state in alice.connectionStates {
      if case .signedOut = state { break }
    }
    try await stage.runtime(named: "stage").sleep(for: .seconds(5))
    let before = (syncs.withLock { $0 }, marks.withLock { $0 })
    let later = try await alice.send(TextContent("later"), to: chat)
    try await stage.runtime(named: "stage").sleep(for: .seconds(600))
    let state = try await later.state
    #expect(state == .signedOut)
    #expect(syncs.withLock { $0 } == before.0)
    #expect(marks.withLock { $0 } == before.1)
    #expect(stage.server.posts.count == 1)
    await alice.stop()
    alice.start()
    try await context.list { $0.texts == ["1", "later"] && $0.count(.sent) == 2 }
    try await stage.runtime(named: "stage").sleep(for: .seconds(5))
    #expect(marks.withLock { $0 } > before.1)
    await alice.close()
  }

  @Test(
    "If the session ends right after a start, the outbox notices the end and stops making requests",
    .simulated(seeds: 1...60))
  func signedOutAtOnce() async throws {
    let requests = Mutex(0)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onRun = { _ in throw BackendError(.unauthorized, "Over.") }
      backend.onSync = { _, _ in
        requests.withLock { $0 += 1 }
        throw BackendError(.unauthorized, "Over.")
      }
      backend.onOpen = { _ in
        requests.withLock { $0 += 1 }
        throw BackendError(.unauthorized, "Over.")
      }
    }
    _ = try await client.send(TextContent("1"), to: try await client.open(.direct("bob")))
    client.start()
    try await stage.runtime(named: "stage").sleep(for: .seconds(3600))
    let count = requests.withLock { $0 }
    #expect(count <= 2)
    await client.close()
  }

  /// A client for Bob that receives no pushes.
  private func deaf(_ stage: SimulatedStage, options: ChatOptions = ChatOptions()) async throws -> ChatClient
  {
    let runtime = stage.runtime(named: "bob")
    let backend = DeafBackend(inner: MemoryBackend(user: "bob", server: stage.server, runtime: runtime))
    return try await ChatClient.open(account: "bob", backend: backend, runtime: runtime, options: options)
  }

  @Test("Without any push, the timer fetches new messages", .simulated)
  func pollOnly() async throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    let bob = try await deaf(stage)
    bob.start()
    try await bob.conversations.list { $0.count == 1 }
    try stage.server.post("found by polling", from: "alice", in: ref)
    let list = try await bob.conversations.list { $0.first?.unreadCount == 1 }
    #expect(list.first?.lastMessage?.content.displayedText == "found by polling")
    await bob.close()
  }

  @Test("The poll interval is at most a quarter of an hour", .simulated)
  func longSilence() async throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    var options = ChatOptions()
    options.pollInterval = .seconds(86_400)
    let bob = try await deaf(stage, options: options)
    bob.start()
    for await state in bob.catchUpStates where state == .caughtUp { break }
    let start = stage.world.now
    try stage.server.post("found by polling", from: "alice", in: ref)
    try await bob.conversations.list { $0.first?.unreadCount == 1 }
    let waited = stage.world.now - start
    #expect(waited <= .seconds(16 * 60))
    await bob.close()
  }

  @Test("The push channel is opened again only after the pause that the server requests", .simulated)
  func requestedPause() async throws {
    let runs = Mutex(0)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onRun = { _ in
        runs.withLock { $0 += 1 }
        throw BackendError(.rateLimited, "Later.", retryAfter: .seconds(600))
      }
    }
    client.start()
    let clock = stage.runtime(named: "stage")
    try await clock.sleep(for: .seconds(300))
    client.isInBackground = true
    client.isInBackground = false
    try await clock.sleep(for: .seconds(290))
    #expect(runs.withLock { $0 } == 1)
    try await clock.sleep(for: .seconds(60))
    #expect(runs.withLock { $0 } == 2)
    await client.close()
  }
}

/// A backend whose push channel stays open and reports no news.
private struct DeafBackend: ChatBackend {
  let inner: MemoryBackend
  var capabilities: BackendCapabilities { inner.capabilities }
  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    await receive(.connected)
    try await inner.runtime.sleep(for: .seconds(1_000_000))
  }
  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    try await inner.sync(since: cursor, limit: limit)
  }
  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    try await inner.history(of: conversation, at: anchor, limit: limit)
  }
  func send(_ message: OutgoingMessage) async throws -> SendReceipt { try await inner.send(message) }
  func open(_ request: ConversationRequest) async throws -> ConversationInfo { try await inner.open(request) }
}
