import SkeinModel

extension BackendCheck {
  static let push: [BackendCheck] = [
    BackendCheck(.receiving, "The push channel reports connected as its first event", connects),
    BackendCheck(
      .receiving, "Each message that arrives while connected is announced and can be fetched",
      announces),
    BackendCheck(.receiving, "An account's own message is announced to its other devices", announcesOwn),
    BackendCheck(
      .receiving, "A device that processes an event slowly receives all later ones",
      slowReceiver),
    BackendCheck(
      .receiving, "The push channel ends with its connection and can be opened again",
      needs: [.cutting],
      cutAndReopened),
    BackendCheck(.receiving, "A cancelled push channel ends promptly", cancelledRun),
  ]

  private static func connects(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(1, in: chat)
    _ = try await stage.listen(bob)
    let cursor = try await bob.catchUp().cursor
    _ = try await stage.listen(try await stage.device(of: bob.user), since: cursor)
  }

  private static func announces(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    var cursor = try await bob.catchUp().cursor
    let listener = try await stage.listen(bob, since: cursor)
    for _ in 0..<3 {
      let message = try alice.text(in: chat)
      try await alice.send(message)
      cursor = try await listener.announces(message.payload, in: chat, since: cursor)
    }
    try expect(
      try await bob.catchUp(since: cursor).messages.texts, is: [], "The messages after the last announcement")
  }

  private static func announcesOwn(_ stage: Stage) async throws {
    let (alice, _, chat) = try await stage.pair()
    let tablet = try await stage.device(of: alice.user)
    let cursor = try await tablet.catchUp().cursor
    let listener = try await stage.listen(tablet, since: cursor)
    let message = try alice.text(in: chat)
    try await alice.send(message)
    _ = try await listener.announces(message.payload, in: chat, since: cursor)
  }

  private static func slowReceiver(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let cursor = try await bob.catchUp().cursor
    let gate = Gate()
    let listener = try await stage.listen(bob, since: cursor) { event in
      switch event {
      case .poke, .batch: await gate.wait()
      default: break
      }
    }
    let first = try alice.text(in: chat)
    try await alice.send(first)
    let later = try await listener.announces(first.payload, in: chat, since: cursor)
    let sent = try await alice.send(20, in: chat)
    gate.open()
    guard let last = sent.last else { return }
    _ = try await listener.announces(last.payload, in: chat, since: later)
    try expect(try await bob.catchUp(since: later).messages.texts, is: sent.texts, "The other messages")
  }

  private static func cutAndReopened(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let cursor = try await bob.catchUp().cursor
    let listener = try await stage.listen(bob, since: cursor)
    try await stage.cutConnections(of: bob.user)
    if let error = await listener.ended(with: "its connection") as? BackendError {
      try expect(
        [.unreachable, .transient].contains(error.code),
        "A cut push channel failed with \(error.code.rawValue), which is no temporary failure.")
    }
    let missed = try alice.text(in: chat)
    try await alice.send(missed)
    let again = try await stage.listen(bob, since: cursor)
    let caught = try await bob.catchUp(since: cursor)
    _ = try caught.messages(in: chat).only(missed, where: "the sync after the cut")
    let message = try alice.text(in: chat)
    try await alice.send(message)
    _ = try await again.announces(message.payload, in: chat, since: caught.cursor)
  }

  private static func cancelledRun(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let listener = try await stage.listen(bob)
    let run = Task(executorPreference: WorkQueue()) { _ = await listener.ended() }
    listener.cancel()
    try await stage.cancel(run, "A push channel")
    try await alice.send(1, in: chat)
    _ = try await stage.listen(bob)
  }
}
