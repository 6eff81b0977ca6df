import SkeinServer
import SkeinSockets
import SkeinWire
import Testing

struct SocketTests {
  @Test("The socket sends a hello, then a poke for each change that concerns its user")
  func poke() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let socket = try await bo.socket()
      #expect(try await socket.frame() == Wire.SocketFrame(type: .hello, user: "bo", sends: true))
      let id = try await ann.direct("bo").id
      #expect(try await socket.frame() == Wire.SocketFrame(type: .poke))
      try await ann.messages(["1"], to: id)
      #expect(try await socket.frame() == Wire.SocketFrame(type: .poke))
      try await bo.post("conversations/\(id)/read", Wire.ReadRequest(position: 1)).expect(200)
      #expect(try await socket.frame() == Wire.SocketFrame(type: .poke))
      await socket.close()
    }
  }

  @Test("A poke never arrives before its message can be read")
  func visible() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let socket = try await bo.socket()
      _ = try await socket.frame()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for sender in 0..<4 {
          group.addTask {
            for number in 0..<25 { try await ann.message("\(sender)-\(number)", to: id).expect(201) }
          }
        }
        // Each poke announces at least one message, so n pokes mean at least n messages.
        var pokes: Int64 = 0, head: Int64 = 0
        while head < 100 {
          #expect(try await socket.frame()?.type == .poke)
          pokes += 1
          head = try await bo.get("conversations/\(id)").decoded(Wire.Conversation.self).head
          #expect(head >= pokes)
        }
        try await group.waitForAll()
      }
      await socket.close()
    }
  }

  @Test("A socket without a valid token closes with 4401", arguments: [nil, "x"])
  func unauthorized(_ token: String?) async throws {
    try await TestServer.run { server in
      var stranger = await server.stranger()
      stranger.token = token
      let socket = try await stranger.socket()
      #expect(try await socket.frame() == nil)
      #expect(socket.closing?.code.rawValue == Wire.unauthorizedCloseCode)
    }
  }

  @Test("Signing out of a session closes only the sockets of this session, with code 4401")
  func signOut() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), other = try await server.signIn("ann")
      let closing = try await ann.socket(), staying = try await other.socket()
      _ = try await closing.frame()
      _ = try await staying.frame()
      try await ann.send("DELETE", "sessions/current").expect(204)
      #expect(try await closing.frame() == nil)
      #expect(closing.closing?.code.rawValue == Wire.unauthorizedCloseCode)
      _ = try await other.group("g")
      #expect(try await staying.frame()?.type == .poke)
      await staying.close()
    }
  }

  @Test("A token that expires closes its sockets with 4401")
  func expiry() async throws {
    try await TestServer.run({ $0.tokenLifetime = .seconds(60) }) { server in
      let socket = try await server.user("ann").socket()
      _ = try await socket.frame()
      server.clock.advance(by: 60_000)
      #expect(try await socket.frame() == nil)
      #expect(socket.closing?.code.rawValue == Wire.unauthorizedCloseCode)
    }
  }

  @Test("A stopping server closes its sockets with another code than 4401")
  func stop() async throws {
    try await TestServer.run { server in
      let socket = try await server.user("ann").socket()
      _ = try await socket.frame()
      await server.stop()
      #expect(try await socket.frame() == nil)
      #expect(socket.closing?.code.rawValue != Wire.unauthorizedCloseCode)
    }
  }

  @Test("A socket that is never read delays no other")
  func slow() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let id = try await ann.direct("bo").id
      let slow = try await bo.socket(), quick = try await bo.socket()
      _ = try await quick.frame()
      for number in 0..<100 {
        try await ann.messages(["\(number)"], to: id)
        #expect(try await quick.frame()?.type == .poke)
      }
      await slow.close()
      await quick.close()
    }
  }

  @Test("An unknown frame is ignored, and a frame that is too large closes the socket")
  func frames() async throws {
    try await TestServer.run({ $0.limits.body = 4096 }) { server in
      let ann = try await server.user("ann")
      let socket = try await ann.socket()
      _ = try await socket.frame()
      for text in ["", "{", "{\"type\":\"poke\"}"] { try await socket.send(WebSocketMessage(text: text)) }
      _ = try await ann.group("g")
      #expect(try await socket.frame()?.type == .poke)
      try await socket.send(WebSocketMessage(text: String(repeating: "x", count: 100_000)))
      #expect(try await socket.frame() == nil)
      try await ann.get("me").expect(200)
    }
  }
}
