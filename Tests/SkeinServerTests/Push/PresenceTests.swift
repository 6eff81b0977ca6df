import SkeinServer
import SkeinSockets
import SkeinWire
import Testing

@Suite("Presence over the socket")
struct PresenceTests {
  @Test(
    "Members of a conversation see another member connect and disconnect, and when that member was last seen")
  func comingAndGoing() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      _ = try await ann.direct("bo")
      let anns = try await ann.greeted()
      let bos = try await bo.greeted()
      #expect(try await bos.presence() == Wire.PresenceFrame(user: "ann", isOnline: true))
      #expect(try await anns.presence() == Wire.PresenceFrame(user: "bo", isOnline: true))
      await bos.close(code: .normal, reason: "")
      let gone = Wire.PresenceFrame(user: "bo", isOnline: false, lastSeen: server.clock.now)
      // Ann may be told twice that bo is online: when bo connects, and when bo's presence is then shared.
      var next = try await anns.presence()
      while next.isOnline { next = try await anns.presence() }
      #expect(next == gone)
    }
  }

  @Test("A new conversation shows its connected members to each other")
  func newConversation() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let anns = try await ann.greeted(), bos = try await bo.greeted()
      _ = try await ann.group("g", ["bo"])
      #expect(try await anns.presence() == Wire.PresenceFrame(user: "bo", isOnline: true))
      #expect(try await bos.presence() == Wire.PresenceFrame(user: "ann", isOnline: true))
    }
  }

  @Test("The members of a large group do not receive each other's presence")
  func largeGroup() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let cy = try await server.user("cy")
      let others = ["bo"] + (1...99).map { Wire.UserID(rawValue: "m\($0)") }
      for other in others.dropFirst() { _ = try await server.user(other) }
      _ = try await ann.group("large", others)
      _ = try await ann.direct("cy")
      let bos = try await bo.greeted(), anns = try await ann.greeted()
      _ = try await bo.group("new", ["ann"] + others.dropFirst())
      let cys = try await cy.greeted()
      // If ann and bo received each other's presence, they would have received it before this.
      #expect(try await anns.presence().user == "cy")
      #expect(try await cys.presence().user == "ann")
      await bos.close(code: .normal, reason: "")
    }
  }

  @Test("After a contact is removed, neither user sees the other's presence, not even in a new conversation")
  func removed() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let cy = try await server.user("cy")
      _ = try await ann.direct("bo")
      try await ann.send("DELETE", "contacts/bo").expect(204)
      let anns = try await ann.greeted(), bos = try await bo.greeted()
      _ = try await bo.group("g", ["ann", "cy"])
      let cys = try await cy.greeted()
      for _ in 1...2 { _ = try await cys.presence() }
      // If ann and bo received each other's presence, they would have received it before this.
      #expect(try await anns.presence().user == "cy")
      #expect(try await bos.presence().user == "cy")
    }
  }
}

extension WebSocketConnection {
  /// The next presence frame.
  fileprivate func presence() async throws -> Wire.PresenceFrame {
    while let message = try await receive() {
      let frame = try Wire.decode(Wire.SocketFrame.self, from: message.bytes)
      if frame.type == .presence { return try Wire.decode(Wire.PresenceFrame.self, from: message.bytes) }
    }
    throw SocketError(.closed, "The server closed the socket.")
  }
}
