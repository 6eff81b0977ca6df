import Skein
import SkeinSimulation
import Testing

@Suite("Who is there, from one screen to the other")
struct PresenceTests {
  @Test("Whoever comes and goes is seen, and nothing is known of anybody without a connection")
  func comingAndGoing() async {
    let failures = await SimulatedRun.play { stage in
      let alice = try await stage.client("alice", on: "alice"), bob = try await stage.client("bob", on: "bob")
      alice.start()
      _ = try await alice.send(TextContent("hello"), to: try await alice.open(.direct("bob"))).result
      try expect(alice.presence(of: "bob") == nil, "something is known of who was never there")
      bob.start()
      try await alice.sees("bob", .online)
      try await bob.sees("alice", .online)
      try expect(bob.presence(of: "bob") == nil, "one is told of oneself")
      await bob.stop()
      try await alice.sees("bob", Presence(isOnline: false))
      try expect(bob.presence(of: "alice") == nil, "something is known without a connection")
      bob.start()
      try await alice.sees("bob", .online)
      stage.server.setReachable(false)
      try await alice.sees("bob", nil)
      stage.server.setReachable(true)
      try await alice.sees("bob", .online)
      for client in [alice, bob] { await client.close() }
      for await _ in alice.presenceUpdates(of: "carol") {}
    }
    #expect(failures == [])
  }

  @Test("A server that does not say who is there is not believed when it does")
  func withoutCapability() async {
    let failures = await SimulatedRun.play { stage in
      let alice = try await stage.client("alice", on: "alice") { $0.inner.capabilities.presence = false }
      let bob = try await stage.client("bob", on: "bob")
      for client in [alice, bob] { client.start() }
      _ = try await alice.send(TextContent("hello"), to: try await alice.open(.direct("bob"))).result
      try await bob.sees("alice", .online)
      try expect(alice.presence(of: "bob") == nil, "it is believed")
      for client in [alice, bob] { await client.close() }
    }
    #expect(failures == [])
  }
}

extension ChatClient {
  fileprivate func sees(_ user: UserID, _ presence: Presence?) async throws {
    for await current in presenceUpdates(of: user) where current == presence { return }
    throw CancellationError()
  }
}
