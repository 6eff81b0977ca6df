import SkeinModel

extension BackendCheck {
  /// Read marks.
  static let readMarks: [BackendCheck] = [
    BackendCheck(
      .readMarks, "A read mark is stored and reported to the account's other devices",
      needs: [.readMarks],
      markIsKept),
    BackendCheck(.readMarks, "A read mark never goes back", needs: [.readMarks], markNeverFalls),
    BackendCheck(
      .readMarks, "A read mark applies to one account and one conversation", needs: [.readMarks],
      markIsOwn),
    BackendCheck(
      .readMarks, "An unread count, if stated, starts after the read mark",
      needs: [.readMarks],
      unreadAfterMark),
    BackendCheck(
      .readMarks, "A read mark of another epoch is refused permanently and has no effect",
      needs: [.readMarks],
      markOfAnotherEpoch),
  ]

  /// Sends `count` texts from one user, and returns them as the other user receives them, in the order of sending.
  private static func messages(
    _ count: Int, from alice: Device, to bob: Device, in chat: ConversationRef
  ) async throws -> [IncomingMessage] {
    let sent = try await alice.send(count, in: chat)
    let received = try await bob.history(of: chat)
    return try sent.map { try received.only($0, where: "the history") }
  }

  private static func markIsKept(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let tablet = try await stage.device(of: bob.user)
    let texts = try await messages(3, from: alice, to: bob, in: chat)
    let cursor = try await tablet.catchUp().cursor
    try await bob.markRead(chat, upTo: texts[1])
    try await bob.markRead(chat, upTo: texts[1])
    for since in [cursor, nil] {
      let info = try await tablet.catchUp(since: since).info(of: chat)
      try expect(info.readMark, names: texts[1], "The read mark on the other device")
    }
  }

  private static func markNeverFalls(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let texts = try await messages(3, from: alice, to: bob, in: chat)
    try await bob.markRead(chat, upTo: texts[2])
    try await bob.markRead(chat, upTo: texts[0])
    try expect(try await bob.catchUp().info(of: chat).readMark, names: texts[2], "The read mark")
  }

  private static func markIsOwn(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let carol = try await stage.device()
    let group = try await alice.open(
      .group(id: stage.word("group"), title: "Three", members: [bob.user, carol.user])
    ).ref
    let texts = try await messages(3, from: alice, to: bob, in: group)
    try await alice.send(1, in: chat)
    try await bob.markRead(group, upTo: texts[2])
    try expect(try await bob.catchUp().info(of: group).readMark, names: texts[2], "The reader's mark")
    let (own, other) = try await (carol.catchUp().info(of: group), bob.catchUp().info(of: chat))
    for (mark, whose) in [
      (own.readMark, "another account"), (other.readMark, "another conversation"),
    ] {
      let isOther = !texts.contains { mark?.names($0) == true }
      try expect(isOther && !isAtOrAbove(mark, texts[0]), "A read mark applies to \(whose) as well.")
    }
  }

  private static func isAtOrAbove(_ mark: MessageMark?, _ message: IncomingMessage) -> Bool {
    guard let position = mark?.position, let other = message.position else { return false }
    return position >= other
  }

  private static func markOfAnotherEpoch(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let texts = try await messages(2, from: alice, to: bob, in: chat)
    guard let epoch = try await bob.catchUp().batches.last?.epoch else {
      throw CheckEnd.skipped("The server names no epoch.")
    }
    try await bob.markRead(chat, upTo: texts[0], in: epoch)
    let error = try await stage.error(of: "A read mark of another epoch") {
      try await bob.markRead(chat, upTo: texts[1], in: Epoch(rawValue: "before \(epoch.rawValue)"))
    }
    try expect(error.code, is: .permanent, "The code of the refusal")
    try expect(try await bob.catchUp().info(of: chat).readMark, names: texts[0], "The read mark")
  }

  private static func unreadAfterMark(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let texts = try await messages(5, from: alice, to: bob, in: chat)
    let cursor = try await bob.catchUp().cursor
    try await bob.markRead(chat, upTo: texts[2])
    let stated = try await bob.catchUp(since: cursor, limit: 1).deltas(of: chat).compactMap(\.unread).last
    guard let stated else { throw CheckEnd.skipped("The server states no unread counts.") }
    try expect(stated, is: 2, "The unread count of five messages, three of them read")
    try await bob.markRead(chat, upTo: texts[4])
    let later = try await bob.catchUp(limit: 1).deltas(of: chat).compactMap(\.unread).last
    try expect(later ?? 0, is: 0, "The unread count once all is read")
  }
}
