extension DemoActs {
  /// Alice and Bob edit, react, recall, reply and search.
  func changeMessages() async throws -> [String] {
    let alice = try await person("alice")
    let bob = try await person("bob")
    for (client, peer) in [(alice, "bob"), (bob, "alice")] { try await client.open(peer) }
    let edits = try await edit(alice, bob)
    let reactions = try await react(alice, bob)
    let replies = try await recallAndReply(alice)
    return [edits, reactions] + replies + [try await readInGroup(alice), try await search(alice)]
  }

  /// Alice edits a message twice: before it is sent, and after.
  private func edit(_ alice: DemoClient, _ bob: DemoClient) async throws -> String {
    await world.killServer()
    try await alice.wait(20, for: "alice to be offline") { $0.connection != .online }
    let id = try await say("See you at sevn?", as: alice)
    await stage.waits(on: "alice", "See you at sevn?", "the server is killed")
    await alice.type("/edit See you at seven?")
    try await alice.wait(10, for: "the new text") { $0.message(id)?.text == "See you at seven?" }
    await stage.tells(of: "alice", "edits it while it waits")
    try await world.startServer()
    for client in [alice, bob] {
      try await client.wait(40, for: "\(client.name) to be online") { $0.connection == .online }
    }
    // If an attempt to post the message is under way at the edit, the edit is sent after the message.
    try await bob.wait(30, for: "bob to have the edited message") {
      $0.message(id)?.text == "See you at seven?"
    }
    guard let first = await bob.screen.message(id) else { throw DemoFailure("bob has lost the message") }
    await show(first, on: bob)

    await alice.type("/edit See you at eight?")
    await stage.tells(of: "alice", "edits it again, and bob has it")
    for client in [alice, bob] {
      try await client.wait(10, for: "\(client.name) to have the second edit") {
        $0.message(id)?.edited != nil && $0.message(id)?.text == "See you at eight?"
      }
    }
    if let second = await bob.screen.message(id) { await show(second, on: bob) }
    let copies = try await world.witness.history(with: "alice").count { $0.id == id }
    guard copies == 1 else { throw DemoFailure("the server has the edited message \(copies) times") }
    return "edited before and after sending: one message, \"See you at eight?\" on both screens"
  }

  /// Alice and Bob react to the last message at the same time.
  private func react(_ alice: DemoClient, _ bob: DemoClient) async throws -> String {
    async let one: Void = alice.type("/react 👍")
    async let other: Void = bob.type("/react 👍", "/react 🎉")
    _ = await (one, other)
    for client in [alice, bob] {
      try await client.wait(10, for: "\(client.name) to see all reactions") {
        $0.messages.last?.reactions == ["👍": 2, "🎉": 1] && $0.messages.last?.pending == nil
      }
    }
    await stage.tells(of: "demo", "both react at once, and both see 👍 2  🎉 1")
    return "two react at once: 👍 2  🎉 1 on both screens"
  }

  /// While Bob is away, Alice recalls a message and replies to another message. When Bob returns, the
  /// original of the reply is in a gap.
  private func recallAndReply(_ alice: DemoClient) async throws -> [String] {
    let (secret, question, between) = ("The key is under the mat.", "Which train do we take?", 60)
    try await (person("bob")).quit()
    lost("bob")
    await stage.tells(of: "bob", "leaves; his process has ended")
    let recalled = try await sent(secret, as: alice)
    await alice.type("/recall")
    try await alice.wait(10, for: "alice's recall to reach the server") {
      $0.message(recalled)?.kind == "recalled" && $0.message(recalled)?.pending == nil
    }
    await stage.tells(of: "alice", "writes \"\(secret)\", and recalls it at once")
    let asked = try await sent(question, as: alice)
    _ = try await write(DemoActs.texts(between, "The timetable, line"), as: alice)
    let reply = try await sent("/reply \(between + 1) The one at nine, @bob.", as: alice)
    await stage.tells(of: "alice", "asks \"\(question)\", writes \(between) more, and replies to that")

    let bob = try await person("bob", words: ["--catch-up", "20"])
    try await bob.wait(20, for: "bob's list to show the mention") {
      $0.unread["alice"]?.mentions == 1 && $0.unread["alice"]?.unreadIsAtLeast == false
    }
    await stage.tells(of: "bob", "is back with the newest 20, and sees that he is mentioned")
    try await bob.open("alice")
    guard let shown = await bob.screen.message(reply), let quote = shown.quote, quote.id == nil,
      quote.text == question
    else { throw DemoFailure("the reply does not show its original, which is in the gap") }
    await stage.says(on: "bob", "alice: ↪ \(quote.sender): \(quote.text ?? "") │ \(shown.text)")
    let pages = try await bob.pageBack { $0.message(recalled) != nil }
    let paged = pages.count == 1 ? "1 page" : "\(pages.count) pages"
    let screen = await bob.screen
    guard screen.message(reply)?.quote?.id == screen.message(asked)?.id else {
      throw DemoFailure("the reply is not linked to its original, which is loaded now")
    }
    guard screen.message(recalled)?.kind == "recalled",
      !screen.messages.contains(where: { $0.text == secret })
    else { throw DemoFailure("bob sees the recalled message") }
    await stage.tells(of: "bob", "scrolls up over the gap, \(paged): there is the question")
    let history = try await world.witness.history(with: "alice")
    guard !history.contains(where: { $0.content.contains(secret) }) else {
      throw DemoFailure("the server still has the recalled message")
    }
    return [
      "recalled while bob was away: neither on his screen nor on the server",
      "a reply shows its original while that is in a gap, and links to it after \(paged)",
    ]
  }

  /// In a group of three, Alice sees who has read her message.
  private func readInGroup(_ alice: DemoClient) async throws -> String {
    let readers = [try await person("bob"), try await person("dora", registering: true)]
    await alice.type("/group Trip bob dora")
    let id = try await sent("Tickets are booked.", as: alice)
    for (index, reader) in readers.enumerated() {
      try await reader.wait(10, for: "\(reader.name) to have the group") { $0.unread["Trip"]?.unread == 1 }
      try await reader.open("Trip")
      await reader.type("/read")
      let names = readers[...index].map(\.name)
      try await alice.wait(10, for: "alice to see that \(reader.name) has read it") {
        $0.readers[id] == names
      }
    }
    await stage.says(on: "alice", "Tickets are booked.", mark: "✓✓ read by bob, dora")
    return "in a group of three, alice sees who has read her message: bob, then dora"
  }

  /// Bob finds a Chinese sentence by one, two and three characters.
  private func search(_ alice: DemoClient) async throws -> String {
    let id = try await sent("今晚去吃火锅店吗？", as: alice)
    let bob = try await person("bob")
    try await bob.wait(10, for: "bob to have the question") { $0.message(id) != nil }
    let queries = ["锅", "火锅", "火锅店"]
    for (index, query) in queries.enumerated() {
      await bob.type("/search \(query)")
      try await bob.wait(10, for: "bob's search for \(query)") { $0.searches.count > index }
      guard await bob.screen.searches.last?.map(\.messageID) == [id] else {
        throw DemoFailure("a search for \(query) finds something else")
      }
    }
    await stage.tells(of: "bob", "/search 锅, 火锅, 火锅店: each finds 今晚去吃火锅店吗？")
    return "Chinese is found by one, two and three characters"
  }

  /// Types a line that sends a message, and waits until the message is on disk.
  ///
  /// - Returns: The message's id.
  private func say(_ line: String, as client: DemoClient) async throws -> String {
    let count = await client.screen.stored.count
    await client.type(line)
    try await client.wait(10, for: "\(client.name)'s message to be on disk") { $0.stored.count > count }
    return await client.screen.stored.last ?? ""
  }

  /// Types a line that sends a message, and waits until the server has the message.
  private func sent(_ line: String, as client: DemoClient) async throws -> String {
    let id = try await say(line, as: client)
    try await client.wait(10, for: "the server to have \(client.name)'s message") {
      $0.status(of: id) == .sent
    }
    return id
  }
}
