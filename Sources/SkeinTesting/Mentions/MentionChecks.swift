import SkeinModel

extension BackendCheck {
  /// Mentions.
  static let mentions: [BackendCheck] = [
    BackendCheck(
      .mentions, "The mentions of a message are returned as they were sent, in history and by sync",
      needs: [.mentions], mentionsAreKept),
    BackendCheck(
      .mentions,
      "A count of unread mentions, if stated, includes exactly the messages that mention the account",
      needs: [.mentions], mentionsAreCounted),
    BackendCheck(
      .mentions, "A recalled message mentions nobody", needs: [.mentions, .recalls], recalledMentionsNobody),
  ]

  /// Sends four messages from Alice. In this order, they mention Bob, everyone, nobody, and a user who does
  /// not exist.
  private static func call(_ stage: Stage) async throws -> (
    alice: Device, bob: Device, chat: ConversationRef, mentions: [Mentions]
  ) {
    let (alice, bob, chat) = try await stage.pair()
    let mentions = [
      Mentions([bob.user]), Mentions(everyone: true), .nobody,
      Mentions([UserID(rawValue: stage.word("user"))]),
    ]
    for mentioned in mentions {
      try await alice.send(
        try alice.message(in: chat, TextContent(stage.word("text")), mentions: mentioned))
    }
    return (alice, bob, chat, mentions)
  }

  private static func mentionsAreKept(_ stage: Stage) async throws {
    let (_, bob, chat, mentions) = try await call(stage)
    for messages in [try await bob.catchUp().messages(in: chat), try await bob.history(of: chat)] {
      let kept = messages.map { $0.mentions ?? .nobody }
      try expect(Set(kept), is: Set(mentions), "The mentions of the messages")
      try expect(kept.count, is: mentions.count, "The number of messages")
    }
  }

  private static func mentionsAreCounted(_ stage: Stage) async throws {
    let (alice, bob, chat, _) = try await call(stage)
    let stated = try await bob.catchUp(limit: 1).deltas(of: chat).compactMap(\.unreadMentions).last
    guard let stated else { throw CheckEnd.skipped("The server states no counts of mentions.") }
    try expect(stated, is: 2, "The count of unread messages that mention Bob or everyone")
    let own = try await alice.catchUp(limit: 1).deltas(of: chat).compactMap(\.unreadMentions).last
    try expect(own ?? 0, is: 0, "The count of unread mentions of Alice, who has sent all messages")
  }

  private static func recalledMentionsNobody(_ stage: Stage) async throws {
    let (alice, bob, chat, _) = try await call(stage)
    for message in try await alice.history(of: chat) {
      try await alice.perform(message, in: chat, .recall)
    }
    try expect(
      try await bob.history(of: chat).allSatisfy { ($0.mentions ?? .nobody) == .nobody },
      "A recalled message mentions somebody.")
    let stated = try await bob.catchUp(limit: 1).deltas(of: chat).compactMap(\.unreadMentions).last
    try expect(stated ?? 0, is: 0, "The count of unread mentions of Bob, once all are recalled")
  }
}
