#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension DemoActs {
  /// Starts a process of Alice with the chat open. All of Alice's processes use the same folder.
  private func alice(_ role: String, is state: ConnectionRecord.State) async throws -> DemoClient {
    let client = try await person("alice", as: role, registering: true)
    try await client.wait(20, for: "alice's \(role) to be \(state)") { $0.connection == state }
    try await client.open("bob")
    await stage.tells(of: role, "is \(state)")
    return client
  }

  /// Both processes write, and the process with the connection posts for both.
  func writeTogether() async throws -> [String] {
    _ = try await person("bob", registering: true)
    let clients = [
      try await alice("app", is: .online), try await alice("share", is: .elsewhere),
    ]
    let count = 20
    for (client, name) in zip(clients, ["app", "share"]) {
      await client.type(DemoActs.texts(count, "From the \(name)"))
    }
    let shown = try await settle(clients, at: 2 * count)
    await stage.tells(of: "share", "sees its \(count) ✓ and those of the app")
    return ["\(2 * count) written at once; \(shown)"]
  }

  /// The process with the connection is killed while messages of both processes wait.
  func killHolder() async throws -> [String] {
    let (app, share) = (try await person("alice", as: "app"), try await person("alice", as: "share"))
    let before = try await world.witness.history(with: "alice").count
    let count = 20
    await world.pauseServer()
    await stage.tells(of: "server", "is paused (SIGSTOP), so that messages queue up")
    let known = [await app.screen.stored.count, await share.screen.stored.count]
    for client in [app, share] { await client.type(DemoActs.texts(count, "Before the kill")) }
    do {
      for (client, known) in zip([app, share], known) {
        try await client.wait(20, for: "\(count) messages to be on the disk") {
          $0.stored.count == known + count
        }
      }
    } catch {
      await world.resumeServer()
      throw error
    }
    await app.destroy()
    lost("app")
    await stage.breaks("app", "SIGKILL, with \(2 * count) messages of both on the disk and none acknowledged")
    let killed = ContinuousClock.now
    await world.resumeServer()
    try await share.wait(20, for: "the lease to move") { $0.connection != .elsewhere }
    let moved = DemoStage.seconds(killed.duration(to: .now))
    let shown = try await settle([share], at: before + 2 * count)
    return ["the lease moved within \(moved) s; \(shown)"]
  }

  /// The process with the connection is halted, as by a debugger or an overloaded system, and resumed later.
  func haltHolder() async throws -> [String] {
    let share = try await person("alice", as: "share")
    try await share.wait(20, for: "the extension to be online") { $0.connection == .online }
    let app = try await alice("app", is: .elsewhere)
    let before = try await world.witness.history(with: "alice").count
    await share.signal(SIGSTOP)
    await stage.breaks("share", "SIGSTOP: it keeps every lock and does not answer")
    let halted = ContinuousClock.now
    let known = await app.screen.stored.count
    await app.type(DemoActs.texts(5, "While it hangs"))
    try await app.wait(2, for: "the messages to be on the disk") { $0.stored.count == known + 5 }
    do {
      try await app.wait(30, for: "the app to take over") { $0.connection == .online }
    } catch {
      await share.signal(SIGCONT)
      throw error
    }
    let moved = DemoStage.seconds(halted.duration(to: .now))
    await stage.tells(of: "app", "has taken over after \(moved) s; its messages were on the disk within 2 s")
    _ = try await settle([app], at: before + 5)
    await share.signal(SIGCONT)
    try await share.wait(20, for: "the extension to give up the connection") { $0.connection == .elsewhere }
    await stage.tells(of: "share", "continues (SIGCONT), has lost the lease, and gives up the connection")
    await share.type("At the end")
    let shown = try await settle([app, share], at: before + 6)
    return ["the lease moved within \(moved) s and did not move back; \(shown)"]
  }

  /// Waits until the server and every list have this many messages, each once and all sent.
  private func settle(_ clients: [DemoClient], at count: Int) async throws -> String {
    let comparison = DemoComparison(history: try await world.history(of: count))
    guard comparison.history.count == count else {
      throw DemoFailure("the server has \(comparison.history.count) messages, not \(count)")
    }
    for client in clients {
      try await client.wait(20, for: "every message to be acknowledged") {
        $0.waiting == 0 && $0.messages.last?.messageID == comparison.history.last?.id
      }
      _ = try await client.pageBack { $0.messages.count >= count }
      _ = try await client.show(comparison, within: 10)
      guard await client.screen.twice == 0 else { throw DemoFailure("a message is listed twice") }
    }
    return "\(count) on the server and in \(clients.count == 1 ? "the list" : "both lists"), each once"
  }
}
