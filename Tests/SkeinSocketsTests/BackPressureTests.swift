import SkeinSockets
import Testing

@Suite("Back pressure")
struct BackPressureTests {
  private static let kilobytes64 = WebSocketMessage(binary: [UInt8](repeating: 1, count: 64 << 10))

  @Test("A peer that stops reading stops the sender and is disconnected after the time limit")
  func slowConsumer() async throws {
    let sent = Recorder<Int>()
    let ended = Recorder<String>()
    let handler = TestHandler(attend: { socket, _ in
      do {
        for number in 0..<10_000 {
          try await socket.send(Self.kilobytes64)
          sent.add(number)
        }
      } catch {
        ended.add(
          "\((error as? SocketError)?.code.rawValue ?? "\(error)") \(socket.closing?.code.rawValue ?? 0)")
      }
    })
    try await withServer(handler, { $0.sendTimeout = .milliseconds(300) }) { server in
      let raw = try await RawWebSocket(port: server.port, receiveBuffer: 4096)
      try await eventually("the sender is stopped") { !ended.values.isEmpty }
      #expect(ended.values == ["closed 1006"])
      // At most the kernel's buffers and the send queue are filled; the handler has 655 MB to send.
      #expect(sent.values.count < 200)
      withExtendedLifetime(raw) {}
    }
  }

  @Test("A sender stops while the receiver does not read, and continues afterwards")
  func slowReceiver() async throws {
    let gate = Gate()
    let total = 400
    let handler = TestHandler(attend: { socket, _ in
      await gate.pass()
      var count = 0
      while let message = try? await socket.receive() { count += message.bytes.count }
      #expect(count == total << 16)
    })
    try await withServer(handler) { server in
      let socket = try await WebSocket.connect(to: server.url("/"))
      let sent = Recorder<Int>()
      let sender = Task {
        for number in 0..<total {
          try await socket.send(Self.kilobytes64)
          sent.add(number)
        }
      }
      var last = -1
      var turns = 0
      while turns < 5000 {
        turns = sent.values.count == last ? turns + 1 : 0
        last = sent.values.count
        await Task.yield()
      }
      #expect(sent.values.count < total)
      gate.open()
      try await sender.value
      await socket.close()
    }
  }

  @Test("An echo with full buffers on both sides does not deadlock")
  func bothFull() async throws {
    try await withServer(.echo) { server in
      let socket = try await WebSocket.connect(to: server.url("/"))
      let sender = Task { for _ in 0..<500 { try await socket.send(Self.kilobytes64) } }
      for _ in 0..<500 { #expect(try await socket.receive()?.bytes.count == 64 << 10) }
      try await sender.value
      await socket.close()
    }
  }

  @Test("Cancelling a send, receive or ping ends it, and the socket stays usable")
  func cancellation() async throws {
    let gate = Gate()
    let handler = TestHandler(attend: { socket, _ in
      await gate.pass()
      while let message = try? await socket.receive() {
        if message.kind == .text { try? await socket.send(message) }
      }
    })
    try await withServer(handler) { server in
      let socket = try await WebSocket.connect(to: server.url("/"))
      let receiver = Task { try await socket.receive() }
      let sender = Task { while true { try await socket.send(Self.kilobytes64) } }
      receiver.cancel()
      await #expect(throws: CancellationError.self) { try await receiver.value }
      sender.cancel()
      await #expect(throws: CancellationError.self) { try await sender.value }
      let pinger = Task { try await socket.ping() }
      pinger.cancel()
      await #expect(throws: (any Error).self) { try await pinger.value }
      gate.open()
      try await socket.send(WebSocketMessage(text: "still here"))
      #expect(try await socket.receive()?.text == "still here")
      await socket.close()
    }
  }

  @Test("A second concurrent reader is an error")
  func secondReader() async throws {
    try await withServer(.echo) { server in
      let socket = try await WebSocket.connect(to: server.url("/"))
      let refusals = Recorder<SocketError.Code>()
      let readers = (0..<2).map { _ in
        Task {
          do { _ = try await socket.receive() } catch {
            if let error = error as? SocketError { refusals.add(error.code) }
          }
        }
      }
      try await eventually("one is refused") { refusals.values == [.alreadyReading] }
      await socket.close()
      for reader in readers { await reader.value }
    }
  }

  @Test("A thousand sockets all receive every message")
  func thousand() async throws {
    let sockets = Recorder<any WebSocketConnection>()
    let handler = TestHandler(attend: { socket, _ in
      sockets.add(socket)
      _ = try? await socket.receive()
    })
    try await withServer(handler) { server in
      let url = try server.url("/")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<1000 {
          group.addTask {
            let socket = try await WebSocket.connect(to: url)
            #expect(try await socket.receive()?.text == "poke")
            #expect(try await socket.receive()?.text == "poke")
            await socket.close(code: WebSocketCloseCode(rawValue: UInt16(3000 + number)), reason: "")
          }
        }
        try await eventually("all are there") { sockets.values.count == 1000 }
        for _ in 0..<2 {
          for socket in sockets.values { try await socket.send(WebSocketMessage(text: "poke")) }
        }
        try await group.waitForAll()
      }
      try await eventually("all are closed") { sockets.values.allSatisfy { $0.closing != nil } }
      #expect(Set(sockets.values.compactMap { $0.closing?.code.rawValue }) == Set(3000..<4000))
    }
  }
}
