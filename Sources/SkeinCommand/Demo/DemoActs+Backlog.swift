extension DemoActs {
  /// Bob scrolls up to the first message of a chat, and jumps to a day in the middle of the chat.
  func scrollAndJump(in chat: DemoChat, _ server: DemoBacklog, with bob: DemoClient) async throws -> String {
    let comparison = try server.comparison(with: chat)
    let count = comparison.history.count
    try await bob.open(chat.name)
    await stage.tells(
      of: "bob", "opens \(chat.name): \(chat.count) unread, \(await bob.screen.messages.count) here")
    let pages = try await bob.pageBack(
      { [stage] in await stage.progress(of: "bob", "scrolling up: \($0) of \(count)") }, until: { _ in false }
    )
    let screen = await bob.screen
    try expect(all: comparison, on: screen, in: chat)
    await stage.tells(
      of: "bob",
      "scrolls up through the gap, \(pages.count) pages, to the first message: \(count) of \(count)")
    if let first = screen.messages.first { await show(first, on: bob) }

    let (day, _) = try await jump(in: chat, comparison, with: bob)
    return "\(chat.name): \(count) of \(count) in order after \(pages.count) pages, \(screen.twice) twice; "
      + "/jump \(day.text) shows that day's first"
  }

  /// Bob jumps into the gap of a chat, and scrolls from there to both ends.
  func jumpIntoGap(of chat: DemoChat, _ server: DemoBacklog, with bob: DemoClient) async throws -> String {
    let comparison = try server.comparison(with: chat)
    let count = comparison.history.count
    try await bob.open(chat.name)
    let here = await bob.screen.messages.count
    await stage.tells(of: "bob", "opens \(chat.name): \(chat.count) unread, \(here) here")
    let (_, island) = try await jump(in: chat, comparison, with: bob)
    guard island.lowerBound > 1, island.upperBound < count - here else {
      throw DemoFailure("\(chat.name): the jump did not lead into the gap")
    }
    let down = try await bob.pageForward().count
    let up = try await bob.pageBack { _ in false }.count
    let screen = await bob.screen
    try expect(all: comparison, on: screen, in: chat)
    await stage.tells(
      of: "bob",
      "is in the gap; scrolls \(down) pages down and \(up) up from there: \(count) of \(count)")
    return
      "\(chat.name): a jump into the gap; \(count) of \(count) in order after \(down) pages down and \(up) up, "
      + "\(screen.twice) twice"
  }

  /// Bob jumps to the day of the message in the middle of the open chat.
  ///
  /// - Returns: The day, and the range of the server's messages that are shown.
  private func jump(in chat: DemoChat, _ comparison: DemoComparison, with bob: DemoClient) async throws -> (
    DemoDay, Range<Int>
  ) {
    guard let day = DemoDay(inTheMiddleOf: comparison.history) else {
      throw DemoFailure("\(chat.name): the server has no messages")
    }
    try await bob.jump(to: day.text)
    let screen = await bob.screen
    let stretch = try comparison.stretch(of: screen)
    guard stretch.contains(day.first), stretch.count < comparison.history.count else {
      throw DemoFailure(
        "\(chat.name): /jump \(day.text) shows \(stretch.count) messages, and not that day's first among them"
      )
    }
    await stage.tells(
      of: "bob", "/jump \(day.text): \(stretch.count) messages, and among them that day's first:")
    await show(screen.messages[day.first - stretch.lowerBound], on: bob)
    return (day, stretch)
  }

  private func expect(all comparison: DemoComparison, on screen: DemoScreen, in chat: DemoChat) throws {
    if let difference = comparison.difference(to: screen) { throw DemoFailure("\(chat.name): \(difference)") }
    let (shown, count) = (screen.messages.count, comparison.history.count)
    guard shown == count else {
      throw DemoFailure("\(chat.name): \(shown) messages are shown, the server has \(count)")
    }
  }

  /// Waits until each chat has this many unread messages, both for the client and on the server.
  func expectUnread(_ counts: [String: Int], with client: DemoClient, _ server: DemoBacklog) async throws {
    do {
      try await client.wait(15, for: "the right unread counts") { $0.difference(toUnread: counts) == nil }
    } catch let failure as DemoFailure {
      throw DemoFailure(
        "\(failure); \(await client.screen.difference(toUnread: counts) ?? "now they are right")")
    }
    let deadline = ContinuousClock.now + .seconds(10)
    while let difference = server.difference(toUnread: counts, by: try await world.witness.conversations()) {
      guard ContinuousClock.now < deadline else { throw DemoFailure("on the server, \(difference)") }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
