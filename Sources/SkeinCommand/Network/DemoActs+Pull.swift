extension DemoActs {
  /// The network fails while Alice writes, and comes back.
  func pullNetwork(_ proxy: DemoProxy) async throws -> [String] {
    let alice = try await person("alice", registering: true, through: proxy.address)
    let bob = try await person("bob", registering: true)
    try await alice.open("bob")
    try await bob.open("alice")
    try await exchange(from: alice, to: bob, "I am on the train.")

    await stage.breaks("proxy", try await proxy.tell("down"))
    let pulled = ContinuousClock.now
    try await alice.wait(20, for: "alice to notice") { $0.connection == .offline }
    await stage.tells(of: "alice", "is offline, and continues to write")
    let texts = ["There is a tunnel.", "Can you still read this?", "It is a long one."]
    let known = await alice.screen.stored.count
    await alice.type(texts)
    try await alice.wait(10, for: "alice's messages to be on her disk") {
      $0.stored.count == known + texts.count
    }
    let ids = Array(await alice.screen.stored.dropFirst(known))
    for tries in [1, 3] {
      try await alice.wait(30, for: "try \(tries) to fail") { $0.nextTries.count >= tries }
      try await showWaiting(alice, texts.count)
      if tries == 1 { await stage.tells(of: "alice", "tries again automatically, without any input") }
    }
    guard try await world.witness.history(with: "alice").count == 1 else {
      throw DemoFailure("a message passed the network while it was down")
    }

    await stage.breaks("proxy", try await proxy.tell("up"))
    let outage = DemoStage.seconds(pulled.duration(to: .now))
    try await alice.wait(30, for: "every message of alice to be acknowledged") { $0.waiting == 0 }
    let comparison = DemoComparison(history: try await world.history(of: 1 + texts.count))
    for client in [alice, bob] {
      _ = try await client.show(comparison, within: 20)
      for message in await client.screen.messages.suffix(texts.count) { await show(message, on: client) }
    }
    guard comparison.history.count == 1 + texts.count, comparison.hasInOrder(ids) else {
      throw DemoFailure("\(comparison.history.count - 1) of \(texts.count) arrived, or in another order")
    }
    return [
      "\(texts.count) messages waited in \(outage) s without a network, each with its reason and next try",
      "then \(texts.count) of \(texts.count) ✓; with bob in order, \(await bob.screen.twice) twice",
    ]
  }

  /// Types `/waiting`, and writes the listed messages.
  ///
  /// - Throws: ``DemoFailure`` unless exactly `count` messages are listed, each of which waits for the
  ///   connection and has the time of its next attempt.
  private func showWaiting(_ client: DemoClient, _ count: Int) async throws {
    let before = await client.screen.waitingLists.count
    await client.type("/waiting")
    try await client.wait(10, for: "the list of waiting messages") { $0.waitingLists.count > before }
    let list = await client.screen.waitingLists.last ?? []
    guard list.count == count, list.allSatisfy({ $0.state == .waitingForConnection && $0.until != nil })
    else {
      throw DemoFailure("\(list.count) of \(count) messages wait, or not all with a reason and a next try")
    }
    for entry in list { await stage.waits(on: client.name, entry.text ?? "", entry.note) }
  }
}
