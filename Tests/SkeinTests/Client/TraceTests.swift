import Skein
import SkeinSimulation
import Testing

@Suite("The whole client in a seeded world")
struct TraceTests {
  @Test("The same seed gives the same trace", arguments: [1, 2, 3, 4] as [UInt64])
  func sameSeed(seed: UInt64) async throws {
    let first = try await SimulatedStage.run(seed: seed, Self.trace)
    let second = try await SimulatedStage.run(seed: seed, Self.trace)
    #expect(first == second)
    #expect(first.count > 50)
  }

  @Test("Other seeds give other traces")
  func otherSeeds() async throws {
    let first = try await SimulatedStage.run(seed: 11, Self.trace)
    let second = try await SimulatedStage.run(seed: 12, Self.trace)
    #expect(first != second)
  }

  @Test("Whatever the network loses, both sides end with the server's messages", .simulated(seeds: 100...139))
  func convergence() async throws { try await Self.talk() }

  /// The world's trace of a conversation, and the number of the world's steps.
  @Sendable static func trace() async throws -> [String] {
    try await talk()
    return stage.world.trace + ["\(stage.world.steps) steps"]
  }

  /// Two users write to each other while requests and responses are lost and the network is down for a time.
  static func talk() async throws {
    let alice = try await stage.client("alice", on: "alice")
    let bob = try await stage.client("bob", on: "bob")
    stage.server.fail(next: [
      .responseLost, .none, .requestLost, .busy(retryAfter: .seconds(2)), .responseLost,
    ])
    let chats = try await [alice.open(.direct("bob")), bob.open(.direct("alice"))]
    let contexts = [alice.context(for: chats[0]), bob.context(for: chats[1])]
    let listening = contexts.enumerated().map { index, context in
      stage.runtime(named: "listener").spawn { try await follow(context, as: index) }
    }
    alice.start()
    bob.start()
    for number in 1...10 {
      try await contexts[0].messenger.send(TextContent("a\(number)"))
      try await contexts[1].messenger.send(TextContent("b\(number)"))
      if number == 4 { stage.server.setReachable(false) }
      if number == 7 { stage.server.setReachable(true) }
    }
    for task in listening { try await task.value }
    await alice.close()
    await bob.close()
    let ref = try #require(stage.server.rooms().first)
    let onServer = stage.server.messages(in: ref).map(\.displayedText)
    #expect(onServer.filter { $0.hasPrefix("a") } == (1...10).map { "a\($0)" })
    #expect(onServer.filter { $0.hasPrefix("b") } == (1...10).map { "b\($0)" })
    for context in contexts {
      let shown = context.messages.compactMap { $0.message?.content.displayedText }
      #expect(shown == onServer)
    }
  }

  /// Applies every change of a list to a copy, and notes the copy in the trace, until all twenty messages are
  /// sent.
  static func follow(_ context: ChatContext, as index: Int) async throws {
    var copy: [MessageListItem] = []
    for await update in context.changes {
      update.change.apply(to: &copy, from: update.snapshot)
      try #require(copy == Array(update.snapshot))
      let texts = copy.compactMap(\.message).map { "\($0.content.displayedText):\($0.status)" }
      stage.world.note("\(index) \(texts.joined(separator: " "))")
      if copy.count == 20, copy.allSatisfy({ $0.message?.status == .sent }) { return }
    }
    throw Unexpected(what: "the list ended early")
  }
}

extension IncomingMessage {
  var displayedText: String {
    let text = String(decoding: payload, as: UTF8.self)
    return text.split(separator: "\"").last { $0 != "}" }.map(String.init) ?? text
  }
}
