#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinModel

extension BackendCheck {
  /// Replies.
  static let replies: [BackendCheck] = [
    BackendCheck(
      .replies,
      "A reply is returned with the ids of the message that it replies to, and other messages without any",
      needs: [.replies], replyNamesItsMessage),
    BackendCheck(
      .replies, "The quoted content of a reply, if returned, is the current content of its message",
      needs: [.replies, .edits], quoteIsOfNow),
    BackendCheck(
      .replies, "The content of a recalled message is not returned with the replies to it",
      needs: [.replies, .recalls], quoteOfRecalledIsEmpty),
    BackendCheck(
      .replies, "A recalled reply names no message that it replies to", needs: [.replies, .recalls],
      recalledReply),
  ]

  /// Sends a message from Alice, and a reply from Bob. Returns the message from a sync, and the reply from
  /// the history.
  private static func replied(_ stage: Stage) async throws -> (
    alice: Device, bob: Device, chat: ConversationRef, message: IncomingMessage, reply: IncomingMessage
  ) {
    let (alice, bob, chat) = try await stage.pair()
    let text = try alice.text(in: chat)
    try await alice.send(text)
    let message = try await bob.catchUp().messages(in: chat).only(text, where: "the sync")
    let reply = try bob.message(
      in: chat, TextContent(stage.word("reply")), replyTo: message.reference)
    try await bob.send(reply)
    let stored = try await bob.history(of: chat)
    return (alice, bob, chat, message, try stored.only(reply, where: "history"))
  }

  private static func replyNamesItsMessage(_ stage: Stage) async throws {
    let (alice, bob, chat, _, _) = try await replied(stage)
    for device in [alice, bob, try await stage.device(of: alice.user)] {
      for messages in [try await device.catchUp().messages(in: chat), try await device.history(of: chat)] {
        let replies = messages.filter { $0.quote != nil }
        try expect(replies.map(\.sender), is: [bob.user], "The senders of replies")
        guard let name = replies.first?.quote?.message,
          let message = messages.first(where: { $0.sender == alice.user })
        else { throw CheckEnd.failed("The reply is returned without its quote.") }
        try expect(name.sender, is: message.sender, "The sender of the message replied to")
        try expect(
          name.serverID != nil || name.messageID != nil, "The quote contains no id.")
        if let id = name.serverID { try expect(id, is: message.serverID, "The server's id of the quote") }
        if let id = name.messageID { try expect(id, is: message.messageID, "The sender's id of the quote") }
      }
    }
  }

  private static func quoteIsOfNow(_ stage: Stage) async throws {
    let (alice, bob, chat, message, reply) = try await replied(stage)
    if let payload = reply.quote?.payload {
      try expect(payload, is: message.payload, "The quote of a reply")
    }
    let edited = try JSONEncoder().encode(TextContent(stage.word("edited")))
    try await alice.perform(message, in: chat, .edit(TextContent.kind, payload: edited))
    let quotes = try await bob.history(of: chat).compactMap(\.quote)
    try expect(quotes.count, is: 1, "The number of replies after an edit")
    if let payload = quotes.first?.payload {
      try expect(payload, is: edited, "The quote of an edited message")
    }
  }

  private static func quoteOfRecalledIsEmpty(_ stage: Stage) async throws {
    let (alice, bob, chat, message, _) = try await replied(stage)
    try await alice.perform(message, in: chat, .recall)
    let quotes = try await bob.history(of: chat).compactMap(\.quote)
    try expect(quotes.count, is: 1, "The number of replies after a recall")
    try expect(
      quotes.allSatisfy { $0.payload == nil || $0.kind == RecalledContent.kind },
      "The quote contains the content of a recalled message.")
  }

  private static func recalledReply(_ stage: Stage) async throws {
    let (_, bob, chat, _, reply) = try await replied(stage)
    try await bob.perform(reply, in: chat, .recall)
    try expect(
      try await bob.history(of: chat).compactMap(\.quote).count, is: 0, "The number of replies after a recall"
    )
  }
}
