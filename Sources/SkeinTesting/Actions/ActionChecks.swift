#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel

extension BackendCheck {
  /// Edits, recalls, reactions, pins and stars.
  static let actions: [BackendCheck] = [
    BackendCheck(
      .actions, "An edited message has its new content in history and, by sync, on all devices",
      needs: [.edits], editReaches),
    BackendCheck(
      .actions, "An action that is repeated under its id is applied once", needs: [.edits],
      actionIsAppliedOnce),
    BackendCheck(
      .actions, "Actions raise a message's revision and change neither its position nor its ids",
      needs: [.edits], revisionRises),
    BackendCheck(
      .actions, "Editing or recalling another user's message is refused permanently",
      needs: [.edits, .recalls], othersMessageIsKept),
    BackendCheck(
      .actions, "An action on a message that does not exist is refused permanently", needs: [.edits],
      unknownMessage),
    BackendCheck(
      .actions,
      "A recalled message names the user who recalled it, has no content, and can't be edited",
      needs: [.recalls, .edits], recallIsFinal),
    BackendCheck(
      .actions, "Reactions are a set of users for each key, the same for every member", needs: [.reactions],
      reactionsAreASet),
    BackendCheck(
      .actions, "A pinned message has the time of its pin, also in a first sync, until it is unpinned",
      needs: [.pins], pinsAreReturned),
    BackendCheck(
      .actions,
      "A starred message has the time of its star on all devices of the user, also in a first sync, until the star is removed",
      needs: [.stars], starsAreReturned),
    BackendCheck(
      .actions, "A star of one user is not visible to other users", needs: [.stars], starsArePrivate),
  ]

  /// Sends a message from Alice to Bob. Returns the message as Bob receives it, and the cursor of Bob's next sync.
  private static func sent(_ stage: Stage) async throws -> (
    alice: Device, bob: Device, chat: ConversationRef, message: IncomingMessage, cursor: SyncCursor
  ) {
    let (alice, bob, chat) = try await stage.pair()
    let text = try alice.text(in: chat)
    try await alice.send(text)
    let caught = try await bob.catchUp()
    return (alice, bob, chat, try caught.messages(in: chat).only(text, where: "the sync"), caught.cursor)
  }

  private static func edit(_ device: Device, _ word: String) throws -> MessageAction {
    .edit(TextContent.kind, payload: try JSONEncoder().encode(TextContent(device.stage.word(word))))
  }

  private static func editReaches(_ stage: Stage) async throws {
    let (alice, bob, chat, message, cursor) = try await sent(stage)
    let tablet = try await stage.device(of: alice.user)
    let edit = try edit(alice, "edited")
    guard case .edit(_, let payload) = edit else { return }
    if let answer = try await alice.perform(message, in: chat, edit) {
      try expect([answer].texts, is: [String(decoding: payload, as: UTF8.self)], "The answer to the edit")
    }
    let caught = try await bob.catchUp(since: cursor)
    try expect(
      caught.revised(in: chat).map(\.serverID), is: [message.serverID], "The revised messages of the sync")
    try expect(caught.messages(in: chat).count, is: 0, "The number of new messages after an edit")
    for messages in [
      caught.revised(in: chat), try await tablet.catchUp().messages(in: chat),
      try await bob.history(of: chat),
    ] {
      try expect(messages.map(\.payload), is: [payload], "The content of an edited message")
      try expect(
        messages.allSatisfy { $0.edited != nil }, "An edited message has no time of its edit.")
    }
  }

  private static func actionIsAppliedOnce(_ stage: Stage) async throws {
    let (alice, bob, chat, message, cursor) = try await sent(stage)
    let tablet = try await stage.device(of: alice.user)
    let first = ActionID(rawValue: stage.word("action"))
    let (one, two) = (try edit(alice, "one"), try edit(alice, "two"))
    try await alice.perform(message, in: chat, one, as: first)
    try await tablet.perform(message, in: chat, two)
    let again = try await alice.perform(message, in: chat, one, as: first)
    guard case .edit(_, let payload) = two else { return }
    try expect(again?.payload ?? payload, is: payload, "The answer to the repeated edit")
    try expect(
      try await bob.catchUp(since: cursor).revised(in: chat).map(\.payload), is: [payload],
      "The message after two edits, of which the first was repeated")
  }

  private static func revisionRises(_ stage: Stage) async throws {
    let (alice, bob, chat, message, _) = try await sent(stage)
    var counts = [message.revision]
    for word in ["one", "two"] {
      try await alice.perform(message, in: chat, try edit(alice, word))
      let stored = try await bob.history(of: chat)
      try expect(stored.map(\.serverID), is: [message.serverID], "The server's id of a revised message")
      try expect(stored.map(\.messageID), is: [message.messageID], "The sender's id of a revised message")
      try expect(stored.map(\.position), is: [message.position], "The position of a revised message")
      try expect(stored.map(\.time), is: [message.time], "The time of a revised message")
      counts += stored.map(\.revision)
    }
    guard counts.contains(where: { $0 > 0 }) else {
      throw CheckEnd.skipped("The server counts no revisions.")
    }
    try expect(
      zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 },
      "The revision does not rise with each action: \(counts).")
  }

  private static func othersMessageIsKept(_ stage: Stage) async throws {
    let (_, bob, chat, message, _) = try await sent(stage)
    for revision in [try edit(bob, "mine"), .recall] {
      let error = try await stage.error(of: "An action on another user's message") {
        try await bob.perform(message, in: chat, revision)
      }
      try expect(error.code, is: .permanent, "The code of the refusal")
    }
    try expect(try await bob.history(of: chat).map(\.payload), is: [message.payload], "The message")
  }

  private static func unknownMessage(_ stage: Stage) async throws {
    let (alice, bob, chat, message, _) = try await sent(stage)
    var missing = message
    missing.messageID = message.messageID.map { _ in MessageID(rawValue: stage.word("id")) }
    missing.serverID = message.serverID.map { ServerMessageID(rawValue: "\($0.rawValue)0000000") }
    let error = try await stage.error(of: "An edit of a message that does not exist") {
      try await alice.perform(missing, in: chat, try edit(alice, "edited"))
    }
    try expect(error.code, is: .permanent, "The code of the refusal")
    try expect(try await bob.history(of: chat).map(\.payload), is: [message.payload], "The message")
  }

  private static func recallIsFinal(_ stage: Stage) async throws {
    let (alice, bob, chat, message, cursor) = try await sent(stage)
    try await alice.perform(message, in: chat, .recall)
    let error = try await stage.error(of: "An edit of a recalled message") {
      try await alice.perform(message, in: chat, try edit(alice, "again"))
    }
    try expect(error.code, is: .permanent, "The code of the refusal")
    for messages in [try await bob.catchUp(since: cursor).revised(in: chat), try await bob.history(of: chat)]
    {
      try expect(messages.map(\.kind), is: [RecalledContent.kind], "The kind of a recalled message")
      let content = messages.first.flatMap {
        try? JSONDecoder().decode(RecalledContent.self, from: $0.payload)
      }
      try expect(content?.by, is: alice.user, "The user who recalled the message")
    }
  }

  private static func pinsAreReturned(_ stage: Stage) async throws {
    let (alice, bob, chat, message, cursor) = try await sent(stage)
    // With these later messages, a first sync with a limit does not return the message as a new message.
    for _ in 1...3 { try await alice.send(try alice.text(in: chat)) }
    let alices = try await alice.catchUp().cursor
    try await bob.perform(message, in: chat, .flag(.pin, isSet: true))
    let caught = try await alice.catchUp(since: alices)
    let tablet = try await stage.device(of: alice.user)
    let first = try await tablet.catchUp(limit: 1)
    for messages in [
      caught.revised(in: chat), first.revised(in: chat), try await alice.history(of: chat),
    ] {
      let pinned = messages.filter { $0.flags[.pin] != nil }.map(\.serverID)
      try expect(pinned, is: [message.serverID], "The pinned messages")
    }
    try await alice.perform(message, in: chat, .flag(.pin, isSet: false))
    let after = try await bob.catchUp(since: cursor)
    try expect(
      after.revised(in: chat).map { $0.flags[.pin] }, is: [nil], "The pin of an unpinned message")
    let unpinned = try await stage.device(of: alice.user).catchUp(limit: 1).revised(in: chat)
    try expect(
      unpinned.map(\.serverID), is: [], "The pinned messages of a first sync, once nothing is pinned")
  }

  private static func starsAreReturned(_ stage: Stage) async throws {
    let (alice, bob, chat, message, cursor) = try await sent(stage)
    // With these later messages, a first sync with a limit does not return the message as a new message.
    for _ in 1...3 { try await alice.send(try alice.text(in: chat)) }
    let tablet = try await stage.device(of: bob.user)
    if let answer = try await bob.perform(message, in: chat, .flag(.star, isSet: true)) {
      try expect(answer.flags[.star] != nil, "The answer to a star has no star.")
    }
    let caught = try await tablet.catchUp(since: cursor)
    let first = try await tablet.catchUp(limit: 1)
    // The check accepts the starred message of a sync since the cursor as a new or as a revised message.
    for messages in [
      caught.messages(in: chat) + caught.revised(in: chat), first.revised(in: chat),
      try await bob.history(of: chat),
    ] {
      let starred = messages.filter { $0.flags[.star] != nil }.map(\.serverID)
      try expect(starred, is: [message.serverID], "The starred messages")
    }
    try await tablet.perform(message, in: chat, .flag(.star, isSet: false))
    let after = try await bob.catchUp(since: caught.cursor)
    try expect(
      after.revised(in: chat).map { $0.flags[.star] }, is: [nil], "The star of a message without a star")
    let unstarred = try await stage.device(of: bob.user).catchUp(limit: 1).revised(in: chat)
    try expect(
      unstarred.map(\.serverID), is: [], "The starred messages of a first sync, once there is no star")
  }

  private static func starsArePrivate(_ stage: Stage) async throws {
    let (alice, bob, chat, message, cursor) = try await sent(stage)
    let alices = try await alice.catchUp().cursor
    try await bob.perform(message, in: chat, .flag(.star, isSet: true))
    try expect(
      try await bob.history(of: chat).map { $0.flags[.star] != nil }, is: [true], "The star of the message")
    let caught = try await alice.catchUp(since: alices)
    try expect(
      caught.revised(in: chat).map(\.serverID), is: [], "The messages revised by a star of another user")
    try expect(
      try await alice.history(of: chat).filter { $0.flags[.star] != nil }.map(\.serverID), is: [],
      "The messages that another user has starred")
    // The star and the edit both revise the message. Bob must see both.
    let edit = try edit(alice, "edited")
    try await alice.perform(message, in: chat, edit)
    guard case .edit(_, let payload) = edit else { return }
    for messages in [try await bob.catchUp(since: cursor).revised(in: chat), try await bob.history(of: chat)]
    {
      try expect(
        messages.map(\.payload), is: [payload], "The content of a message that was starred, then edited")
      try expect(messages.allSatisfy { $0.flags[.star] != nil }, "The star of an edited message is gone.")
    }
  }

  private static func reactionsAreASet(_ stage: Stage) async throws {
    let (alice, bob, chat, message, cursor) = try await sent(stage)
    func react(_ device: Device, _ key: ReactionKey, _ isSet: Bool) async throws {
      try await device.perform(message, in: chat, .reaction(key, isSet: isSet))
    }
    for _ in 1...2 { try await react(alice, "👍", true) }
    try await react(bob, "👍", true)
    try await react(bob, "🎉", true)
    let both = try await bob.catchUp(since: cursor)
    func users(_ messages: [IncomingMessage]) -> [ReactionKey: Set<UserID>] {
      Dictionary((messages.last?.reactions ?? []).map { ($0.key, Set($0.users)) }) { $1 }
    }
    try expect(
      users(both.revised(in: chat)), is: ["👍": [alice.user, bob.user], "🎉": [bob.user]], "The reactions")
    try await react(bob, "👍", false)
    try await react(bob, "🎉", false)
    for messages in [
      try await bob.catchUp(since: both.cursor).revised(in: chat), try await alice.history(of: chat),
    ] {
      try expect(users(messages), is: ["👍": [alice.user]], "The remaining reactions")
      try expect(
        messages.last?.reactions?.map(\.count) ?? [], is: [1], "The counts of the remaining reactions")
    }
  }
}
