import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Conversations whose ref the server replaces")
struct ReplacementTests {
  /// Alice's phone in a group that she shares with Bob, with one message that was sent and one that was received.
  private func client(
    _ stage: SimulatedStage, altering change: (inout AlteredBackend) -> Void = { _ in }
  ) async throws -> (client: ChatClient, chat: ConversationID, ref: ConversationRef) {
    let client = try await stage.client("alice", on: "phone", altering: change)
    let chat = try await client.openGroup(title: "Trip", members: ["bob"])
    client.start()
    try await client.send(TextContent("one"), to: chat)
    try await client.context(for: chat).list { $0.count(.sent) == 1 }
    let ref = try #require(stage.server.rooms().first)
    try stage.server.post("two", from: "bob", in: ref)
    try await client.context(for: chat).list { $0.count == 2 }
    return (client, chat, ref)
  }

  @Test(
    "The chat continues under the new ref, with its messages, draft and settings", .simulated(seeds: 1...3))
  func continued() async throws {
    let (client, chat, ref) = try await client(stage)
    try await client.conversations.setPinned(true, for: chat)
    try await client.conversations.setMuted(true, for: chat)
    try await client.conversations.setDraft("thr", for: chat)
    let new = try #require(stage.server.replace(ref))
    try stage.server.post("three", from: "bob", in: new)
    let list = try await client.context(for: chat).list { $0.count == 3 }
    #expect(list.texts == ["one", "two", "three"])
    let listed = try await client.conversations.first { $0.ref == new && $0.isPinned && $0.isMuted }
    #expect(listed.id == chat && listed.draft == "thr")
    #expect(client.conversations.conversations.count == 1)
    await client.close()
  }

  @Test(
    "A message that waits while the ref is replaced arrives once under the new ref", .simulated(seeds: 1...3))
  func waiting() async throws {
    let (client, chat, ref) = try await client(stage)
    stage.server.setReachable(false)
    try await client.send(TextContent("three"), to: chat)
    let new = try #require(stage.server.replace(ref))
    stage.server.setReachable(true)
    try await client.context(for: chat).list { $0.count(.sent) == 3 }
    #expect(stage.server.messages(in: new).map(\.displayedText) == ["one", "two", "three"])
    _ = try await client.conversations.first { $0.ref == new }
    #expect(client.conversations.conversations.map(\.id) == [chat])
    await client.close()
  }

  @Test("A device that was away during two replacements has one chat", .simulated(seeds: 1...3))
  func twice() async throws {
    let (client, chat, ref) = try await client(stage)
    await client.stop()
    let second = try #require(stage.server.replace(ref))
    try stage.server.post("three", from: "bob", in: #require(stage.server.replace(second)))
    client.start()
    let list = try await client.context(for: chat).list { $0.count == 3 }
    #expect(list.texts == ["one", "two", "three"])
    #expect(client.conversations.conversations.map(\.id) == [chat])
    await client.close()
  }

  @Test(
    "A post whose outcome is unknown is looked up before it is repeated under the new ref",
    .simulated(seeds: 1...3))
  func unknownOutcome() async throws {
    let posts = Mutex<[ConversationRef]>([])
    let (client, chat, ref) = try await client(stage) { backend in
      backend.inner.abilities.idempotency = .window(.seconds(3600))
      backend.onSend = { [inner = backend.inner] message in
        let receipt = try await inner.send(message)
        guard message.payload == (try? KindRegistry.encode(TextContent("three"))) else { return receipt }
        posts.withLock { $0.append(message.conversation) }
        throw BackendError(.transient, "The answer is lost.", outcomeIsUnknown: true)
      }
    }
    try await client.send(TextContent("three"), to: chat)
    while posts.withLock({ $0.isEmpty }) {
      try await stage.runtime(named: "stage").sleep(for: .milliseconds(10))
    }
    let new = try #require(stage.server.replace(ref))
    try await client.context(for: chat).list { $0.count(.sent) == 3 }
    #expect(posts.withLock { $0 } == [ref])
    #expect(stage.server.messages(in: new).map(\.displayedText) == ["one", "two", "three"])
    await client.close()
  }
}
