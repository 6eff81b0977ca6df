import SkeinServer
import SkeinSockets
import SkeinWire
import Testing

@Suite("Messages over the socket")
struct SendTests {
  private func frame(
    _ id: String, _ content: String = "{}", kind: String = "text", to conversation: Wire.ConversationID
  ) -> Wire.SendFrame {
    Wire.SendFrame(
      Wire.MessageRequest(id: Wire.MessageID(rawValue: id), kind: kind, content: content), to: conversation)
  }

  @Test("An ACK with id and position follows the commit, and the other member is poked")
  func ack() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let socket = try await ann.greeted(), other = try await bo.greeted()
      try await socket.send(frame("m1", "{\"text\":\"é\"}", to: id))
      let ack = try await socket.ack()
      #expect(ack.sent == Wire.SentMessage(conversation: id, id: "m1"))
      #expect(ack.position == 1 && ack.time == server.clock.now)
      // Read over another connection right after the ACK.
      let stored = try await bo.history(id).messages
      #expect(stored.map(\.content) == ["{\"text\":\"é\"}"])
      #expect(stored.map(\.serverID) == [ack.serverID])
      #expect(try await other.frame()?.type == .poke)
      await socket.close()
      await other.close()
    }
  }

  @Test("A message sent twice over the socket, or also posted by HTTP, is stored once and has one receipt")
  func twice() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      let socket = try await ann.greeted()
      for _ in 1...2 { try await socket.send(frame("m1", "1", to: id)) }
      let first = try await socket.ack()
      #expect(try await socket.ack() == first)
      #expect(try await ann.message("m1", "1", to: id).expect(200).decoded() == first.receipt)
      let posted: Wire.MessageReceipt = try await ann.message("m2", "2", to: id).expect(201).decoded()
      try await socket.send(frame("m2", "2", to: id))
      #expect(try await socket.ack().receipt == posted)
      #expect(try await ann.history(id).messages.map(\.content) == ["1", "2"])
      await socket.close()
    }
  }

  @Test("Messages sent without waiting for ACKs are stored in the order of sending, each with its own ACK")
  func order() async throws {
    try await TestServer.run({ $0.limits.socketSends = 8 }) { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      let socket = try await ann.greeted()
      for number in 1...100 { try await socket.send(frame("\(number)", to: id)) }
      var positions: [String: Int64] = [:]
      for _ in 1...100 {
        let ack = try await socket.ack()
        positions[ack.id.rawValue] = ack.position
      }
      for number in 1...100 { #expect(positions["\(number)"] == Int64(number)) }
      await socket.close()
    }
  }

  @Test("A refusal over the socket has an HTTP status and an error code, and the socket stays open")
  func refusals() async throws {
    try await TestServer.run({ $0.limits.content = 100 }) { server in
      let ann = try await server.user("ann"), eve = try await server.user("eve")
      let id = try await ann.group("g").id
      try await ann.message("taken", "1", to: id).expect(201)
      let socket = try await ann.greeted(), stranger = try await eve.greeted()
      let long = "\"" + String(repeating: "x", count: 100) + "\""
      for (frame, status, code) in [
        (frame("taken", "2", to: id), 409, Wire.ErrorCode.idInUse), (frame("m", "{", to: id), 400, .badJSON),
        (frame("", to: id), 400, .badRequest), (frame("m", kind: "", to: id), 400, .badRequest),
        (frame("m", long, to: id), 413, .tooLarge), (frame("m", to: "nowhere"), 404, .notFound),
      ] {
        try await socket.send(frame)
        let refusal = try await socket.refusal()
        #expect(refusal.sent == Wire.SentMessage(conversation: frame.conversation, id: frame.id))
        #expect(refusal.status == status && refusal.error.code == code)
        #expect(refusal.message?.content == (status == 409 ? "1" : nil))
      }
      try await stranger.send(frame("m", to: id))
      #expect(try await stranger.refusal().error.code == .notFound)
      try await socket.send(frame("m", to: id))
      #expect(try await socket.ack().position == 2)
      await socket.close()
      await stranger.close()
    }
  }

  @Test("A malformed frame is refused or ignored, and the next one is handled")
  func hostile() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try await ann.group("g").id
      let socket = try await ann.greeted()
      let refused = [
        #"{"type":"send"}"#, #"{"type":"send","id":7,"conversation":[]}"#,
        #"{"type":"send","id":"m","conversation":"\#(id)","kind":"text"}"#,
        #"{"type":"send","id":"m","conversation":"\#(id)","kind":"text","content":{}}"#,
      ]
      for text in refused {
        try await socket.send(WebSocketMessage(text: text))
        #expect(try await socket.refusal().error.code == .badJSON)
      }
      let skipped = [
        "", "{", "null", "[]", #"{"type":7}"#, #"{"type":"ack","id":"m"}"#, #"{"type":"hello"}"#,
        String(repeating: "[", count: 100_000),
      ]
      for text in skipped { try await socket.send(WebSocketMessage(text: text)) }
      try await socket.send(WebSocketMessage(binary: try Wire.encode(frame("binary", to: id))))
      try await socket.send(frame("m", to: id))
      #expect(try await socket.ack().position == 1)
      await socket.close()
    }
  }

  @Test("If the sender disconnects before the ACK, posting the message again finds it already stored")
  func leaving() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let socket = try await ann.greeted(), other = try await bo.greeted()
      try await socket.send(frame("m1", to: id))
      await socket.close()
      #expect(try await other.frame()?.type == .poke)
      try await ann.message("m1", to: id).expect(200)
      #expect(try await ann.history(id).messages.count == 1)
      await other.close()
    }
  }

  @Test("A client that reads no answers delays no other")
  func slow() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let slow = try await ann.greeted(), quick = try await bo.greeted()
      for _ in 0..<1000 { try await slow.send(frame("m", to: id)) }
      try await quick.send(frame("q", to: id))
      #expect(try await quick.ack().id == "q")
      await slow.close()
      await quick.close()
    }
  }
}

extension TestClient {
  /// The push channel after its hello.
  func greeted() async throws -> any WebSocketConnection {
    let socket = try await socket()
    #expect(try await socket.frame()?.sends == true)
    return socket
  }
}

extension WebSocketConnection {
  fileprivate func send(_ frame: Wire.SendFrame) async throws {
    try await send(WebSocketMessage(text: String(decoding: try Wire.encode(frame), as: UTF8.self)))
  }

  /// The next frame other than a poke or presence.
  private func answer() async throws -> [UInt8] {
    while let message = try await news() {
      if try Wire.decode(Wire.SocketFrame.self, from: message.bytes).type != .poke { return message.bytes }
    }
    throw SocketError(.closed, "The server closed the socket.")
  }

  fileprivate func ack() async throws -> Wire.AckFrame {
    let frame = try Wire.decode(Wire.AckFrame.self, from: try await answer())
    try #require(frame.type == .ack)
    return frame
  }

  fileprivate func refusal() async throws -> Wire.RefusedFrame {
    let frame = try Wire.decode(Wire.RefusedFrame.self, from: try await answer())
    try #require(frame.type == .refused)
    return frame
  }
}
