import SkeinModel

extension BackendCheck {
  /// Delivery and read receipts.
  static let receipts: [BackendCheck] = [
    BackendCheck(
      .receipts, "Read receipts are reported to the other members of the conversation, by sync",
      needs: [.readReceipts, .readMarks], readsAreReported),
    BackendCheck(
      .receipts, "Delivery receipts are reported to the senders, by sync",
      needs: [.deliveryReceipts], deliveriesAreReported),
    BackendCheck(
      .receipts, "A receipt never goes back and belongs to one member",
      needs: [.deliveryReceipts],
      receiptsStay),
  ]

  private static func receipt(
    of user: UserID, in chat: ConversationRef, _ caught: CaughtUp
  ) throws -> MemberReceipt? {
    try caught.info(of: chat).receipts?.first { $0.user == user }
  }

  private static func readsAreReported(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(3, in: chat)
    let texts = try await bob.catchUp().messages(in: chat)
    let cursor = try await alice.catchUp().cursor
    try await bob.markRead(chat, upTo: texts[1])
    let caught = try await alice.catchUp(since: cursor)
    try expect(
      try receipt(of: bob.user, in: chat, caught)?.read, names: texts[1], "Bob's read receipt")
    try await bob.markRead(chat, upTo: texts[2])
    try expect(
      try receipt(of: bob.user, in: chat, try await alice.catchUp(since: caught.cursor))?.read,
      names: texts[2], "Bob's read receipt then")
  }

  private static func deliveriesAreReported(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    try await alice.send(2, in: chat)
    let cursor = try await alice.catchUp().cursor
    let got = try await bob.catchUp()
    try await bob.markDelivered(upTo: got.cursor)
    let caught = try await alice.catchUp(since: cursor)
    try expect(
      try receipt(of: bob.user, in: chat, caught)?.delivered,
      names: try got.last(in: chat), "Bob's delivery receipt")
  }

  private static func receiptsStay(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let early = try await bob.catchUp().cursor
    try await alice.send(2, in: chat)
    let got = try await bob.catchUp()
    try await bob.markDelivered(upTo: got.cursor)
    try await bob.markDelivered(upTo: early)
    let info = try await alice.catchUp().info(of: chat)
    try expect(
      info.receipts?.first { $0.user == bob.user }?.delivered, names: try got.last(in: chat),
      "Bob's delivery receipt")
    try expect(
      info.receipts?.contains { $0.user == alice.user } == true, is: false, "Alice having her own receipt")
  }
}
