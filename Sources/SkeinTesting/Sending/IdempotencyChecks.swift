import SkeinModel

extension BackendCheck {
  static func sentTwice(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let message = try alice.text(in: chat)
    let first = try await alice.send(message)
    try await alice.send(1, in: chat)
    try expect(try await alice.send(message), is: first, "The second receipt")
    let stored = try await bob.history(of: chat)
    _ = try stored.only(message, where: "the history")
    try expect(stored.count, is: 2, "The number of messages")
  }

  static func otherContent(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let message = try alice.text(in: chat)
    let first = try await alice.send(message)
    let other = try alice.text(in: chat, id: message.id)
    do {
      let receipt = try await alice.send(other)
      try expect(receipt, is: first, "The receipt of other content under the same id")
    } catch let error as BackendError {
      try expect(error.code, is: .idInUse, "The code of the refusal")
      try expect(error.stored?.payload, is: message.payload, "The content in the refusal")
      try expect(error.stored?.sender, is: alice.user, "The sender in the refusal")
    }
    let stored = try await bob.history(of: chat)
    try expect(stored.texts, is: [message].texts, "The stored messages")
  }

  static func otherCountable(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let text = TextContent(stage.word("text"))
    let message = try alice.message(in: chat, text)
    let first = try await alice.send(message)
    let again = try alice.message(in: chat, text, id: message.id, isCountable: false)
    try expect(try await alice.send(again), is: first, "The second receipt")
    try expect(try await bob.history(of: chat).count, is: 1, "The number of messages")
  }

  static func othersID(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let first = try alice.text(in: chat)
    let second = try bob.text(in: chat, id: first.id)
    try await alice.send(first)
    try await bob.send(second)
    let stored = try await alice.history(of: chat)
    try expect(Set(stored.texts), is: Set([first, second].texts), "The stored messages")
  }

  static func idElsewhere(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let group = try await alice.open(.group(id: stage.word("group"), title: "Elsewhere", members: [bob.user]))
      .ref
    let first = try alice.text(in: chat)
    let second = try alice.text(in: group, id: first.id)
    try await alice.send(first)
    try await alice.send(second)
    try expect(try await bob.history(of: chat).texts, is: [first].texts, "The messages of the first chat")
    try expect(try await bob.history(of: group).texts, is: [second].texts, "The messages of the second chat")
  }

  static func longIDs(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let start = "../?a=b&c#%2F+\"<é 火" + stage.word("id")
    let ids = ["1", "2"].map { end in
      MessageID(rawValue: start + String(repeating: "x", count: 127 - start.unicodeScalars.count) + end)
    }
    let messages = try ids.map { try alice.text(in: chat, id: $0) }
    for message in messages { try await alice.send(message) }
    for found in [try await alice.catchUp().messages(in: chat), try await bob.history(of: chat)] {
      for message in messages {
        let id = try found.only(message, where: "the answer").messageID
        try expect(id ?? message.id, is: message.id, "The message id")
      }
    }
  }

  static func answerLost(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let message = try alice.text(in: chat)
    try await stage.loseNextAnswer(to: alice.user, by: .cut)
    do {
      _ = try await stage.promptly("A send whose connection was cut") { try await alice.send(message) }
      _ = try await bob.history(of: chat).only(message, where: "the history")
    } catch let error as BackendError {
      try expect(
        error.outcomeIsUnknown,
        "The error of a send whose answer was lost does not state that the outcome is unknown.")
      try expect(
        [.transient, .unreachable].contains(error.code),
        "A send whose answer was lost failed with \(error.code.rawValue), which is no temporary failure.")
    }
  }

  static func answerLostAndSentAgain(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let message = try alice.text(in: chat)
    try await stage.loseNextAnswer(to: alice.user, by: .cut)
    do { try await alice.send(message) } catch is BackendError {}
    let receipt = try await alice.send(message)
    let stored = try await bob.history(of: chat)
    let found = try stored.only(message, where: "the history")
    try expect(receipt.serverID ?? found.serverID, is: found.serverID, "The receipt's server id")
    try expect(stored.count, is: 1, "The number of messages")
  }

  static func cancelled(_ stage: Stage) async throws {
    let (alice, bob, chat) = try await stage.pair()
    let message = try alice.text(in: chat)
    let cursor = try await bob.catchUp().cursor
    let listener = try await stage.listen(bob, since: cursor)
    try await stage.loseNextAnswer(to: alice.user, by: .silence)
    let send = Task(executorPreference: WorkQueue()) { _ = try? await alice.send(message) }
    // Once Bob has the message, Alice waits only for the answer.
    _ = try await listener.announces(message.payload, in: chat, since: cursor)
    try await stage.cancel(send, "A send whose answer was lost")
  }
}
