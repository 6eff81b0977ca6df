import Skein
import SkeinSimulation
import Testing

@Suite("Presence between two clients")
struct PresenceTests {
  @Test(
    "A user's presence is shown when it changes, and is unknown without a connection", .simulated
  )
  func comingAndGoing() async throws {
    let alice = try await stage.client("alice", on: "alice"), bob = try await stage.client("bob", on: "bob")
    alice.start()
    _ = try await alice.send(TextContent("hello"), to: try await alice.open(.direct("bob"))).result
    #expect(alice.presence(of: "bob") == nil)
    bob.start()
    try await alice.sees("bob", .online)
    try await bob.sees("alice", .online)
    #expect(bob.presence(of: "bob") == nil)
    await bob.stop()
    try await alice.sees("bob", Presence(isOnline: false))
    #expect(bob.presence(of: "alice") == nil)
    bob.start()
    try await alice.sees("bob", .online)
    stage.server.setReachable(false)
    try await alice.sees("bob", nil)
    stage.server.setReachable(true)
    try await alice.sees("bob", .online)
    for client in [alice, bob] { await client.close() }
    for await _ in alice.presenceUpdates(of: "carol") {}
  }

  @Test("Users who are already connected see each other once they share a chat", .simulated(seeds: 1...20))
  func newChat() async throws {
    let alice = try await stage.client("alice", on: "alice"), bob = try await stage.client("bob", on: "bob")
    for client in [alice, bob] { client.start() }
    _ = try await alice.send(TextContent("hello"), to: try await alice.open(.direct("bob"))).result
    try await bob.sees("alice", .online)
    try await alice.sees("bob", .online)
    for client in [alice, bob] { await client.close() }
  }

  @Test("Without the presence capability, the presence of another user stays unknown", .simulated)
  func withoutCapability() async throws {
    let alice = try await stage.client("alice", on: "alice") { $0.inner.abilities.presence = false }
    let bob = try await stage.client("bob", on: "bob")
    for client in [alice, bob] { client.start() }
    _ = try await alice.send(TextContent("hello"), to: try await alice.open(.direct("bob"))).result
    try await bob.sees("alice", .online)
    #expect(alice.presence(of: "bob") == nil)
    for client in [alice, bob] { await client.close() }
  }
}

extension ChatClient {
  fileprivate func sees(_ user: UserID, _ presence: Presence?) async throws {
    for await current in presenceUpdates(of: user) where current == presence { return }
    throw CancellationError()
  }
}
