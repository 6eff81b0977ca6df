import Foundation
import Skein
import SkeinMatrix
import SkeinModel
import Testing

/// A one-to-one chat of Skein with a client that others wrote.
struct SharedChat: Sendable {
  let device: MatrixDevice
  let nio: OtherClient
  let room: ConversationRef
  let context: ChatContext

  /// Opens the chat on a new device, and runs `body`.
  static func run(on address: URL, _ body: (SharedChat) async throws -> Void) async throws {
    let server = try SynapseServer(address)
    let (alice, bob) = (try await server.makeUser(), try await server.makeUser())
    let device = try await MatrixDevice("alice", of: alice, on: address)
    let chat = try await device.client.open(.direct(bob))
    let room = try #require(try await device.client.conversation { $0.id == chat && $0.ref != nil }.ref)
    try await OtherClient.run(bob, on: address) { nio in
      try await nio.join(room)
      try await body(
        SharedChat(device: device, nio: nio, room: room, context: try await device.context(of: room)))
    }
    await device.close()
  }

  /// The message with a server id, once it satisfies a condition.
  func message(_ id: ServerMessageID, where condition: (ChatMessage) -> Bool = { _ in true }) async throws
    -> ChatMessage
  {
    let messages = try await context.messages { $0.contains { $0.serverID == id && condition($0) } }
    return try #require(messages.first { $0.serverID == id })
  }

  /// Sends a content, and returns the message once the server has it.
  func send(_ content: some MessageContent) async throws -> ChatMessage {
    try await context.messenger.send(content).result
  }

  /// Compares both histories event by event: each message of the list with its events as the other client has them.
  func compareHistories() async throws {
    let events = try await nio.history(of: room)
    let messages = context.messages.compactMap(\.message)
    let theirs = events.filter { $0.event == "m.room.message" && $0.edits == nil }
    #expect(messages.map(\.serverID?.rawValue) == theirs.map(\.id))
    for (message, event) in zip(messages, theirs) {
      let edits = events.filter { $0.edits == event.id }
      let redacted = Set(events.compactMap(\.redacts))
      let reactions = events.filter { $0.reacts == event.id && !redacted.contains($0.id) }
        .map { "\($0.key ?? "") \($0.sender)" }
      #expect(message.sender.rawValue == event.sender)
      #expect(Self.kinds[event.type]?.contains(message.kind.rawValue) == true, "\(event)")
      #expect(message.quote?.message.serverID?.rawValue == event.replies)
      #expect(ServerHistory.Entry(message).reactions == reactions.sorted())
      guard message.content.as(TextContent.self) != nil else { continue }
      #expect((message.edited != nil) == !edits.isEmpty)
      let text = edits.last?.text ?? event.body ?? ""
      #expect(message.content.displayedText == (event.kind == "m.emote" ? "* \(text)" : text))
    }
  }

  /// The kinds that may have the classes of the other client's messages.
  private static let kinds: [String: Set<String>] = [
    "RoomMessageText": ["text"], "RoomMessageNotice": ["text"], "RoomMessageEmote": ["text"],
    "RoomMessageImage": ["image"], "RoomMessageVideo": ["video"], "RoomMessageAudio": ["audio"],
    "RoomMessageFile": ["file"], "RoomMessageUnknown": ["location"], "RedactedEvent": ["recalled"],
  ]
}
