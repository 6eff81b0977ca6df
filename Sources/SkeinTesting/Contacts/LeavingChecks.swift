import SkeinModel

extension BackendCheck {
  /// Leaving groups.
  static let leaving: [BackendCheck] = [
    BackendCheck(.leaving, "Leaving a group that was left before succeeds", needs: [.leaving], leftTwice),
    BackendCheck(
      .leaving, "A message to a group that its sender has left is refused permanently", needs: [.leaving],
      refused),
    BackendCheck(
      .leaving, "A group that was left delivers no further messages, by push or by sync", needs: [.leaving],
      silence),
    BackendCheck(
      .leaving, "The remaining members continue their group, and its member list, if stated, is updated",
      needs: [.leaving], othersGoOn
    ),
    BackendCheck(
      .leaving,
      "A group that was left is removed from the contact list on all devices of the account",
      needs: [.leaving, .contacts],
      offTheList),
  ]

  /// Creates three users and a group of these users. Bob creates the group, and each user sends one message.
  private static func trio(
    _ stage: Stage
  ) async throws -> (alice: Device, bob: Device, carol: Device, group: ConversationRef) {
    let (alice, bob, carol) = (try await stage.device(), try await stage.device(), try await stage.device())
    let group = try await bob.open(
      .group(id: stage.word("group"), title: "Climbing", members: [alice.user, carol.user])
    ).ref
    for device in [alice, bob, carol] { try await device.send(1, in: group) }
    return (alice, bob, carol, group)
  }

  private static func leftTwice(_ stage: Stage) async throws {
    let (alice, bob, carol, group) = try await trio(stage)
    for device in [alice, alice, try await stage.device(of: alice.user)] { try await device.leave(group) }
    for device in [bob, carol] { try await device.send(1, in: group) }
    try await alice.leave(group)
  }

  private static func refused(_ stage: Stage) async throws {
    let (alice, bob, _, group) = try await trio(stage)
    try await alice.leave(group)
    for device in [alice, try await stage.device(of: alice.user)] {
      let message = try device.text(in: group)
      let error = try await stage.error(of: "A send to a group that was left") {
        try await device.send(message)
      }
      try expect(error.code, is: .permanent, "The code of the refusal")
      try expect(!error.outcomeIsUnknown, "A refusal states that the outcome is unknown.")
    }
    try expect(try await bob.history(of: group).count, is: 3, "The number of messages")
  }

  private static func silence(_ stage: Stage) async throws {
    let (alice, bob, _, group) = try await trio(stage)
    let chat = try await bob.open(.direct(alice.user)).ref
    let cursor = try await alice.catchUp().cursor
    try await alice.leave(group)
    let listener = try await stage.listen(alice, since: cursor)
    let missed = try await bob.send(2, in: group)
    let last = try bob.text(in: chat)
    try await bob.send(last)
    var heard: [IncomingMessage] = []
    _ = try await listener.announces("a message", since: cursor) { batch in
      heard += batch.messages(in: group)
      return batch.messages(in: chat).contains { $0.payload == last.payload }
    }
    for device in [alice, try await stage.device(of: alice.user)] {
      for since in [cursor, nil] { heard += try await device.catchUp(since: since).messages(in: group) }
    }
    // The messages that were sent before Alice left may arrive: a server need not delete these messages.
    let late = Set(missed.texts).intersection(heard.texts)
    try expect(late.count, is: 0, "The number of messages received from a group that was left")
    guard alice.backend.capabilities.contacts == nil else { return }
    let left = try await alice.catchUp(since: cursor).batches.flatMap(\.left)
    try expect(left, is: [group], "Without a contact list, the groups that a sync reports as left")
  }

  private static func othersGoOn(_ stage: Stage) async throws {
    let (alice, bob, carol, group) = try await trio(stage)
    let cursor = try await carol.catchUp().cursor
    try await alice.leave(group)
    let message = try bob.text(in: group)
    try await bob.send(message)
    for since in [cursor, nil] {
      let caught = try await carol.catchUp(since: since)
      _ = try caught.messages(in: group).only(message, where: "a sync")
      if let members = try caught.info(of: group).members {
        try expect(Set(members), is: [bob.user, carol.user], "The members of the group")
      }
    }
    try expect(try await carol.history(of: group).count, is: 4, "The number of messages")
  }

  private static func offTheList(_ stage: Stage) async throws {
    let (alice, _, _, group) = try await trio(stage)
    let tablet = try await stage.device(of: alice.user)
    let before = try await tablet.contacts()
    guard before.holds(.group(group)) else {
      throw CheckEnd.skipped("The server's contact list holds no groups.")
    }
    let caught = try await tablet.catchUp()
    let listener = try await stage.listen(tablet, since: caught.cursor)
    try await alice.leave(group)
    let after = try await tablet.contacts(since: before)
    for book in [after, try await alice.contacts()] {
      try expect(!book.holds(.group(group)), "A group that was left is still on the contact list.")
    }
    guard caught.contactVersion != nil else { return }
    _ = try await listener.announces(version: after.version, since: caught.cursor)
  }
}
