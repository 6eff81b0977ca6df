import SkeinModel

extension BackendCheck {
  /// Ended sessions and unreachable servers.
  static let session: [BackendCheck] = [
    BackendCheck(
      .session, "Every call in a session that has ended is refused as unauthorized", needs: [.endingSessions],
      unauthorized),
    BackendCheck(
      .session, "A push channel reports the end of its session and ends", needs: [.endingSessions], signedOut),
    BackendCheck(
      .session, "An account that signs in again after its session has ended receives everything",
      needs: [.endingSessions],
      signedInAgain),
    BackendCheck(
      .session, "A session whose token has expired can be renewed, more than once, and continues",
      needs: [.renewal, .expiringTokens], renewed),
    BackendCheck(
      .session, "A session that has ended can't be renewed", needs: [.renewal, .endingSessions], notRenewed),
    BackendCheck(
      .session, "Calls to an unreachable server fail with a temporary error", needs: [.stopping], away),
    BackendCheck(
      .session, "Stored messages survive a restart of the server", needs: [.stopping], storedWhileAway),
    BackendCheck(
      .session, "Message ids are recognized after a restart of the server",
      needs: [.stopping, .endlessIdempotency],
      knownAfterAway),
    BackendCheck(
      .session, "The push channel ends when the server stops, and opens again when it is back",
      needs: [.stopping],
      pushAfterAway),
  ]

  /// Returns these calls: a send, a sync, a page and an open. If the backend has contacts, adds a fetch of
  /// the contact list.
  private static func calls(
    _ device: Device, in chat: ConversationRef, _ peer: UserID
  ) throws -> [(name: String, call: () async throws -> Void)] {
    let message = try device.text(in: chat)
    let calls: [(name: String, call: () async throws -> Void)] = [
      ("A send", { try await device.send(message) }),
      ("A sync", { _ = try await device.sync(since: nil) }),
      ("A page", { _ = try await device.page(of: chat) }),
      ("An open", { _ = try await device.open(.direct(peer)) }),
    ]
    guard device.backend.capabilities.contacts != nil else { return calls }
    return calls + [("A contact list", { _ = try await device.contacts() })]
  }

  private static func unauthorized(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(1, in: chat)
    try await stage.endSessions(of: alice.user)
    for (name, call) in try calls(alice, in: chat, bob.user) {
      let error = try await stage.error(of: "\(name) in a session that has ended", call)
      try expect(error.code, is: .unauthorized, "\(name): the code")
    }
    try expect(try await bob.history(of: chat).count, is: 1, "The number of messages")
  }

  private static func signedOut(_ stage: Stage) async throws {
    let (alice, _, _) = try await stage.pair()
    let listener = try await stage.listen(alice)
    try await stage.endSessions(of: alice.user)
    stage.step = "\(alice.user)'s push channel to end with its session"
    var isReported = false
    while let event = await listener.next() {
      if case .signedOut = event { isReported = true }
    }
    if let error = await listener.ended() as? BackendError, error.code == .unauthorized { isReported = true }
    try expect(isReported, "It ended with neither signedOut nor unauthorized.")
  }

  private static func signedInAgain(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let sent = try await bob.send(2, in: chat)
    let cursor = try await alice.catchUp().cursor
    try await stage.endSessions(of: alice.user)
    let missed = try await bob.send(2, in: chat)
    let again = try await stage.device(of: alice.user)
    let texts = try await again.history(of: chat).texts
    try expect(texts.sorted(), is: (sent + missed).texts.sorted(), "The messages of the history")
    let caught = try await again.catchUp(since: cursor)
    try expect(caught.messages(in: chat).texts, is: missed.texts, "The messages since the old cursor")
  }

  private static func renewed(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(1, in: chat)
    let cursor = try await alice.catchUp().cursor
    let calls = try calls(alice, in: chat, bob.user)
    try await stage.expireTokens(of: alice.user)
    for (name, call) in calls {
      let error = try await stage.error(of: "\(name) with a token that has expired", call)
      try expect(error.code, is: .unauthorized, "\(name): the code")
    }
    // The second renewal simulates a repetition after a lost answer.
    for _ in 0..<2 {
      stage.step = "the session to be renewed"
      try await alice.backend.require(\.renewal).renewSession()
      for (_, call) in calls { try await call() }
    }
    // Each renewal is followed by the same message. A backend without ids stores it twice.
    let copies = alice.backend.capabilities.idempotency == .none ? 2 : 1
    try expect(try await bob.history(of: chat).count, is: 1 + copies, "The number of messages")
    let listener = try await stage.listen(alice, since: cursor)
    let message = try bob.text(in: chat)
    try await bob.send(message)
    _ = try await listener.announces(message.payload, in: chat, since: cursor)
  }

  private static func notRenewed(_ stage: Stage) async throws {
    let (alice, _, _) = try await stage.pair()
    try await stage.endSessions(of: alice.user)
    let error = try await stage.error(of: "Renewing a session that has ended") {
      try await alice.backend.require(\.renewal).renewSession()
    }
    try expect(error.code, is: .unauthorized, "The code")
  }

  private static func away(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let calls = try calls(alice, in: chat, bob.user)
    try await stage.stopServer()
    for (name, call) in calls {
      let error = try await stage.error(of: "\(name) while the server was away", call)
      try expect(
        [.unreachable, .transient].contains(error.code),
        "\(name) failed with \(error.code.rawValue), which is no temporary failure.")
    }
    let error = try await stage.error(of: "A push channel while the server was away") {
      try await alice.backend.run(since: nil) { _ in }
      throw CheckEnd.failed("The push channel returned while the server was away, and threw nothing.")
    }
    try expect(
      [.unreachable, .transient].contains(error.code),
      "A push channel failed with \(error.code.rawValue), which is no temporary failure.")
    try await stage.startServer()
    for (_, call) in calls { try await call() }
    try expect(try await bob.history(of: chat).count, is: 1, "The number of messages")
  }

  private static func storedWhileAway(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let sent = try await alice.send(3, in: chat)
    let first = try await bob.catchUp()
    let unseen = try await alice.send(2, in: chat)
    try await stage.stopServer()
    try await stage.startServer()
    let caught = try await bob.catchUp(since: first.cursor)
    try expect(caught.messages(in: chat).texts, is: unseen.texts, "The messages since the cursor")
    try expect(caught.batches.last?.epoch, is: first.batches.last?.epoch, "The epoch")
    let stored = try await bob.history(of: chat).texts
    try expect(stored.sorted(), is: (sent + unseen).texts.sorted(), "The messages of the history")
    try await alice.send(1, in: chat)
    try expect(try await bob.history(of: chat).count, is: 6, "The number of messages after one more")
  }

  private static func knownAfterAway(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let message = try alice.text(in: chat)
    let first = try await alice.send(message)
    try await stage.stopServer()
    try await stage.startServer()
    try expect(try await alice.send(message), is: first, "The receipt after the server was away")
    try expect(try await bob.history(of: chat).count, is: 1, "The number of messages")
  }

  private static func pushAfterAway(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let cursor = try await bob.catchUp().cursor
    let listener = try await stage.listen(bob, since: cursor)
    try await stage.stopServer()
    await listener.ended(with: "its server")
    try await stage.startServer()
    let again = try await stage.listen(bob, since: cursor)
    let message = try alice.text(in: chat)
    try await alice.send(message)
    _ = try await again.announces(message.payload, in: chat, since: cursor)
  }
}
