extension DemoActs {
  /// Bob is away for ten days, while 5,000 messages arrive in 30 chats.
  func returnAfterLongAbsence() async throws -> [String] {
    let crowd = try await world.crowd()
    try await announceAbsence(to: crowd)
    try await fill(crowd)

    let bob = try await person("bob", words: ["--catch-up", "\(DemoCrowd.newest)"])
    let server = try await DemoBacklog(of: "bob", world.witness)
    var unread = DemoCrowd.unread
    try await expectUnread(unread, with: bob, server)
    let sum = "\(DemoStage.grouped(unread.values.reduce(0, +))) unread in \(DemoCrowd.chats.count) chats"
    await stage.tells(of: "bob", "is back, and before he opens anything: \(sum)")
    let here = try await openEveryChat(server, with: bob)
    try await expectUnread(unread, with: bob, server)

    let (first, last) = (DemoCrowd.chats[0], DemoCrowd.chats[DemoCrowd.chats.count - 1])
    let scrolled = try await scrollAndJump(in: first, server, with: bob)
    try await expectUnread(unread, with: bob, server)
    await bob.type("/read")
    unread[first.name] = 0
    try await expectUnread(unread, with: bob, server)
    let rest = "\(DemoStage.grouped(unread.values.reduce(0, +))) in the other \(DemoCrowd.chats.count - 1)"
    await stage.tells(of: "bob", "has read \(first.name): 0 unread there, \(rest), as before")

    let jumped = try await jumpIntoGap(of: last, server, with: bob)
    try await expectUnread(unread, with: bob, server)
    return [
      "\(sum) on return, as on the server: \(here) here, the rest counted in gaps", scrolled,
      "\(first.name) read: 0 unread there, \(rest), here and on the server", jumped,
    ]
  }

  /// Bob writes to everybody, so that each chat begins with a message from him.
  private func announceAbsence(to crowd: DemoCrowd) async throws {
    let bob = try await person("bob")
    try await bob.open("alice")
    await bob.type("/read")
    try await bob.wait(10, for: "bob to have read everything") { $0.unread["alice"]?.unread == 0 }
    try await bob.quit()
    lost("bob")
    let daysAgo = DemoCrowd.daysAgo[0]
    try await world.restartServer(daysAgo: daysAgo)
    await stage.tells(of: "server", "is started again, with its clock \(daysAgo) days back and the same data")

    try await crowd.register()
    let again = try await person("bob")
    let people = DemoCrowd.people.joined(separator: " ")
    for (index, chat) in DemoCrowd.chats.enumerated() {
      await again.type(chat.isGroup ? "/group \(chat.name) \(people)" : "/open \(chat.name)")
      await again.type("I am away for \(daysAgo) days.")
      try await again.wait(10, for: "bob's message to be on his disk") { $0.stored.count > index }
      await stage.progress(of: "bob", "tells \(chat.name): \(index + 1) of \(DemoCrowd.chats.count)")
    }
    try await again.quit()
    lost("bob")
    let waiting = await again.screen.waitingAtEnd ?? 0
    guard waiting == 0 else { throw DemoFailure("bob left, and \(waiting) of his messages were not sent") }
    let groups = DemoCrowd.chats.count { $0.isGroup }
    await stage.tells(
      of: "bob",
      "tells \(DemoCrowd.people.count) people and \(groups) groups that he is away, and leaves; his process has ended"
    )
  }

  /// Posts the others' messages, on several days.
  private func fill(_ crowd: DemoCrowd) async throws {
    let start = ContinuousClock.now
    let conversations = try await world.witness.conversations()
    let ids = Dictionary(conversations.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
    let counts = DemoCrowd.chats.map(\.count)
    let total = DemoStage.grouped(counts.reduce(0, +))
    for (day, daysAgo) in DemoCrowd.daysAgo.enumerated() {
      if day > 0 { try await world.restartServer(daysAgo: daysAgo) }
      try await crowd.write(day: day, in: ids) { [stage] count in
        await stage.progress(
          of: "demo", "\(daysAgo) days ago: \(DemoStage.grouped(count)) of \(total) messages posted")
      }
    }
    try await world.restartServer(daysAgo: 0)
    let seconds = DemoStage.seconds(start.duration(to: .now))
    await stage.tells(
      of: "demo",
      "posts \(total) messages for \(DemoCrowd.people.joined(separator: ", ")), \(counts.min() ?? 0) to "
        + "\(counts.max() ?? 0) a chat, over a socket each: \(seconds) s")
    await stage.tells(
      of: "server",
      "was restarted for each of \(DemoCrowd.daysAgo.count) days with its clock set to that day; now its clock is right again"
    )
  }

  /// Opens every chat and checks that its list has exactly the newest messages.
  ///
  /// - Returns: The total number of the others' messages that the chats show.
  private func openEveryChat(_ server: DemoBacklog, with bob: DemoClient) async throws -> Int {
    var here = 0
    for chat in DemoCrowd.chats {
      let comparison = try server.comparison(with: chat)
      try await bob.open(chat.name)
      let screen = await bob.screen
      if let difference = comparison.difference(to: screen) {
        throw DemoFailure("\(chat.name): \(difference)")
      }
      let others = screen.messages.count { !$0.own }
      guard others == min(DemoCrowd.newest, chat.count) else {
        throw DemoFailure(
          "\(chat.name): \(others) messages are here, not \(min(DemoCrowd.newest, chat.count))")
      }
      here += others
    }
    await stage.tells(
      of: "bob", "looks into each: the newest \(DemoCrowd.newest) are here, \(here) messages in all")
    return here
  }
}
