import Foundation
import SkeinModel
import SkeinTransport
import Synchronization
import Testing

@testable import SkeinMatrix

@Suite("Threads of a Matrix backend")
struct ThreadTests {
  private static let room = ConversationRef(rawValue: TestHomeserver.room)

  private static func backend(_ homeserver: TestHomeserver) -> MatrixBackend {
    MatrixBackend(.alice, options: MatrixOptions(), transport: homeserver, polling: homeserver)
  }

  /// Adds a message of a thread, which names a message as the one it replies to.
  private static func append(
    in thread: String, naming message: String?, isFallback: Bool?, to homeserver: TestHomeserver
  ) -> String {
    var relation: JSONValue = ["rel_type": "m.thread", "event_id": .string(thread)]
    relation["m.in_reply_to"] = message.map { ["event_id": .string($0)] }
    relation["is_falling_back"] = isFallback.map { .bool($0) }
    return homeserver.append(
      ["msgtype": "m.text", "body": "in the thread", "m.relates_to": relation], type: "m.room.message",
      sender: TestHomeserver.bob)
  }

  private static func messages(_ homeserver: TestHomeserver) async throws -> [IncomingMessage] {
    try await backend(homeserver).sync(since: nil, limit: 50).conversations.flatMap(\.messages)
  }

  @Test(
    "A message of a thread is listed in order, with a quote only if it really replies",
    arguments: [(true, false), (false, true), (nil, true)] as [(Bool?, Bool)])
  func received(isFallback: Bool?, hasQuote: Bool) async throws {
    let homeserver = TestHomeserver()
    let (root, other) = (homeserver.post("root"), homeserver.post("other"))
    let message = Self.append(in: root, naming: other, isFallback: isFallback, to: homeserver)
    let found = try await Self.messages(homeserver)
    #expect(found.compactMap(\.serverID?.rawValue) == [root, other, message])
    #expect(found.last?.quote?.message.serverID?.rawValue == (hasQuote ? other : nil))
  }

  /// The relation of the message that Alice sends in reply to another one.
  private static func relation(
    of backend: MatrixBackend, replyingTo message: String, on homeserver: TestHomeserver
  ) async throws -> JSONValue? {
    let reply = MessageReference(
      sender: UserID(rawValue: TestHomeserver.bob), messageID: nil,
      serverID: ServerMessageID(rawValue: message))
    let receipt = try await backend.send(
      OutgoingMessage(
        id: MessageID(rawValue: "reply"), conversation: room, kind: TextContent.kind,
        payload: KindRegistry.encode(TextContent("yes")), replyTo: reply))
    return try await backend.event(#require(receipt.serverID), in: room)?.content["m.relates_to"]
  }

  @Test(
    "A reply to a message of a thread is sent to that thread, whether the message was received before or not",
    arguments: [true, false])
  func sent(isReceived: Bool) async throws {
    let homeserver = TestHomeserver()
    let root = homeserver.post("root")
    let message = Self.append(in: root, naming: root, isFallback: true, to: homeserver)
    let backend = Self.backend(homeserver)
    if isReceived { _ = try await backend.sync(since: nil, limit: 50) }
    let requests = homeserver.requests(.event)
    let relation = try await Self.relation(of: backend, replyingTo: message, on: homeserver)
    let expected: JSONValue = [
      "rel_type": "m.thread", "event_id": .string(root), "is_falling_back": false,
      "m.in_reply_to": ["event_id": .string(message)],
    ]
    #expect(relation == expected)
    // The last request is that of the test.
    #expect(homeserver.requests(.event) - requests == (isReceived ? 1 : 2))
  }

  @Test("A reply to any other message is in no thread, even to the first message of one")
  func outside() async throws {
    let homeserver = TestHomeserver()
    let root = homeserver.post("root")
    _ = Self.append(in: root, naming: root, isFallback: true, to: homeserver)
    let relation = try await Self.relation(of: Self.backend(homeserver), replyingTo: root, on: homeserver)
    #expect(relation == ["m.in_reply_to": ["event_id": .string(root)]])
  }

  @Test("Receipts for the room and for its main thread count, those for another thread do not")
  func receipts() throws {
    let json = #"""
      {"ephemeral":{"events":[
        {"type":"m.receipt","content":{
          "$1":{"m.read":{"@a:a":{"ts":1},"@b:a":{"ts":2,"thread_id":"main"},"@c:a":{"ts":3,"thread_id":"$0"}}}}},
        {"type":"m.receipt","content":{
          "$1":{"m.read":{"@d:a":{"ts":4}},"m.read.private":{"@a:a":{"ts":5,"thread_id":"$0"}}}}}
      ]}}
      """#
    let receipts = try JoinedRoom(MatrixAnswer(Array(json.utf8), to: "GET v3/sync")).receipts
    #expect(receipts.map(\.user) == ["@a:a", "@b:a", "@d:a"])
    #expect(receipts.map(\.type) == ["m.read", "m.read", "m.read"])
  }
}
