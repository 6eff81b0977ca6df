import Foundation
import Skein
import SkeinHTTP
import SkeinSockets
import SkeinWire
import Synchronization
import Testing

@Suite("Messages over the socket", .timeLimit(.minutes(2)))
struct SocketSendTests {
  private let hello = WebSocketMessage(text: #"{"type":"hello","user":"alice","sends":true}"#)

  private let posted = ServerMessageID(rawValue: "posted")

  /// Runs `body` with a backend that is connected to a server.
  ///
  /// The server sends `hello` on the socket and then calls `attend`. It accepts every post with position 99.
  private func run(
    greeting hello: WebSocketMessage? = nil, within limit: Duration = .seconds(3600),
    attending attend: @escaping @Sendable (any WebSocketConnection) async throws -> Void,
    _ body: (HTTPBackend) async throws -> Void
  ) async throws {
    var options = HTTPOptions.patient
    options.sending = .socket
    options.acknowledgementTimeout = limit
    let hello = hello ?? self.hello
    let server = ScriptedServer(
      answer: { _ in .json(#"{"id":"m1","serverID":"posted","position":99,"time":1}"#) },
      attend: { socket, _ in
        try? await socket.send(hello)
        try? await attend(socket)
      })
    try await server.run { port in
      let backend = try HTTPBackend.local(port: port, options: options)
      try await backend.whileConnected { try await body(backend) }
    }
  }

  @Test("ACKs match their messages in any order; unknown, repeated and malformed ones are ignored")
  func order() async throws {
    try await run(attending: { socket in
      let first = try await socket.sent(), second = try await socket.sent()
      for text in [
        "{", #"{"type":"ack"}"#, #"{"type":"ack","id":"m1","position":"x"}"#, #"{"type":"refused"}"#,
      ] {
        try await socket.send(WebSocketMessage(text: text))
      }
      var foreign = first
      foreign.conversation = "elsewhere"
      try await socket.acknowledge(foreign, position: 7)
      try await socket.acknowledge(second, position: 2)
      try await socket.acknowledge(second, position: 8)
      try await socket.acknowledge(first, position: 1)
      while try await socket.receive() != nil {}
    }) { backend in
      async let first = backend.send(.numbered(1))
      async let second = backend.send(.numbered(2))
      let receipts = try await [first, second]
      // Either message may be first on the socket, so the server numbers the messages by arrival.
      #expect(Set(receipts.map(\.position)) == [Position(rawValue: 1), Position(rawValue: 2)])
      for (number, receipt) in zip(1..., receipts) { #expect(receipt.serverID?.rawValue == "s-m\(number)") }
    }
  }

  @Test("A message refused over the socket fails with the same error as a message refused by HTTP")
  func refusal() async throws {
    try await run(attending: { socket in
      let first = try await socket.sent(), second = try await socket.sent()
      try await socket.refuse(first, 429, .rateLimited, retryAfter: 7)
      let stored = Wire.Message(
        id: second.id, serverID: "s", conversation: second.conversation, position: 3, sender: "alice",
        time: 1,
        kind: "text", content: "{}")
      try await socket.refuse(second, 409, .idInUse, stored)
      while try await socket.receive() != nil {}
    }) { backend in
      async let later = backendError { _ = try await backend.send(.numbered(1)) }
      async let sooner = backendError { _ = try await backend.send(.numbered(2)) }
      let errors = await [later, sooner].compactMap(\.self)
      #expect(errors.first { $0.code == .rateLimited }?.retryAfter == .seconds(7))
      #expect(errors.first { $0.code == .idInUse }?.stored?.position == Position(rawValue: 3))
    }
  }

  @Test(
    "If no ACK arrives in time, the socket is closed before the send fails, and the next send goes by HTTP")
  func silence() async throws {
    let closed = Gate(), left = Gate()
    try await run(
      within: .milliseconds(50),
      attending: { socket in
        while try await socket.receive() != nil {}
        closed.open()
        await left.wait()
      }
    ) { backend in
      defer { left.open() }
      let error = await backendError { _ = try await backend.send(.numbered(1)) }
      #expect(error?.code == .transient && error?.outcomeIsUnknown == true)
      await closed.wait()
      let receipt = try await backend.send(.numbered(1))
      #expect(receipt.serverID == posted)
    }
  }

  @Test("A message whose socket closes before its ACK arrives goes by HTTP at once")
  func closing() async throws {
    try await run(attending: { socket in
      _ = try await socket.sent()
      await socket.close(code: .goingAway, reason: "")
    }) { backend in
      let receipt = try await backend.send(.numbered(1))
      #expect(receipt.serverID == posted)
    }
  }

  @Test("A message goes by HTTP if there is no socket or the server accepts no messages over the socket")
  func fallback() async throws {
    let old = WebSocketMessage(text: #"{"type":"hello","user":"alice"}"#)
    try await run(greeting: old, attending: { while try await $0.receive() != nil {} }) { backend in
      let receipt = try await backend.send(.numbered(1))
      #expect(receipt.serverID == posted)
    }
    var options = HTTPOptions.patient
    options.sending = .socket
    let answer = HTTPResponse.json(#"{"id":"m1","serverID":"posted","position":99,"time":1}"#)
    try await ScriptedServer.run(answering: { _ in answer }, options: options) { backend in
      let receipt = try await backend.send(.numbered(1))
      #expect(receipt.serverID == posted)
    }
  }

  @Test("Messages sent together are on the socket before the first ACK, and each names the message before it")
  func together() async throws {
    let previous = Mutex<[Wire.MessageID?]>([])
    try await run(attending: { socket in
      let frames = [try await socket.sent(), try await socket.sent(), try await socket.sent()]
      previous.withLock { $0 = frames.map(\.after) }
      for (number, frame) in frames.enumerated().reversed() {
        try await socket.acknowledge(frame, position: Int64(number + 1))
      }
      while try await socket.receive() != nil {}
    }) { backend in
      let outcomes = await backend.outcomes(of: 1...3)
      #expect(outcomes.map { (try? $0?.get())?.position?.rawValue } == [1, 2, 3])
      #expect(previous.withLock { $0 } == [nil, "m1", "m2"])
    }
  }

  @Test(
    "When a socket closes, messages without an ACK go by HTTP, except those after a refused message",
    arguments: [true, false])
  func closingTogether(refuses: Bool) async throws {
    try await run(attending: { socket in
      let first = try await socket.sent(), second = try await socket.sent()
      _ = try await socket.sent()
      if refuses {
        try await socket.refuse(second, 429, .rateLimited)
      } else {
        try await socket.acknowledge(first, position: 1)
      }
      await socket.close(code: .goingAway, reason: "")
    }) { backend in
      let outcomes = await backend.outcomes(of: 1...3)
      let positions = outcomes.map { (try? $0?.get())?.position?.rawValue }
      if refuses {
        #expect(positions == [99, nil, nil])
        let error = await backendError { _ = try outcomes[2]?.get() }
        #expect(error?.code == .outOfOrder)
      } else {
        #expect(positions == [1, 99, 99])
      }
    }
  }

  @Test("A message that one socket may have delivered has an unknown outcome if a later socket refuses it")
  func laterSocket() async throws {
    var options = HTTPOptions.patient
    options.sending = .socket
    let sockets = Mutex(0)
    let isBack = Gate()
    let server = ScriptedServer(
      answer: { _ in
        // The first message goes by HTTP, and the others over the socket that is open by then.
        await isBack.wait()
        return .json(#"{"id":"m1","serverID":"posted","position":99,"time":1}"#)
      },
      attend: { [hello] socket, _ in
        let number = sockets.withLock { count in
          count += 1
          return count
        }
        try? await socket.send(hello)
        if number == 1 {
          for _ in 1...3 { _ = try? await socket.sent() }
          return await socket.close(code: .goingAway, reason: "")
        }
        guard let second = try? await socket.sent(), let third = try? await socket.sent() else { return }
        try? await socket.refuse(second, 429, .rateLimited)
        try? await socket.refuse(third, 409, .outOfOrder)
        while (try? await socket.receive()) != nil {}
      })
    try await server.run { port in
      let backend = try HTTPBackend.local(port: port, options: options)
      let connected = Gate()
      let channel = Task {
        try? await backend.run(since: nil) { if $0 == .connected { connected.open() } }
        try? await backend.run(since: nil) { if $0 == .connected { isBack.open() } }
      }
      await connected.wait()
      let outcomes = await backend.outcomes(of: 1...3)
      #expect((try? outcomes[0]?.get())?.position?.rawValue == 99)
      for outcome in outcomes.dropFirst() {
        let error = await backendError { _ = try outcome?.get() }
        #expect(error?.outcomeIsUnknown == true)
      }
      channel.cancel()
      _ = await channel.result
    }
  }

  @Test("A cancelled send ends at once and leaves the socket open")
  func cancellation() async throws {
    let here = Gate()
    try await run(attending: { socket in
      let first = try await socket.sent()
      here.open()
      let second = try await socket.sent()
      try await socket.acknowledge(first, position: 1)
      try await socket.acknowledge(second, position: 2)
      while try await socket.receive() != nil {}
    }) { backend in
      let send = Task { try await backend.send(.numbered(1)) }
      await here.wait()
      send.cancel()
      await #expect(throws: CancellationError.self) { try await send.value }
      let receipt = try await backend.send(.numbered(2))
      #expect(receipt.position == Position(rawValue: 2))
    }
  }
}

extension HTTPBackend {
  /// Opens the push channel, runs `body`, and closes the channel.
  func whileConnected(_ body: () async throws -> Void) async throws {
    let connected = Gate()
    let channel = Task { try await run(since: nil) { if $0 == .connected { connected.open() } } }
    await connected.wait()
    do {
      try await body()
    } catch {
      channel.cancel()
      throw error
    }
    channel.cancel()
    _ = await channel.result
  }
}

extension HTTPBackend {
  /// Sends numbered messages together, and returns their outcomes in the order of the numbers.
  fileprivate func outcomes(of numbers: ClosedRange<Int>) async -> [Result<SendReceipt, any Error>?] {
    let (reports, continuation) = AsyncStream.makeStream(of: (MessageID, Result<SendReceipt, any Error>).self)
    await send(numbers.map { .numbered($0) }) { continuation.yield(($0, $1)) }
    continuation.finish()
    var outcomes: [MessageID: Result<SendReceipt, any Error>] = [:]
    for await (id, outcome) in reports { outcomes[id] = outcome }
    return numbers.map { outcomes[MessageID(rawValue: "m\($0)")] }
  }
}

extension OutgoingMessage {
  fileprivate static func numbered(_ number: Int) -> OutgoingMessage {
    OutgoingMessage(
      id: MessageID(rawValue: "m\(number)"), conversation: ConversationRef(rawValue: "c1"), kind: "text",
      payload: Data("{}".utf8))
  }
}

extension WebSocketConnection {
  /// The next message that the client sends.
  fileprivate func sent() async throws -> Wire.SendFrame {
    guard let message = try await receive() else { throw SocketError(.closed, "The client has left.") }
    return try Wire.decode(Wire.SendFrame.self, from: message.bytes)
  }

  fileprivate func acknowledge(_ frame: Wire.SendFrame, position: Int64) async throws {
    let receipt = Wire.MessageReceipt(
      id: frame.id, serverID: Wire.ServerID(rawValue: "s-\(frame.id)"), position: position, time: 1)
    try await say(Wire.AckFrame(receipt, in: frame.conversation))
  }

  fileprivate func refuse(
    _ frame: Wire.SendFrame, _ status: Int, _ code: Wire.ErrorCode, retryAfter: Int64? = nil,
    _ stored: Wire.Message? = nil
  ) async throws {
    try await say(
      Wire.RefusedFrame(
        Wire.SentMessage(conversation: frame.conversation, id: frame.id), status: status,
        error: Wire.Failure(code: code, message: "A sentence."), retryAfter: retryAfter, message: stored))
  }

  private func say(_ frame: some Encodable) async throws {
    try await send(WebSocketMessage(text: String(decoding: try Wire.encode(frame), as: UTF8.self)))
  }
}
