import SkeinModel

extension BackendCheck {
  /// Sending messages.
  static let sending: [BackendCheck] =
    [
      BackendCheck(
        .sending, "A message that is sent once is stored once, with its bytes, kind and sender", sentOnce),
      BackendCheck(
        .sending, "A message is returned with the id given by its sender, if the backend states so",
        echoed),
      BackendCheck(.sending, "A receipt agrees with sync and history", receiptAgrees),
      BackendCheck(
        .sending, "Positions rise from message to message, by one if they are dense", needs: [.positions],
        positionsRise),
      BackendCheck(.sending, "Messages sent by two devices at once are all stored, once each", manyAtOnce),
      BackendCheck(
        .sending, "A message that is sent again has the same receipt and is stored once",
        needs: [.idempotency],
        sentTwice),
      BackendCheck(
        .sending,
        "A message sent again with another value of isCountable has the same receipt and is stored once",
        needs: [.idempotency], otherCountable),
      BackendCheck(
        .sending,
        "Other content under a known id is not stored; the answer is the first receipt or the stored message",
        needs: [.idempotency],
        otherContent),
      BackendCheck(
        .sending, "Two senders can use the same id for different messages", othersID),
      BackendCheck(
        .sending, "One sender can use the same id for different messages in two conversations", idElsewhere),
      BackendCheck(.sending, "An id may have 128 characters of any kind", longIDs),
      BackendCheck(
        .sending, "A send whose answer is lost succeeds, or fails soon with an unknown outcome",
        needs: [.losing],
        answerLost),
      BackendCheck(
        .sending, "A message that is sent again after a lost answer is stored once",
        needs: [.losing, .idempotency],
        answerLostAndSentAgain),
      BackendCheck(.sending, "A cancelled send ends promptly", needs: [.losing], cancelled),
      BackendCheck(
        .sending, "A message to a conversation that does not exist is refused permanently", toUnknown),
    ] + content + pipelining

  private static func sentOnce(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let message = try alice.text(in: chat)
    try await alice.send(message)
    for device in [alice, bob] {
      for (messages, place) in [
        (try await device.catchUp().messages(in: chat), "a sync"),
        (try await device.history(of: chat), "the history"),
      ] {
        let found = try messages.only(message, where: place)
        try expect(found.kind, is: message.kind, "The kind in \(place)")
        try expect(found.sender, is: alice.user, "The sender in \(place)")
        try expect(messages.count, is: 1, "The number of messages in \(place)")
      }
    }
  }

  private static func echoed(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let echo = alice.backend.capabilities.echoesMessageID
    let message = try alice.text(in: chat)
    try await alice.send(message)
    for device in [alice, try await stage.device(of: alice.user), bob] {
      let synced = try await device.catchUp().messages(in: chat).only(message, where: "a sync").messageID
      let paged = try await device.history(of: chat).only(message, where: "the history").messageID
      for (id, place) in [(synced, "a sync"), (paged, "the history")] {
        if echo == .always || echo == .thisDevice && device.id == alice.id {
          try expect(id, is: message.id, "The message id in \(place)")
        } else {
          try expect(
            id == nil || id == message.id, "A message has an id in \(place) that its sender did not give it.")
        }
      }
    }
  }

  private static func receiptAgrees(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    for _ in 0..<3 {
      let message = try alice.text(in: chat)
      let receipt = try await alice.send(message)
      let synced = try await bob.catchUp().messages(in: chat).only(message, where: "a sync")
      let paged = try await bob.history(of: chat).only(message, where: "the history")
      for (found, place) in [(synced, "a sync"), (paged, "the history")] {
        try expect(
          receipt.serverID ?? found.serverID, is: found.serverID,
          "The receipt's server id, compared with \(place)"
        )
        try expect(
          receipt.position ?? found.position, is: found.position,
          "The receipt's position, compared with \(place)")
        try expect(receipt.time ?? found.time, is: found.time, "The receipt's time, compared with \(place)")
      }
    }
  }

  private static func positionsRise(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    var sent: [OutgoingMessage] = []
    for number in 0..<12 {
      let sender = number % 3 == 0 ? bob : alice
      let message = try sender.text(in: chat)
      try await sender.send(message)
      sent.append(message)
    }
    let messages = try await bob.catchUp().messages(in: chat)
    let positions = messages.compactMap(\.position?.rawValue)
    try expect(positions.count, is: messages.count, "The number of positions")
    try expect(zip(positions, positions.dropFirst()).allSatisfy(<), "The positions don't rise: \(positions).")
    try expect(messages.texts, is: sent.texts, "The order of messages sent one after the other")
    if alice.backend.capabilities.ordering == .dense {
      try expect(positions, is: Array(1...12), "The dense positions of the first twelve messages")
    }
  }

  private static func manyAtOnce(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let messages = try (0..<20).map { try ($0 % 2 == 0 ? alice : bob).text(in: chat) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, message) in messages.enumerated() {
        group.addTask(executorPreference: WorkQueue()) {
          try await (number % 2 == 0 ? alice : bob).send(message)
        }
      }
      try await group.waitForAll()
    }
    let stored = try await bob.history(of: chat)
    for message in messages { _ = try stored.only(message, where: "the history") }
    try expect(stored.count, is: 20, "The number of messages")
  }

  private static func toUnknown(_ stage: Stage) async throws {
    let (alice, _, _) = try await stage.pair()
    let nowhere = ConversationRef(rawValue: stage.word("nowhere"))
    let message = try alice.text(in: nowhere)
    let error = try await stage.error(of: "A send to an unknown conversation") {
      try await alice.send(message)
    }
    try expect(error.code, is: .permanent, "The code of the refusal")
    try expect(!error.outcomeIsUnknown, "A refusal states that the outcome is unknown.")
  }
}
