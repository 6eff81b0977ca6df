import Skein
import SkeinSimulation
import Testing

@Suite("The whole client in a seeded world")
struct TraceTests {
  @Test("The same seed gives the same trace", arguments: [1, 2, 3, 4] as [UInt64])
  func sameSeed(seed: UInt64) async {
    let first = await SimulatedRun.play(seed: seed, Self.talk)
    let second = await SimulatedRun.play(seed: seed, Self.talk)
    #expect(first.failure == nil)
    #expect(first.trace == second.trace)
    #expect(first.steps == second.steps)
    #expect(first.trace.count > 50)
  }

  @Test("Other seeds give other traces")
  func otherSeeds() async {
    let first = await SimulatedRun.play(seed: 11, Self.talk)
    let second = await SimulatedRun.play(seed: 12, Self.talk)
    #expect(first.trace != second.trace)
  }

  @Test(
    "Whatever the network loses, both sides end with the server's messages",
    arguments: 100..<140 as Range<UInt64>)
  func convergence(seed: UInt64) async {
    let ending = await SimulatedRun.play(seed: seed, Self.talk)
    #expect(ending.failure == nil)
  }

  /// Two people write to each other while requests and responses get lost and the network goes down for a while.
  @Sendable static func talk(_ stage: SimulatedStage) async throws {
    let alice = try await stage.client("alice", on: "alice")
    let bob = try await stage.client("bob", on: "bob")
    stage.server.fail(next: [
      .responseLost, .none, .requestLost, .busy(retryAfter: .seconds(2)), .responseLost,
    ])
    let chats = try await [alice.open(.direct("bob")), bob.open(.direct("alice"))]
    let contexts = [alice.context(for: chats[0]), bob.context(for: chats[1])]
    let listening = contexts.enumerated().map { index, context in
      stage.runtime(named: "listener").spawn { try await follow(context, as: index, on: stage) }
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
    try expect(
      onServer.filter { $0.hasPrefix("a") } == (1...10).map { "a\($0)" }, "alice's order: \(onServer)")
    try expect(onServer.filter { $0.hasPrefix("b") } == (1...10).map { "b\($0)" }, "bob's order: \(onServer)")
    for context in contexts {
      let shown = context.messages.compactMap { $0.message?.content.displayedText }
      try expect(shown == onServer, "shown \(shown), on the server \(onServer)")
    }
  }

  /// Applies every change of a list to a copy of it, until twenty messages stand there as sent.
  static func follow(_ context: ChatContext, as index: Int, on stage: SimulatedStage) async throws {
    var copy: [MessageListItem] = []
    for await update in context.changes {
      update.change.apply(to: &copy, from: update.snapshot)
      try expect(copy == Array(update.snapshot), "a change does not lead to its snapshot")
      let texts = copy.compactMap(\.message).map { "\($0.content.displayedText):\($0.status)" }
      stage.world.note("\(index) \(texts.joined(separator: " "))")
      if copy.count == 20, copy.allSatisfy({ $0.message?.status == .sent }) { return }
    }
    throw Unexpected(what: "the list ended early")
  }
}

/// A condition of a story that did not hold.
struct Unexpected: Error, CustomStringConvertible {
  let what: String
  var description: String { what }
}

func expect(_ condition: Bool, _ what: @autoclosure () -> String) throws {
  if !condition { throw Unexpected(what: what()) }
}

extension IncomingMessage {
  var displayedText: String {
    let text = String(decoding: payload, as: UTF8.self)
    return text.split(separator: "\"").last { $0 != "}" }.map(String.init) ?? text
  }
}
