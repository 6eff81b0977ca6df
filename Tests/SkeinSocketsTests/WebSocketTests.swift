import Foundation
@testable import SkeinSockets
import Testing

@Suite("WebSocket")
struct WebSocketTests {
  @Test("An echo returns messages unchanged, small and large, text and binary")
  func echo() async throws {
    try await withServer(.echo) { server in
      let socket = try await WebSocket.connect(to: server.url("/echo"))
      let large = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let messages = [
        WebSocketMessage(text: "火锅 🍲"), WebSocketMessage(text: ""), WebSocketMessage(binary: []),
        WebSocketMessage(binary: large), WebSocketMessage(text: String(repeating: "火", count: 200_000)),
      ]
      for message in messages {
        try await socket.send(message)
        #expect(try await socket.receive() == message)
      }
      await socket.close()
    }
  }

  @Test("Messages are received in order, also if many are sent at once")
  func order() async throws {
    try await withServer(.echo) { server in
      let socket = try await WebSocket.connect(to: server.url("/"))
      async let sending: Void = {
        for number in 0..<5000 { try await socket.send(WebSocketMessage(text: "\(number)")) }
      }()
      for number in 0..<5000 { #expect(try await socket.receive()?.text == "\(number)") }
      try await sending
      await socket.close()
    }
  }

  @Test("The handler receives path, query and headers of the upgrade")
  func upgradeRequest() async throws {
    let handler = TestHandler(attend: { socket, request in
      let text = "\(request.path) \(request.parameter("a") ?? "") \(request.headers["authorization"] ?? "")"
      try? await socket.send(WebSocketMessage(text: text + " " + (request.headers["host"] ?? "")))
    })
    try await withServer(handler) { server in
      let socket = try await WebSocket.connect(
        to: server.url("/v1/socket%20x?a=b%26"), headers: ["Authorization": "Bearer t"])
      #expect(try await socket.receive()?.text == "/v1/socket x b& Bearer t 127.0.0.1:\(server.port)")
      #expect(try await socket.receive() == nil)
      #expect(socket.closing == WebSocketClosing(code: .normal))
    }
  }

  @Test("A ping from either side returns after the pong")
  func ping() async throws {
    let seen = Recorder<String>()
    let handler = TestHandler(attend: { socket, _ in
      do {
        try await socket.ping()
        seen.add("answered")
      } catch { seen.add("\(error)") }
      _ = try? await socket.receive()
    })
    try await withServer(handler) { server in
      let socket = try await WebSocket.connect(to: server.url("/"))
      try await socket.ping()
      try await socket.ping()
      try await eventually("the server's ping is answered") { seen.values == ["answered"] }
      await socket.close()
    }
  }

  @Test("The client's close code and reason reach the server")
  func clientCloses() async throws {
    let seen = Recorder<WebSocketClosing?>()
    let handler = TestHandler(attend: { socket, _ in
      while (try? await socket.receive()) != nil {}
      seen.add(socket.closing)
    })
    try await withServer(handler) { server in
      let socket = try await WebSocket.connect(to: server.url("/"))
      try await socket.send(WebSocketMessage(text: "x"))
      await socket.close(code: 3001, reason: "bye")
      #expect(socket.closing == WebSocketClosing(code: 3001, reason: "bye"))
      try await eventually("the server knows") { !seen.values.isEmpty }
      #expect(seen.values == [WebSocketClosing(code: 3001, reason: "bye")])
      await #expect(throws: SocketError.self) { try await socket.send(WebSocketMessage(text: "late")) }
      await #expect(throws: SocketError.self) { try await socket.ping() }
    }
  }

  @Test("The server's close code and reason reach the client after all earlier messages")
  func serverCloses() async throws {
    let handler = TestHandler(attend: { socket, _ in
      for number in 0..<100 { try? await socket.send(WebSocketMessage(text: "\(number)")) }
      await socket.close(code: 4401, reason: "Not signed in.")
    })
    try await withServer(handler) { server in
      let socket = try await WebSocket.connect(to: server.url("/"))
      for number in 0..<100 { #expect(try await socket.receive()?.text == "\(number)") }
      #expect(try await socket.receive() == nil)
      #expect(socket.closing == WebSocketClosing(code: 4401, reason: "Not signed in."))
    }
  }

  @Test("A close code that is invalid and a reason that is too long are replaced by valid ones")
  func badClosing() async throws {
    try await withServer(.echo) { server in
      let socket = try await WebSocket.connect(to: server.url("/"))
      await socket.close(code: .abnormal, reason: String(repeating: "火", count: 100))
      #expect(socket.closing == WebSocketClosing(code: .normal, reason: String(repeating: "火", count: 41)))
    }
  }

  @Test("A fragmented message is reassembled, even if a ping arrives between its fragments")
  func fragments() async throws {
    try await withServer(.echo) { server in
      let raw = try await RawWebSocket(port: server.port)
      try await raw.send(0x01, Array("火".utf8.prefix(2)))
      try await raw.send(0x89, [9])
      try await raw.send(0x00, Array("火".utf8.dropFirst(2)))
      try await raw.send(0x80, Array("锅".utf8))
      var frames = try await raw.frames { $0.count == 2 }
      #expect(frames.contains { $0.first == 0x8a && $0.payload == [9] })
      #expect(frames.contains { $0.first == 0x81 && $0.payload == Array("火锅".utf8) })
      try await raw.send(0x88, [0x03, 0xe8])
      frames = try await raw.frames()
      #expect(frames.map(\.first) == [0x88])
    }
  }

  @Test("Frames received together with the upgrade are not lost")
  func eager() async throws {
    let seen = Recorder<String>()
    let handler = TestHandler(attend: { socket, _ in
      while let message = try? await socket.receive() { seen.add(message.text ?? "") }
    })
    try await withServer(handler) { server in
      let raw = try await RawWebSocket(port: server.port, then: RawWebSocket.frame(0x81, Array("hi".utf8)))
      try await eventually("the message arrives") { seen.values == ["hi"] }
      withExtendedLifetime(raw) {}
    }
  }

  @Test(
    "A protocol violation closes with the matching code",
    arguments: [
      (RawWebSocket.frame(0x83, []), 1002), (RawWebSocket.frame(0x8b, []), 1002),
      (RawWebSocket.frame(0x80, [1]), 1002), (RawWebSocket.frame(0xc1, [65]), 1002),
      (RawWebSocket.frame(0x01, [65]) + RawWebSocket.frame(0x81, [65]), 1002),
      (RawWebSocket.frame(0x81, [0xff, 0xfe]), 1007), (RawWebSocket.frame(0x81, [0xe7, 0x81]), 1007),
    ])
  func violations(bytes: [UInt8], code: Int) async throws {
    try await withServer(.echo) { server in
      let raw = try await RawWebSocket(port: server.port)
      try await raw.client.send(bytes)
      #expect(try await raw.closeCode() == code)
    }
  }

  @Test(
    "A message above the limit closes the socket with 1009, whether in one frame, only announced, or in fragments",
    arguments: [
      RawWebSocket.frame(0x82, [UInt8](repeating: 1, count: 1001)),
      RawWebSocket.frame(0x82, [1, 2, 3], announcing: 1 << 40),
      (0..<3).flatMap { RawWebSocket.frame($0 == 0 ? 0x02 : 0x00, [UInt8](repeating: 1, count: 500)) },
    ])
  func tooLarge(bytes: [UInt8]) async throws {
    try await withServer(.echo, { $0.maximumMessageSize = 1000 }) { server in
      let raw = try await RawWebSocket(port: server.port)
      try await raw.client.send(bytes)
      #expect(try await raw.closeCode() == 1009)
    }
  }

  @Test("A client rejects a message above its limit")
  func tooLargeForClient() async throws {
    let seen = Recorder<WebSocketClosing?>()
    let handler = TestHandler(attend: { socket, _ in
      try? await socket.send(WebSocketMessage(binary: [UInt8](repeating: 1, count: 5000)))
      _ = try? await socket.receive()
      seen.add(socket.closing)
    })
    try await withServer(handler) { server in
      var options = WebSocketOptions()
      options.maximumMessageSize = 4000
      let socket = try await WebSocket.connect(to: server.url("/"), options: options)
      #expect(try await socket.receive() == nil)
      #expect(socket.closing?.code == .messageTooBig)
      try await eventually("the server knows") { seen.values.first??.code == .messageTooBig }
    }
  }

  @Test("A client closes with 1007 on invalid UTF-8 and ignores the rest of the message")
  func badText() async throws {
    let handler = TestHandler(attend: { socket, _ in
      try? await socket.send(WebSocketMessage(invalidText: [UInt8](repeating: 0xff, count: 100_000)))
      _ = try? await socket.receive()
    })
    try await withServer(handler) { server in
      let socket = try await WebSocket.connect(to: server.url("/"))
      #expect(try await socket.receive() == nil)
      #expect(socket.closing?.code == .invalidPayload)
    }
  }

  @Test("A broken connection ends every wait: a receive returns `nil`, and a ping throws")
  func breaks() async throws {
    let seen = Recorder<String>()
    let handler = TestHandler(attend: { socket, _ in
      let ping = Task { try await socket.ping() }
      #expect((try? await socket.receive()) == nil)
      await #expect(throws: SocketError.self) { try await ping.value }
      seen.add("\(socket.closing?.code.rawValue ?? 0)")
    })
    try await withServer(handler) { server in
      for frame in [RawWebSocket.frame(0x81, [65, 66], announcing: 100), [0x81], []] {
        let raw = try await RawWebSocket(port: server.port)
        try await raw.client.send(frame)
        raw.client.reset()
      }
      try await eventually("all handlers end") { seen.values == ["1006", "1006", "1006"] }
    }
  }

  @Test("A silent peer is sent a ping, and the connection closes if no answer arrives")
  func silence() async throws {
    let seen = Recorder<UInt16>()
    let handler = TestHandler(attend: { socket, _ in
      _ = try? await socket.receive()
      seen.add(socket.closing?.code.rawValue ?? 0)
    })
    try await withServer(handler, { $0.idleTimeout = .seconds(2) }) { server in
      let alive = try await WebSocket.connect(to: server.url("/"))
      let raw = try await RawWebSocket(port: server.port)
      let frames = try await raw.frames()
      #expect(frames.contains { $0.first == 0x89 })
      try await eventually("the handler ends") { seen.values == [1006] }
      #expect(alive.closing == nil)
      await alive.close()
    }
  }
}

extension SocketServer {
  func url(_ path: String) throws -> URL {
    try #require(URL(string: "ws://127.0.0.1:\(port)\(path)"))
  }
}

extension WebSocketMessage {
  /// Makes a text message of invalid UTF-8.
  fileprivate init(invalidText bytes: [UInt8]) {
    self.init(kind: .text, bytes: bytes)
  }
}
