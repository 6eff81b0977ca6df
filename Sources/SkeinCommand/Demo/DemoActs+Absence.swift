extension DemoActs {
  /// Bob is away while Alice writes 300 messages.
  func comeBack() async throws -> [String] {
    let count = 300
    let alice = try await person("alice")
    try await (person("bob")).type("/read")
    try await (person("bob")).wait(10, for: "bob to have read everything") { $0.reads > 0 }
    try await (person("bob")).quit()
    lost("bob")
    await stage.tells(of: "bob", "leaves; his process has ended")

    let ids = try await write(DemoActs.texts(count, "While you were away, no."), as: alice)
    await stage.tells(of: "alice", "wrote \(count) messages, all ✓")

    let bob = try await person("bob")
    try await bob.wait(15, for: "bob's list to say \(count) unread") { screen in
      screen.unread["alice"]?.unread == count && screen.unread["alice"]?.unreadIsAtLeast == false
    }
    await stage.tells(of: "bob", "is back, and before he opens the chat: alice, \(count) unread")
    try await bob.open("alice")
    let wanted = Set(ids)
    let sizes = try await bob.pageBack(
      { await self.stage.progress(of: "bob", "scrolling back: \($0) messages") },
      until: { screen in screen.messages.count { wanted.contains($0.messageID) } == count })
    await stage.tells(of: "bob", "scrolled back \(sizes.count) pages and has them all")

    let shown = await bob.screen.messages.map(\.messageID).filter(wanted.contains)
    guard shown == ids else {
      throw DemoFailure(
        "bob shows \(shown.count) of \(count) messages, \(Set(shown).count) of them distinct"
          + (Set(shown) == wanted ? ", in another order" : ""))
    }
    let history = DemoComparison(history: try await world.witness.history(with: "alice"))
    if let difference = history.difference(to: await bob.screen) { throw DemoFailure("bob: \(difference)") }
    await bob.type("/read")
    try await bob.wait(10, for: "nothing to be unread any more") { $0.unread["alice"]?.unread == 0 }
    return [
      "\(count) unread on return, \(shown.count) of \(count) in order after \(sizes.count) pages, "
        + "\(await bob.screen.twice) duplicates"
    ]
  }

  /// Types texts, and waits until the server has acknowledged each of them.
  ///
  /// - Returns: The message ids, in the order of writing.
  func write(_ texts: [String], as client: DemoClient) async throws -> [String] {
    let before = await client.screen.stored.count
    await client.type(texts)
    let steps = 20
    for step in 1...steps {
      let goal = texts.count * step / steps
      try await client.wait(30, for: "\(client.name) to have \(goal) of \(texts.count) acknowledged") {
        screen in
        screen.stored.count >= before + goal && screen.waiting <= texts.count - goal
      }
      await stage.progress(of: client.name, "\(goal) of \(texts.count) acknowledged")
    }
    return Array(await client.screen.stored.dropFirst(before))
  }
}
