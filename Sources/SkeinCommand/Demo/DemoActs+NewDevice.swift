extension DemoActs {
  /// On a new device, Bob pages back to the first message of his chat with Alice.
  func readEverything() async throws -> [String] {
    let page = 50
    let device = try await world.start("bob", device: "bob-tablet")
    await stage.tells(of: "bob", "has a new device with an empty database")
    let history = try await world.witness.history(with: "alice")
    try await device.wait(15, for: "the new device to know the chat") { $0.unread["alice"] != nil }
    try await device.open("alice")
    let first = await device.screen.messages.count
    let sizes =
      [first]
      + (try await device.pageBack(
        { [stage] in await stage.progress(of: "bob", "paging back: \($0) of \(history.count)") },
        until: { _ in false }))
    let screen = await device.screen
    guard screen.messages.count == history.count else {
      throw DemoFailure("the device shows \(screen.messages.count) messages, the server has \(history.count)")
    }
    if let difference = DemoComparison(history: history).difference(to: screen) {
      throw DemoFailure("new device: \(difference)")
    }
    guard sizes.allSatisfy({ $0 <= page }) else {
      throw DemoFailure("a page had \(sizes.max() ?? 0) messages, more than \(page)")
    }
    await stage.tells(of: "bob", "has paged back to the first message")
    try await device.quit()
    return [
      "\(screen.messages.count) of \(history.count) messages in \(sizes.count) pages of at most \(page): "
        + "no gap, \(screen.twice) duplicates, the same order as on the server"
    ]
  }
}
