import SkeinSockets
import Testing

@Suite("Hostile clients")
struct HostileClientTests {
  /// Runs an attack, then checks that the server still responds.
  private func survives(
    _ change: (inout SocketServerOptions) -> Void = { _ in }, _ attack: (SocketServer) async throws -> Void
  ) async throws {
    let handler = TestHandler(answer: { .text($0.path) }, attend: TestHandler.echo.attend)
    try await withServer(handler, change) { server in
      try await attack(server)
      let client = try RawClient(port: server.port)
      try await client.send("GET /alive HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.response().text == "/alive")
    }
  }

  @Test("The server survives random bytes", arguments: 0..<40)
  func garbage(seed: UInt64) async throws {
    try await survives { server in
      var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
      let bytes = (0..<4000).map { _ -> UInt8 in
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return UInt8(truncatingIfNeeded: state >> 24)
      }
      let client = try RawClient(port: server.port)
      try await client.send(bytes)
      client.endSending()
      _ = try await client.receiveAll()
    }
  }

  @Test(
    "The server survives a malformed request",
    arguments: [
      "GET", "GET /\r\n\r\n", "\r\n\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "FOO / HTTP/1.1\r\n\r\n",
      "GET  /  HTTP/1.1\r\n\r\n", "GET / HTTP/9.9\r\nHost: h\r\n\r\n",
      "GET nothing HTTP/1.1\r\nHost: h\r\n\r\n",
      "CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\nabc", "GET http://a/b HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n",
      "GET / HTTP/1.1\r\nNo colon\r\n\r\n", "GET / HTTP/1.1\nHost: h\n\n",
      "GET /?&&&=&=;;& HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET /../../../etc/passwd HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET /%2e%2e/%2e%2e/ HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nHTTP2-Settings: AAMAAABkAAQ\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nUpgrade: nonsense\r\nConnection: Upgrade\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "POST / HTTP/1.1\r\nHost: h\r\n\r\nno length",
      "GET /a%00b HTTP/1.1\r\nHost: h\r\n\r\n", "GET / HTTP/1.1\r\nHost: h\r\nAuthorization: a\u{0}b\r\n\r\n",
    ])
  func brokenRequest(text: String) async throws {
    try await survives { server in
      let client = try RawClient(port: server.port)
      try await client.send(text)
      client.endSending()
      #expect(!(try await client.receiveAll().contains("root:")))
    }
  }

  @Test("A path or parameter that is not UTF-8 is rejected with 400", arguments: ["/%ff", "/x?%ff"])
  func badPath(path: String) async throws {
    try await survives { server in
      let client = try RawClient(port: server.port)
      try await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test("An invalid percent escape is rejected", arguments: ["/%zz", "/%", "/%4", "/?a=%g0"])
  func badEscape(path: String) async throws {
    try await survives { server in
      let client = try RawClient(port: server.port)
      try await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.receiveAll().contains(" 403 "))
    }
  }

  @Test("A path with dots and double slashes can't leave the root")
  func dots() async throws {
    try await survives { server in
      let client = try RawClient(port: server.port)
      try await client.send("GET /a/%2e%2e/../..//b/./c HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.response().text == "/b/c")
    }
  }

  @Test("A huge head closes the connection", arguments: ["X-Unknown: ", "Authorization: ", "x", "GET /"])
  func hugeHeader(start: String) async throws {
    try await survives { server in
      let client = try RawClient(port: server.port)
      let head = start.hasPrefix("GET") ? "" : "GET / HTTP/1.1\r\nHost: h\r\n"
      try await client.send(head + start + String(repeating: "a", count: 1 << 20))
      _ = try await client.receiveAll()
    }
  }

  @Test("Too many headers or parameters are truncated or close the connection")
  func manyHeaders() async throws {
    try await survives { server in
      let many = (0..<500).map { "Cookie: \($0)\r\nX-\($0): \($0)\r\n" }.joined()
      let client = try RawClient(port: server.port)
      try await client.send(
        "GET /?\(String(repeating: "a=b&", count: 300)) HTTP/1.1\r\nHost: h\r\n\(many)\r\n")
      client.endSending()
      _ = try await client.receiveAll()
    }
  }

  @Test("An incomplete or missing request times out")
  func silence() async throws {
    try await survives({ $0.idleTimeout = .milliseconds(300) }) { server in
      let client = try RawClient(port: server.port)
      try await client.send("GET / HTTP/1.1\r\nHos")
      _ = try await client.receiveAll()
      let mute = try RawClient(port: server.port)
      _ = try await mute.receiveAll()
    }
  }

  @Test("A connection that is idle after a response times out")
  func idle() async throws {
    try await survives({ $0.idleTimeout = .milliseconds(300) }) { server in
      let client = try RawClient(port: server.port)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test(
    "The server survives a reset of the connection at any point of a request", arguments: [0, 5, 40, 70, 80])
  func reset(after count: Int) async throws {
    try await survives { server in
      for _ in 0..<20 {
        let client = try RawClient(port: server.port)
        try await client.send(
          Array(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n\(String(repeating: "b", count: 50))"
              .utf8.prefix(count)))
        client.reset()
      }
    }
  }

  @Test("A response that is not received times out")
  func slowReader() async throws {
    let handler = TestHandler(answer: { request in
      request.path == "/big"
        ? HTTPResponse(status: 200, content: .bytes([UInt8](repeating: 7, count: 30 << 20))) : .text("ok")
    })
    try await withServer(handler, { $0.sendTimeout = .milliseconds(300) }) { server in
      let client = try RawClient(port: server.port, receiveBuffer: 4096)
      try await client.send("GET /big HTTP/1.1\r\nHost: h\r\n\r\n")
      try await eventually("the connection breaks") { client.sendSome([65]) == nil }
    }
  }

  @Test("A connection above the limit is closed without affecting the others")
  func tooMany() async throws {
    try await withServer(TestHandler(answer: { _ in .text("in") }), { $0.maximumConnections = 3 }) { server in
      var clients: [RawClient] = []
      for _ in 0..<3 {
        let client = try RawClient(port: server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try await client.response().text == "in")
        clients.append(client)
      }
      let late = try RawClient(port: server.port)
      #expect(try await late.receiveAll() == "")
      clients.removeFirst()
      try await eventually("there is room again") {
        let client = try RawClient(port: server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        return try await client.receiveAll().hasSuffix("in")
      }
      try await clients[0].send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await clients[0].response().text == "in")
    }
  }
}
