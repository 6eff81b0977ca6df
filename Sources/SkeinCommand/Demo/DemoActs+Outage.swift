extension DemoActs {
  /// The server is killed and started again while Alice and Bob write.
  func killServer() async throws -> [String] {
    let each = 100
    let alice = try await person("alice")
    let bob = try await person("bob")
    let before = try await world.witness.history(with: "alice").count
    let known = (alice: await alice.screen.stored.count, bob: await bob.screen.stored.count)

    async let first: Void = type(DemoActs.texts(each, "Alice keeps writing, no."), as: alice)
    async let second: Void = type(DemoActs.texts(each, "Bob keeps writing, no."), as: bob)
    await stage.tells(of: "demo", "alice and bob write \(each) messages each, at the same time")
    for client in [alice, bob] {
      let known = client.name == "alice" ? known.alice : known.bob
      try await client.wait(10, for: "a third of \(client.name)'s messages") {
        $0.stored.count >= known + each / 3
      }
    }
    await world.killServer()
    let down = ContinuousClock.now
    await stage.breaks("server", "SIGKILL, in the middle of it")
    for client in [alice, bob] {
      let known = client.name == "alice" ? known.alice : known.bob
      try await client.wait(20, for: "\(client.name) to notice and write on") {
        $0.connection != .online && $0.stored.count >= known + each * 3 / 4
      }
      await stage.tells(
        of: client.name, "is offline and continues to write; \(await client.screen.waiting) messages wait ◷")
    }
    let piled = (await alice.screen.waiting) + (await bob.screen.waiting)
    try await world.startServer()
    let outage = DemoStage.seconds(down.duration(to: .now))
    _ = try await (first, second)

    let back = ContinuousClock.now
    for client in [alice, bob] {
      try await client.wait(30, for: "all messages of \(client.name) to be acknowledged") { $0.waiting == 0 }
    }
    let comparison = DemoComparison(history: try await world.history(of: before + 2 * each))
    for client in [alice, bob] {
      let pages = try await client.show(comparison, within: 20)
      await stage.tells(of: client.name, "is online again, everything ✓" + Self.filled(pages))
    }
    let ids = (
      alice: Array(await alice.screen.stored.dropFirst(known.alice)),
      bob: Array(await bob.screen.stored.dropFirst(known.bob))
    )
    let extra = comparison.history.count - before - 2 * each
    guard extra == 0, ids.alice.count == each, ids.bob.count == each, comparison.hasInOrder(ids.alice),
      comparison.hasInOrder(ids.bob)
    else {
      throw DemoFailure("\(comparison.history.count - before) of \(2 * each) arrived, or in another order")
    }
    return [
      "\(outage) s without a server, \(piled) messages waiting; "
        + "in sync again \(DemoStage.seconds(back.duration(to: .now))) s after its return",
      "\(comparison.history.count - before) of \(2 * each) with both, each sender's in order, "
        + "\((await alice.screen.twice) + (await bob.screen.twice)) twice",
    ]
  }

  /// Describes the pages that filled a gap. After a long outage, catching up fetches only the newest
  /// messages. This leaves a gap before the fetched messages.
  private static func filled(_ pages: Int) -> String {
    pages == 0 ? "" : "; scrolls up over the gap that catching up left: \(pages) page\(pages == 1 ? "" : "s")"
  }

  /// Types texts one by one, 15 ms apart.
  nonisolated private func type(_ texts: [String], as client: DemoClient) async throws {
    for text in texts {
      await client.type(text)
      try await Task.sleep(for: .milliseconds(15))
    }
  }
}
