import Foundation

/// Kills Alice's client repeatedly while Alice and Bob write. Then compares both clients with the server.
actor KillRounds {
  private let world: DemoWorld
  private let stage: DemoStage
  /// The messages that Alice's client reported to be on disk, in order.
  private var stored: [String] = []
  /// The messages that Alice's client showed as sent.
  private var acknowledged: Set<String> = []
  private var killedWhileWaiting = 0

  init(_ world: DemoWorld) {
    self.world = world
    stage = world.stage
  }

  func play(_ times: Int) async throws -> [DemoCheck] {
    await stage.title(
      "Killing a client \(times) times",
      "Alice's process sends on a network that cuts and delays, and is killed at random moments.")
    try await world.startServer()
    let bob = try await world.start("bob", registering: true)
    let proxy = try FaultyProxy(to: "127.0.0.1", await world.port)
    defer { proxy.stop() }
    let way = "http://127.0.0.1:\(proxy.port)"
    let first = try await world.start("alice", registering: true, through: way)
    try await first.open("bob")
    try await first.quit()
    try await bob.open("alice")

    proxy.set(FaultyProxy.Faults(cutPercent: 2, longestDelay: 10))
    for round in 1...times {
      try Task.checkCancellation()
      try await kill(round, through: way)
      await bob.type("bob's \(round)")
      await stage.progress(
        of: "alice",
        "killed \(round) of \(times) times, \(stored.count) messages on disk, \(acknowledged.count) seen as sent"
      )
    }
    await stage.breaks(
      "alice", "killed \(times) times, \(killedWhileWaiting) of them with messages under way")
    guard killedWhileWaiting > 0 else {
      throw DemoFailure("no message was under way at any kill, so nothing is proven")
    }

    proxy.set(FaultyProxy.Faults())
    let alice = try await world.start("alice", through: way)
    try await alice.open("bob")
    return try await compare(alice, bob)
  }

  private func kill(_ round: Int, through way: String) async throws {
    let alice = try await world.start("alice", through: way, waitsForConnection: false)
    await alice.type(["/open bob"] + (1...Int.random(in: 1...6)).map { "alice's \(round)-\($0)" })
    if Bool.random() {
      // Sending takes milliseconds. Only a kill right after the first message is on disk is sure to interrupt it.
      try await alice.wait(15, for: "alice's first message to be on disk") { !$0.stored.isEmpty }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...20)))
    } else {
      // Some clients are killed while they start. Others have the time to send all remaining messages.
      let longest = Int.random(in: 1...4) == 1 ? 3000 : 700
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...longest)))
    }
    await alice.destroy()
    let screen = await alice.screen
    stored += screen.stored
    for message in screen.messages where message.own && message.status == .sent {
      acknowledged.insert(message.messageID)
    }
    if !acknowledged.isSuperset(of: screen.stored) { killedWhileWaiting += 1 }
    guard screen.twice == 0 else { throw DemoFailure("alice showed \(screen.twice) messages twice") }
  }

  private func compare(_ alice: DemoClient, _ bob: DemoClient) async throws -> [DemoCheck] {
    try await alice.wait(60, for: "alice's outbox to be empty") { screen in
      screen.connection == .online && screen.waiting == 0
    }
    try await bob.wait(60, for: "bob's outbox to be empty") { $0.waiting == 0 }
    let comparison = DemoComparison(history: try await world.witness.history(with: "alice"))
    let ids = comparison.history.map(\.id)
    let onServer = Set(ids)
    let missing = stored.count { !onServer.contains($0) }
    let unacknowledged = acknowledged.count { !onServer.contains($0) }
    for client in [alice, bob] {
      _ = try await client.pageBack({ _ in }, until: { _ in false })
      _ = try await client.show(comparison, within: 20)
    }
    let (shown, other) = (await alice.screen, await bob.screen)
    let unsettled = shown.messages.count { $0.own && $0.status != .sent }
    let checks = [
      (
        "Every acknowledged message is on the server, once",
        unacknowledged == 0 && ids.count == onServer.count,
        "\(acknowledged.count) acknowledged, \(unacknowledged) missing, \(ids.count - onServer.count) twice"
      ),
      (
        "Every message that was on disk is on the server, in order",
        missing == 0 && comparison.hasInOrder(stored), "\(stored.count) on disk, \(missing) missing"
      ),
      (
        "Every message of the server is shown by alice, once",
        shown.messages.count == ids.count && shown.twice == 0,
        "\(ids.count) on the server, \(shown.messages.count) with alice"
      ),
      (
        "Every message of the server is shown by bob, once",
        other.messages.count == ids.count && other.twice == 0,
        "\(ids.count) on the server, \(other.messages.count) with bob"
      ),
      ("Every message of alice is sent", unsettled == 0, "\(unsettled) not sent"),
    ]
    let table = checks.enumerated().map { index, check in
      DemoCheck(number: index + 1, title: check.0, holds: check.1, facts: [check.2])
    }
    guard table.allSatisfy(\.holds) else {
      await stage.table(table)
      throw DemoFailure("a check failed after the kills")
    }
    return table
  }
}
