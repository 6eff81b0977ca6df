import Foundation
import SkeinStorage
import Synchronization
import SkeinSimulation
import Testing

@testable import Skein

@Suite("Receiving from a server with odd answers")
struct OddServerTests {
  @Test(
    "If answers repeatedly announce more but make no progress, the sync fails and is retried later",
    .simulated)
  func standstill() async throws {
    for isForeign in [false, true] {
      let fetches = Mutex(0)
      let bob = try await stage.client("bob", on: "bob \(isForeign)") { backend in
        backend.onSync = { cursor, batch in
          fetches.withLock { $0 += 1 }
          var batch = batch
          batch.hasMore = true
          if isForeign { batch.from = SyncCursor(rawValue: "another") }
          return batch
        }
      }
      bob.start()
      try await stage.runtime(named: "stage").sleep(for: .seconds(60))
      let count = fetches.withLock { $0 }
      #expect(count < 40)
      var states = bob.catchUpStates.makeAsyncIterator()
      while let state = await states.next() { if case .failed = state { break } }
      await bob.close()
    }
  }

  @Test("A conversation that is listed twice in a batch is one conversation", .simulated(seeds: 1...2))
  func namedTwice() async throws {
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onSync = { _, batch in
        var batch = batch
        batch.conversations += batch.conversations
        return batch
      }
    }
    let group = ConversationRequest.group(id: "g", title: "Trip", members: ["bob"])
    let ref = try stage.server.open(group, by: "alice").ref
    try stage.server.post("hello", from: "alice", in: ref)
    bob.start()
    let list = try await bob.conversations.list { $0.first?.lastMessage != nil }
    #expect(list.count == 1, "\(list.map(\.name))")
    #expect(list.first?.unreadCount == 1, "\(list.map(\.name))")
    await bob.close()
  }

  @Test(
    "Messages in another order, or listed twice, hide no gap", .simulated(seeds: 1...2),
    arguments: [BackendCapabilities.Ordering.dense, .sparse], [false, true])
  func disorder(_ ordering: BackendCapabilities.Ordering, isDoubled: Bool) async throws {
    @Sendable func disorder(_ messages: [IncomingMessage]) -> [IncomingMessage] {
      isDoubled ? messages + messages : messages.reversed()
    }
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    for number in 1...80 { try stage.server.post("\(number)", from: "alice", in: ref) }
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.inner.abilities = ServerAbilities(idempotency: .forever, ordering: ordering)
      backend.onSync = { _, batch in
        var batch = batch
        for index in batch.conversations.indices {
          batch.conversations[index].messages = disorder(batch.conversations[index].messages)
        }
        return batch
      }
      backend.onPage = { _, page in
        var page = page
        page.messages = disorder(page.messages)
        return page
      }
    }
    bob.start()
    let chat = try await bob.conversations.first { $0.lastMessage != nil }
    #expect(chat.unreadCount == 80)
    let context = bob.context(for: chat.id)
    try await context.list { $0.texts.last == "80" }
    while context.messages.texts.first != "1" {
      try await context.fetchMorePreviousMessages()
      try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    }
    #expect(context.messages.texts == (1...80).map(String.init))
    await bob.close()
  }

  @Test(
    "Two messages with one position are both in the list, and their order never changes",
    .simulated(seeds: 1...2))
  func samePosition() async throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    for text in ["first", "second", "third"] { try stage.server.post(text, from: "alice", in: ref) }
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onSync = { _, batch in
        var batch = batch
        for index in batch.conversations.indices {
          for message in batch.conversations[index].messages.reversed() where message.position?.rawValue == 2
          {
            var twin = message
            twin.serverID = ServerMessageID(rawValue: "twin")
            twin.messageID = MessageID(rawValue: "twin")
            batch.conversations[index].messages.append(twin)
          }
        }
        return batch
      }
    }
    bob.start()
    let chat = try await bob.conversations.first { $0.lastMessage != nil }
    let context = bob.context(for: chat.id)
    let list = try await context.list { $0.texts.last == "third" }
    #expect(list.texts == ["first", "second", "second", "third"])
    await bob.close()
  }

  @Test(
    "A chat opened here that a batch lists twice is one conversation, and gets the server's messages",
    .simulated(seeds: 1...2))
  func openedAndNamedTwice() async throws {
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onOpen = { _ in throw BackendError(.transient, "Not now.") }
      backend.onSync = { _, batch in
        var batch = batch
        batch.conversations += batch.conversations
        return batch
      }
    }
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    try stage.server.post("hello", from: "alice", in: ref)
    let chat = try await bob.open(.direct("alice"))
    bob.start()
    try await bob.context(for: chat).list { $0.texts == ["hello"] }
    #expect(bob.conversations.conversations.map(\.id) == [chat])
    await bob.close()
  }

  @Test(
    "Two conversations with the same user on the server are two conversations on the client",
    .simulated(seeds: 1...2))
  func samePeer() async throws {
    let store = try await Self.store(stage)
    let deltas = ["one", "two"].map { name in
      let info = ConversationInfo(ref: ConversationRef(rawValue: name), type: .direct, peer: "alice")
      return ConversationDelta(info: info, count: 0, messages: [])
    }
    let first = SyncBatch(from: nil, next: SyncCursor(rawValue: "1"), conversations: deltas)
    let second = SyncBatch(
      from: first.next, next: SyncCursor(rawValue: "2"), conversations: deltas.reversed())
    for batch in [first, second] {
      let isTaken = try await store.write(.kill) { try Intake($0).apply(batch) }
      #expect(isTaken)
    }
    let rows = try await store.read { try $0.select(ConversationRow.self, "ORDER BY id") }
    #expect(rows.map(\.ref?.rawValue) == ["one", "two"], "\(rows.map(\.ref))")
    await store.database.close()
  }

  static func store(
    _ stage: SimulatedStage, ordering: BackendCapabilities.Ordering = .dense, reordersHistory: Bool = false,
    readMarks: Bool = false, contacts: Bool = false, settings: BackendCapabilities.Settings = [],
    actions: BackendCapabilities.Actions = []
  ) async throws -> ChatStore {
    try await ChatStore.open(
      account: "bob", kinds: .standard,
      capabilities: ServerAbilities(
        idempotency: .forever, ordering: ordering, readMarks: readMarks, reordersHistory: reordersHistory,
        contacts: contacts, settings: settings, actions: actions),
      runtime: stage.runtime(named: "store"), derivations: Derivations.all)
  }
}
