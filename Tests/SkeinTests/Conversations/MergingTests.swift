import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Merging two stored conversations that are the same conversation on the server")
struct MergingTests {
  /// Counts the concurrent posts and their maximum.
  final class Posts: Sendable {
    private let state = Mutex((underWay: 0, most: 0))
    var most: Int { state.withLock { $0.most } }
    func begin() {
      state.withLock {
        $0.underWay += 1
        $0.most = max($0.most, $0.underWay)
      }
    }
    func end() { state.withLock { $0.underWay -= 1 } }
  }

  /// Alice creates a group. The answer to the call that opens the group is held back until `answers()`
  /// returns true. Sync returns the group earlier.
  private func client(
    _ stage: SimulatedStage, _ posts: Posts = Posts(), takesMarks: @escaping @Sendable () -> Bool = { true },
    leaves: (@Sendable () -> Bool)? = nil,
    answers: @escaping @Sendable () -> Bool
  ) async throws -> (client: ChatClient, own: ConversationID, other: ConversationID) {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onOpen = { [inner = backend.inner] request in
        let info = try await inner.open(request)
        while !answers() { try await stage.runtime(named: "network").sleep(for: .milliseconds(100)) }
        return info
      }
      backend.onSend = { [inner = backend.inner] message in
        posts.begin()
        try await stage.runtime(named: "network").sleep(for: .seconds(20))
        // The count covers the delay only, not the call of the server.
        posts.end()
        return try await inner.send(message)
      }
      backend.inner.abilities.leaving = leaves != nil
      backend.onLeave = { [inner = backend.inner] group in
        if leaves?() != true { throw BackendError(.transient, "Not yet.") }
        try await inner.leave(group)
      }
      backend.onMarkRead = { _, _ in if !takesMarks() { throw BackendError(.transient, "Not yet.") } }
    }
    let own = try await client.openGroup(title: "Trip", members: ["bob"])
    client.start()
    while stage.server.rooms().isEmpty {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(100))
    }
    try stage.server.post("hello", from: "bob", in: try #require(stage.server.rooms().first))
    let list = try await client.conversations.list { list in
      list.count == 2 && list.contains { $0.unreadCount == 1 }
    }
    return (client, own, try #require(list.first { $0.id != own }?.id))
  }

  @Test(
    "Messages composed before and after the merge are sent one at a time, in the order of composition",
    .simulated)
  func lanes() async throws {
    let isAnswered = Mutex(false)
    let posts = Posts()
    let (client, own, other) = try await self.client(stage, posts) { isAnswered.withLock { $0 } }
    let context = client.context(for: own)
    for text in ["1", "2", "3"] { try await client.send(TextContent(text), to: other) }
    isAnswered.withLock { $0 = true }
    try await client.conversations.list { $0.count == 1 }
    for text in ["4", "5"] { try await context.messenger.send(TextContent(text)) }
    try await context.list { $0.count(.sent) == 6 }
    let ref = try #require(stage.server.rooms().first)
    let texts = stage.server.messages(in: ref).map(\.displayedText)
    #expect(texts == ["hello", "1", "2", "3", "4", "5"])
    #expect(posts.most == 1)
    #expect(try await client.waitingMessageCount() == 0)
    await client.close()
  }

  @Test(
    "The read mark of the conversation that the merge removes is still reported to the server",
    .simulated(seeds: 1...3))
  func readMark() async throws {
    let isAnswered = Mutex(false), isMended = Mutex(false)
    let (client, _, other) = try await self.client(stage, takesMarks: { isMended.withLock { $0 } }) {
      isAnswered.withLock { $0 }
    }
    try await client.context(for: other).markRead()
    isAnswered.withLock { $0 = true }
    try await client.conversations.list { $0.count == 1 }
    isMended.withLock { $0 = true }
    let laptop = try await stage.client("alice", on: "laptop")
    laptop.start()
    try await stage.runtime(named: "stage").sleep(for: .seconds(600))
    let unread = laptop.conversations.unreadCount
    #expect(unread == 0)
    await client.close()
    await laptop.close()
  }

  @Test(
    "A group that was left before the merge stays left, and messages waiting in its other copy fail",
    .simulated(seeds: 1...3))
  func closed() async throws {
    let isAnswered = Mutex(false)
    let (client, own, other) = try await self.client(stage, leaves: { isAnswered.withLock { $0 } }) {
      isAnswered.withLock { $0 }
    }
    try await client.send(TextContent("never sent"), to: own)
    try await client.conversations.leave(other)
    isAnswered.withLock { $0 = true }
    try await client.conversations.list { $0.isEmpty }
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    #expect(client.conversations.conversations.isEmpty)
    let failed = try await client.failedMessages().map { $0.failure?.code }
    #expect(failed == [.recipientRemoved])
    let ref = try #require(stage.server.rooms().first)
    let texts = stage.server.messages(in: ref).map(\.displayedText)
    #expect(texts == ["hello"])
    await client.close()
  }

  @Test(
    "On a server with positions, no gap below the cleared part of a continued conversation can be loaded",
    .simulated(seeds: 1...1))
  func clearedContinuation() async throws {
    let store = try await OddServerTests.store(stage)
    var later = InvitedGroup.info
    later.ref = ConversationRef(rawValue: "later")
    let cut = ConversationDelta(info: InvitedGroup.info, count: nil, messages: [.number(5)])
    try await InvitedGroup.apply((nil, 1), [cut], in: store)
    let cleared = ConversationDelta(info: later, count: 1, messages: [.number(9)])
    try await InvitedGroup.apply((1, 2), [cleared], in: store)
    try await store.write(.kill) { [ref = later.ref] work in
      let row = try #require(try work.rows.conversation(named: ref))
      try Clearing(work).clear(row.id)
    }
    later.replaces = [InvitedGroup.info.ref]
    let news = ConversationDelta(info: later, count: 1, messages: [.number(10)])
    try await InvitedGroup.apply((2, 3), [news], in: store)
    let found = try await store.read { [ref = later.ref] in try $0.conversation(named: ref) }
    let row = try #require(found)
    let spans = try await store.read { try $0.spans(of: row, isDense: true) }
    #expect(spans.spans.map(\.lower) == [Rank(rawValue: 5), Rank(rawValue: 9)])
    #expect(spans.openGap(below: .highest, passing: []) == nil)
    await store.database.close()
  }

  @Test(
    "A new group that is opened twice before the server has it is one conversation",
    .simulated(seeds: 1...2))
  func sameRequest() async throws {
    let client = try await stage.client("alice", on: "phone")
    let request = ConversationRequest.group(id: "trip", title: "Trip", members: ["bob"])
    let chats = [try await client.open(request), try await client.open(request)]
    #expect(chats[0] == chats[1])
    await client.close()
  }
}
