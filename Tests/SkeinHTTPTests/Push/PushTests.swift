import Skein
import SkeinHTTP
import SkeinSockets
import Synchronization
import Testing

@Suite("The push channel")
struct PushTests {
  private final class Events: Sendable {
    private let events = Mutex<[BackendEvent]>([])
    func add(_ event: BackendEvent) { events.withLock { $0.append(event) } }
    var all: [BackendEvent] { events.withLock { $0 } }
  }

  /// Runs the channel of a server that sends these frames and closes the socket.
  private func run(
    _ frames: [WebSocketMessage], closing code: WebSocketCloseCode = .goingAway
  ) async throws -> (events: [BackendEvent], error: BackendError?) {
    let events = Events()
    var error: BackendError?
    try await ScriptedServer.run(attending: { socket, _ in
      for frame in frames { try? await socket.send(frame) }
      await socket.close(code: code, reason: "")
    }) { backend in
      error = await backendError { try await backend.run(since: nil) { events.add($0) } }
    }
    return (events.all, error)
  }

  private let hello = WebSocketMessage(text: #"{"type":"hello","user":"alice"}"#)
  private let poke = WebSocketMessage(text: #"{"type":"poke"}"#)

  @Test("A hello connects, a poke is reported, and the server's close ends the channel without an error")
  func frames() async throws {
    let (events, error) = try await run([hello, poke, poke])
    #expect(events == [.connected, .poke, .poke])
    #expect(error == nil)
  }

  @Test(
    "An unknown frame before the hello does not connect; after the hello it counts as a poke",
    arguments: [
      WebSocketMessage(text: ""), WebSocketMessage(text: "{"), WebSocketMessage(text: #"{"type":"dance"}"#),
      WebSocketMessage(text: "[]"), WebSocketMessage(text: "null"), WebSocketMessage(binary: [0xFF, 0, 1]),
    ])
  func unknownFrame(_ frame: WebSocketMessage) async throws {
    let (events, error) = try await run([frame, hello, frame])
    #expect(events == [.connected, .poke])
    #expect(error == nil)
  }

  @Test("A second hello and an unexpected ACK are ignored")
  func idleFrames() async throws {
    let ack = WebSocketMessage(text: #"{"type":"ack","conversation":"c","id":"m"}"#)
    #expect(try await run([hello, hello, ack, poke]).events == [.connected, .poke])
  }

  @Test("A poke before the hello does not connect")
  func pokeFirst() async throws {
    #expect(try await run([poke]).events.isEmpty)
  }

  @Test("An ended session gives unauthorized, before and after the hello")
  func unauthorized() async throws {
    #expect(try await run([], closing: 4401).error?.code == .unauthorized)
    let (events, error) = try await run([hello], closing: 4401)
    #expect(events == [.connected])
    #expect(error?.code == .unauthorized)
  }

  @Test("The token is in the opening request's header, not in its URL")
  func token() async throws {
    let seen = Mutex<[String?]>([])
    try await ScriptedServer.run(attending: { socket, request in
      seen.withLock { $0 += [request.path, request.headers["Authorization"], request.query.first?.name] }
      await socket.close()
    }) { backend in
      try await backend.run(since: nil) { _ in }
    }
    #expect(seen.withLock { $0 } == ["/v1/socket", "Bearer tell-nobody", nil])
  }

  @Test("A socket without a hello is closed at the deadline")
  func silence() async throws {
    let opened = Gate()
    var options = HTTPOptions.patient
    options.sleep = { _ in await opened.wait() }
    try await ScriptedServer.run(
      attending: { socket, _ in
        opened.open()
        _ = try? await socket.receive()
      }, options: options
    ) { backend in
      let error = await backendError { try await backend.run(since: nil) { _ in } }
      #expect(error?.code == .unreachable)
    }
  }

  @Test("A silently dead connection is closed when a pong is missing")
  func halfOpen() async throws {
    let events = Events()
    var options = HTTPOptions.patient
    options.pingInterval = .milliseconds(10)
    options.pongTimeout = .milliseconds(100)
    var error: BackendError?
    let server = ScriptedServer(attend: { [hello] socket, _ in
      try? await socket.send(hello)
      _ = try? await socket.receive()
    })
    try await server.run { port in
      let relay = try RawServer(.relay(port: port, until: "alice"))
      let backend = try HTTPBackend.local(port: relay.port, options: options)
      error = await backendError { try await backend.run(since: nil) { events.add($0) } }
    }
    #expect(events.all == [.connected])
    #expect(error?.code == .unreachable)
  }

  @Test("An HTML page instead of a WebSocket is an error, but neither permanent nor unauthorized")
  func portal() async throws {
    let server = try RawServer(.say("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>"))
    let backend = try HTTPBackend.local(port: server.port)
    let error = await backendError { try await backend.run(since: nil) { _ in } }
    #expect(error != nil)
    #expect(error?.code != .permanent && error?.code != .unauthorized)
  }

  @Test("An HTML page is no answer to a call without a result")
  func portalForCalls() async throws {
    let server = try RawServer(.say("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>"))
    let backend = try HTTPBackend.local(port: server.port)
    let left = await backendError { try await backend.leave(ConversationRef(rawValue: "g")) }
    let typed = await backendError { try await backend.noteTyping(in: ConversationRef(rawValue: "g")) }
    #expect(left?.code == .transient && typed?.code == .transient)
  }

  @Test("A cancelled channel ends in CancellationError at once")
  func cancellation() async throws {
    let connected = Gate()
    try await ScriptedServer.run(attending: { [hello] socket, _ in
      try? await socket.send(hello)
      _ = try? await socket.receive()
    }) { backend in
      let channel = Task {
        try await backend.run(since: nil) { if $0 == .connected { connected.open() } }
      }
      await connected.wait()
      channel.cancel()
      await #expect(throws: CancellationError.self) { try await channel.value }
    }
  }
}
