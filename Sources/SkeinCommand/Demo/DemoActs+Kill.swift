extension DemoActs {
  /// Alice's process is killed while it sends 200 messages, and started again.
  func killSender() async throws -> [String] {
    let count = 200
    let bob = try await person("bob")
    let alice = try await person("alice")
    let before = try await world.witness.history(with: "alice").count

    await world.pauseServer()
    await stage.tells(of: "server", "is paused (SIGSTOP), so that alice's messages queue up")
    let known = await alice.screen.stored.count
    await alice.type(DemoActs.texts(count, "Nothing may get lost, no."))
    do {
      try await alice.wait(30, for: "\(count) messages of alice to be on her disk") {
        $0.stored.count >= known + count
      }
    } catch {
      await world.resumeServer()
      throw error
    }
    let ids = Array(await alice.screen.stored.dropFirst(known))
    await stage.tells(of: "alice", "wrote \(count); all are on her disk, none is acknowledged: ◷")
    await world.resumeServer()
    await stage.tells(of: "server", "continues")
    try await alice.wait(30, for: "the first messages of alice to be acknowledged") {
      $0.waiting <= count - 80
    }
    await alice.destroy()
    lost("alice")
    let acknowledged = count - (await alice.screen.waiting)
    let arrived = try await world.witness.history(with: "alice").count - before
    await stage.breaks(
      "alice",
      "SIGKILL, in the middle: she had seen \(acknowledged) ✓, the server has \(arrived) of \(count)")
    guard arrived < count else {
      throw DemoFailure("the kill came too late to prove anything: the server had all \(count)")
    }

    let again = try await person("alice")
    await stage.tells(of: "alice", "is started again, without any input")
    let comparison = DemoComparison(history: try await world.history(of: before + count))
    let extra = comparison.history.count - before - count
    guard extra == 0, comparison.hasInOrder(ids) else {
      throw DemoFailure(
        "the server has \(comparison.history.count - before) of \(count), or in another order")
    }
    try await bob.wait(15, for: "bob to have all \(count)") { screen in
      screen.messages.last?.messageID == ids.last
    }
    try await again.open("bob")
    for client in [bob, again] {
      _ = try await client.show(comparison, within: 10)
    }
    let shown = await bob.screen.messages.map(\.messageID).filter(Set(ids).contains)
    guard shown == ids else { throw DemoFailure("bob shows \(shown.count) of \(count), or in another order") }
    await stage.tells(of: "alice", "the other \(count - arrived) were sent automatically")
    return [
      "killed at \(arrived) of \(count); then \(comparison.history.count - before) on the server "
        + "and \(shown.count) with bob, in order, \(await bob.screen.twice) twice"
    ]
  }
}
