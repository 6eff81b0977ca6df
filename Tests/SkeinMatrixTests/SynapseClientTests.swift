import Foundation
import SkeinMatrix
import SkeinModel
import Synchronization
import Testing

/// Rooms that are shared with other clients, on a real Synapse.
@Suite("A Matrix backend among other clients")
struct SynapseClientTests {
  /// Two users with a chat. Alice has a backend, and Bob another client.
  struct Pair: Sendable {
    /// Alice's id.
    let user: UserID
    let alice: any ChatBackend
    let bob: MatrixSession
    let chat: ConversationRef

    init(_ address: URL) async throws {
      let server = try SynapseServer(address)
      let (first, second) = (try await server.makeUser(), try await server.makeUser())
      user = first
      alice = try await server.makeBackend(for: first)
      bob = try await server.session(of: second)
      chat = try await alice.open(.direct(second)).ref
      try await TestRequest("POST", bob, "rooms", chat.rawValue, "join").send("{}")
    }

    /// Sends an event as Bob, and returns its id.
    func send(_ content: String, as type: String = "m.room.message") async throws -> String {
      try await TestRequest(
        "PUT", bob, "rooms", chat.rawValue, "send", type, UUID().uuidString
      ).send(content)
    }

    func message(_ text: String) -> OutgoingMessage {
      OutgoingMessage(
        id: MessageID(rawValue: UUID().uuidString), conversation: chat, kind: "text",
        payload: Data(#"{"text":"\#(text)"}"#.utf8))
    }

    func news(since cursor: SyncCursor, limit: Int = 100) async throws -> ConversationDelta? {
      try await alice.sync(since: cursor, limit: limit).conversations.first { $0.info.ref == chat }
    }
  }

  static let addresses = SynapseServer.address.map { [$0] } ?? []

  @Test("Edits, reactions and removed reactions of another client revise the message", arguments: addresses)
  func revisions(_ address: URL) async throws {
    let pair = try await Pair(address)
    let id = try await pair.send(#"{"msgtype":"m.text","body":"hello"}"#)
    var cursor = try await pair.alice.sync(since: nil, limit: 10).next
    let reaction = try await pair.send(
      #"{"m.relates_to":{"rel_type":"m.annotation","event_id":"\#(id)","key":"👍"}}"#, as: "m.reaction")
    var batch = try await pair.alice.sync(since: cursor, limit: 10)
    var message = try #require(batch.conversations.first?.revised.first)
    #expect(message.reactions == [Reaction("👍", users: [pair.bob.user])])
    cursor = batch.next

    try await TestRequest(
      "PUT", pair.bob, "rooms", pair.chat.rawValue, "redact", reaction, UUID().uuidString
    ).send("{}")
    batch = try await pair.alice.sync(since: cursor, limit: 10)
    let before = message.revision
    message = try #require(batch.conversations.first?.revised.first)
    #expect(message.serverID?.rawValue == id)
    #expect(message.reactions == [])
    #expect(message.revision > before)
    cursor = batch.next

    _ = try await pair.send(
      #"""
      {"msgtype":"m.text","body":"* bye","m.new_content":{"msgtype":"m.text","body":"bye"},
       "m.relates_to":{"rel_type":"m.replace","event_id":"\#(id)"}}
      """#)
    message = try #require(try await pair.news(since: cursor)?.revised.first)
    #expect(message.payload == Data(#"{"text":"bye"}"#.utf8))
  }

  @Test(
    "A one-to-one chat has both members and the other user's receipt, also on devices that have not opened it",
    arguments: addresses)
  func membersOfPair(_ address: URL) async throws {
    let pair = try await Pair(address)
    let id = try await pair.send(#"{"msgtype":"m.text","body":"hello"}"#)
    try await TestRequest("POST", pair.bob, "rooms", pair.chat.rawValue, "receipt", "m.read", id).send("{}")
    let other = try await SynapseServer(address).makeBackend(for: pair.user)
    let info = try #require(try await other.sync(since: nil, limit: 10).conversations.first?.info)
    #expect(info.type == .direct)
    #expect(info.members.map(Set.init) == [pair.user, pair.bob.user])
    let mark = MessageMark(serverID: ServerMessageID(rawValue: id))
    #expect(info.receipts == [MemberReceipt(user: pair.bob.user, delivered: nil, read: mark)])
  }

  @Test("A message that was edited during a long absence is revised, behind a gap", arguments: addresses)
  func editBehindGap(_ address: URL) async throws {
    let pair = try await Pair(address)
    let id = try await pair.send(#"{"msgtype":"m.text","body":"first"}"#)
    let cursor = try await pair.alice.sync(since: nil, limit: 10).next
    _ = try await pair.send(
      #"""
      {"msgtype":"m.text","body":"* new","m.new_content":{"msgtype":"m.text","body":"new"},
       "m.relates_to":{"rel_type":"m.replace","event_id":"\#(id)"}}
      """#)
    for number in 1...40 { _ = try await pair.send(#"{"msgtype":"m.text","body":"\#(number)"}"#) }
    let delta = try #require(try await pair.news(since: cursor, limit: 5))
    #expect(delta.count == nil)
    #expect(delta.messages.count == 5)
    #expect(delta.revised.map(\.serverID?.rawValue) == [id])
    #expect(delta.revised.map(\.payload) == [Data(#"{"text":"new"}"#.utf8)])
  }

  @Test("A long row of edits hides no older message", arguments: addresses)
  func rowOfEdits(_ address: URL) async throws {
    let pair = try await Pair(address)
    let id = try await pair.send(#"{"msgtype":"m.text","body":"first"}"#)
    for number in 1...12 {
      _ = try await pair.send(
        #"""
        {"msgtype":"m.text","body":"*","m.new_content":{"msgtype":"m.text","body":"\#(number)"},
         "m.relates_to":{"rel_type":"m.replace","event_id":"\#(id)"}}
        """#)
    }
    let page = try await pair.alice.history(of: pair.chat, at: .newest, limit: 2)
    #expect(page.messages.map(\.payload) == [Data(#"{"text":"12"}"#.utf8)])
  }

  @Test("A reply of another client names the message and its sender", arguments: addresses)
  func reply(_ address: URL) async throws {
    let pair = try await Pair(address)
    let message = pair.message("question")
    let receipt = try await pair.alice.send(message)
    let id = try #require(receipt.serverID)
    let cursor = try await pair.alice.sync(since: nil, limit: 10).next
    _ = try await pair.send(
      #"""
      {"msgtype":"m.text","body":"> <@a:b> question\n\nanswer",
       "m.relates_to":{"m.in_reply_to":{"event_id":"\#(id.rawValue)"}}}
      """#)
    let answer = try #require(try await pair.news(since: cursor)?.messages.first)
    #expect(answer.payload == Data(#"{"text":"answer"}"#.utf8))
    #expect(answer.quote?.message.messageID == message.id)
    #expect(answer.quote?.message.serverID == id)
  }

  @Test("Nothing is sent into a room that becomes encrypted", arguments: addresses)
  func encryption(_ address: URL) async throws {
    let pair = try await Pair(address)
    _ = try await pair.alice.send(pair.message("before"))
    try await TestRequest("PUT", pair.bob, "rooms", pair.chat.rawValue, "state", "m.room.encryption").send(
      #"{"algorithm":"m.megolm.v1.aes-sha2"}"#)
    _ = try await pair.send(#"{"algorithm":"m.megolm.v1.aes-sha2","ciphertext":"x"}"#, as: "m.room.encrypted")
    let batch = try await pair.alice.sync(since: nil, limit: 10)
    #expect(batch.conversations.first?.messages.map(\.kind) == ["text", "m.room.encrypted"])
    let error = await #expect(throws: BackendError.self) {
      try await pair.alice.send(pair.message("secret"))
    }
    #expect(error?.code == .permanent)
    #expect(try await pair.alice.history(of: pair.chat, at: .newest, limit: 10).messages.count == 2)
  }

  @Test("Long texts and special characters are returned byte for byte", arguments: addresses)
  func longTexts(_ address: URL) async throws {
    let pair = try await Pair(address)
    let texts = [
      String(repeating: "0123456789abcdef", count: 3500), "", "👩‍👩‍👧‍👦 e\u{301} é 吃火锅 \u{202E}", "\"\\/\u{8}\n\0",
      "\u{2028}\u{FEFF}\u{FFFD}\u{7F}",
    ]
    var sent: [Data] = []
    for text in texts {
      sent.append(try JSONEncoder().encode(TextContent(text)))
      let message = OutgoingMessage(
        id: MessageID(rawValue: UUID().uuidString), conversation: pair.chat, kind: TextContent.kind,
        payload: try #require(sent.last))
      _ = try await pair.alice.send(message)
    }
    let page = try await pair.alice.history(of: pair.chat, at: .newest, limit: 10)
    #expect(page.messages.map(\.payload) == sent)
  }

  @Test("A session is renewed more than once, and its device stays the same", arguments: addresses)
  func renewal(_ address: URL) async throws {
    let server = try SynapseServer(address)
    let session = try await server.session(of: try await server.makeUser())
    let sessions = Mutex<[MatrixSession]>([])
    let backend = MatrixBackend(session) { renewed in sessions.withLock { $0.append(renewed) } }
    for _ in 1...2 {
      try await backend.renewSession()
      _ = try await backend.sync(since: nil, limit: 1)
    }
    let renewed = sessions.withLock { $0 }
    #expect(renewed.map(\.device) == [session.device, session.device])
    #expect(Set(([session] + renewed).map(\.token)).count == 3)
    // The renewal has invalidated the first token and its refresh token.
    let error = await #expect(throws: BackendError.self) { try await MatrixBackend(session).renewSession() }
    #expect(error?.code == .unauthorized)
    try await MatrixAccounts(homeserver: address).signOut(try #require(renewed.last))
  }
}
