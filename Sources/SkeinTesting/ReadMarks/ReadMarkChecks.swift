import SkeinModel

extension BackendCheck {
  /// Read marks.
  static let readMarks: [BackendCheck] = [
    BackendCheck(
      .readMarks, "A read mark is stored and reported to the account's other devices",
      needs: [.readMarks, .positions],
      markIsKept),
    BackendCheck(.readMarks, "A read mark never goes back", needs: [.readMarks, .positions], markNeverFalls),
    BackendCheck(
      .readMarks, "A read mark applies to one account and one conversation", needs: [.readMarks, .positions],
      markIsOwn),
    BackendCheck(
      .readMarks, "An unread count, if stated, starts after the read mark",
      needs: [.readMarks, .positions],
      unreadAfterMark),
    BackendCheck(
      .readMarks, "A read mark of another epoch is refused permanently and has no effect",
      needs: [.readMarks, .positions],
      markOfAnotherEpoch),
  ]

  /// Sends `count` texts from one user, and returns their positions in the other user's history.
  private static func messages(
    _ count: Int, from alice: Device, to bob: Device, in chat: ConversationRef
  ) async throws -> [Position] {
    try await alice.send(count, in: chat)
    let positions = try await bob.history(of: chat).compactMap(\.position)
    try expect(positions.count, is: count, "The number of positions")
    return positions
  }

  private static func markIsKept(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let tablet = try await stage.device(of: bob.user)
    let positions = try await messages(3, from: alice, to: bob, in: chat)
    let cursor = try await tablet.catchUp().cursor
    try await bob.markRead(chat, upTo: positions[1])
    try await bob.markRead(chat, upTo: positions[1])
    for since in [cursor, nil] {
      let info = try await tablet.catchUp(since: since).info(of: chat)
      try expect(info.readPosition, is: positions[1], "The read mark on the other device")
    }
  }

  private static func markNeverFalls(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let positions = try await messages(3, from: alice, to: bob, in: chat)
    try await bob.markRead(chat, upTo: positions[2])
    try await bob.markRead(chat, upTo: positions[0])
    try expect(try await bob.catchUp().info(of: chat).readPosition, is: positions[2], "The read mark")
  }

  private static func markIsOwn(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let carol = try await stage.device()
    let group = try await alice.open(
      .group(id: stage.word("group"), title: "Three", members: [bob.user, carol.user])
    ).ref
    let positions = try await messages(3, from: alice, to: bob, in: group)
    try await alice.send(1, in: chat)
    try await bob.markRead(group, upTo: positions[2])
    try expect(try await bob.catchUp().info(of: group).readPosition, is: positions[2], "The reader's mark")
    let (own, other) = try await (carol.catchUp().info(of: group), bob.catchUp().info(of: chat))
    for (mark, whose) in [
      (own.readPosition, "another account"), (other.readPosition, "another conversation"),
    ] {
      try expect(
        mark.map { $0.rawValue < positions[0].rawValue } ?? true, "A read mark applies to \(whose) as well.")
    }
  }

  private static func markOfAnotherEpoch(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let positions = try await messages(2, from: alice, to: bob, in: chat)
    guard let epoch = try await bob.catchUp().batches.last?.epoch else {
      throw CheckEnd.skipped("The server names no epoch.")
    }
    try await bob.markRead(chat, upTo: positions[0], in: epoch)
    let error = try await stage.error(of: "A read mark of another epoch") {
      try await bob.markRead(chat, upTo: positions[1], in: Epoch(rawValue: "before \(epoch.rawValue)"))
    }
    try expect(error.code, is: .permanent, "The code of the refusal")
    try expect(try await bob.catchUp().info(of: chat).readPosition, is: positions[0], "The read mark")
  }

  private static func unreadAfterMark(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let positions = try await messages(5, from: alice, to: bob, in: chat)
    let cursor = try await bob.catchUp().cursor
    try await bob.markRead(chat, upTo: positions[2])
    let stated = try await bob.catchUp(since: cursor, limit: 1).deltas(of: chat).compactMap(\.unread).last
    guard let stated else { throw CheckEnd.skipped("The server states no unread counts.") }
    try expect(stated, is: 2, "The unread count of five messages, three of them read")
    try await bob.markRead(chat, upTo: positions[4])
    let later = try await bob.catchUp(limit: 1).deltas(of: chat).compactMap(\.unread).last
    try expect(later ?? 0, is: 0, "The unread count once all is read")
  }
}
