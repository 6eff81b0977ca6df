import Skein
import SkeinSimulation
import Testing

@Suite("Without a network")
struct OfflineTests {
  @Test("A chat shows its stored messages at once, and the client reports that it is offline", .simulated)
  func opening() async throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    let texts = (1...80).map { "message \($0)" }
    for text in texts { try stage.server.post(text, from: "alice", in: ref) }
    var bob = try await stage.client("bob", on: "bob")
    bob.start()
    let chat = try await bob.conversations.first { $0.unreadCount == 80 }.id
    var context = bob.context(for: chat)
    try await context.list { $0.count == 50 }
    try await context.fetchMorePreviousMessages()
    try await context.list { $0.count == 80 }
    await bob.close()

    stage.server.setReachable(false)
    bob = try await stage.client("bob", on: "bob")
    bob.start()
    let before = stage.world.now
    try await bob.conversations.list { $0.first?.unreadCount == 80 }
    context = bob.context(for: chat)
    let shown = try await context.list { !$0.isEmpty }
    #expect(shown.texts == texts.suffix(50))
    try await context.fetchMorePreviousMessages()
    let all = try await context.list { $0.count == 80 }
    #expect(all.texts == texts)
    #expect(stage.world.now == before, "it took \(stage.world.now - before)")
    _ = await bob.connectionStates.first { $0 == .offline }
    for await state in bob.catchUpStates {
      if case .failed = state { break }
    }
    try await bob.send(TextContent("later"), to: chat)
    try await context.list { $0.count(.queued) + $0.count(.sending) == 1 }
    await bob.close()
  }
}
