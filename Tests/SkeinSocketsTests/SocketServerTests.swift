import Foundation
import Glibc
import SkeinSockets
import Testing

@Suite("Socket server", .serialized)
struct SocketServerTests {
  @Test("Fifty starts and stops leak no file and no port")
  func fiftyTimes() async throws {
    // A process of its own, since the tests that run beside this one open files too.
    await #expect(processExitsWith: .success) {
      func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      var port = 0
      var least = Int.max
      for number in 0..<50 {
        var options = SocketServerOptions()
        options.port = port
        let server = try await SocketServer.start(options, handler: TestHandler.echo)
        if port == 0 { port = server.port }
        #expect(server.port == port)
        let socket = try await WebSocket.connect(to: server.url("/"))
        try await socket.send(WebSocketMessage(text: "x"))
        #expect(try await socket.receive()?.text == "x")
        let client = try RawClient(port: server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try await client.response().status == 404)
        await server.stop()
        await server.stop()
        #expect(try await socket.receive() == nil)
        #expect(socket.closing == WebSocketClosing(code: .goingAway))
        if number == 10 { least = try openFiles() }
      }
      try await eventually("files are closed") { try openFiles() <= least }
    }
  }

  @Test("With a low limit of open files, a server closes late connections and answers the others")
  func fewFiles() async throws {
    // A process of its own, since the limit is one of the process.
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 264, rlim_max: 264)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      let server = try await SocketServer.start(handler: TestHandler(answer: { _ in .text("in") }))
      let clients = try (0..<9).map { _ in try RawClient(port: server.port) }
      #expect(try await clients[8].receiveAll().isEmpty)
      try await clients[0].send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await clients[0].response().text == "in")
      await server.stop()
    }
  }

  @Test("Stopping cancels and awaits handlers")
  func stopWaits() async throws {
    let gate = Gate()
    let seen = Recorder<String>()
    let handler = TestHandler(
      answer: { request in
        seen.add("begun")
        if request.method == "POST" {
          _ = try? await request.body.collect(upTo: 1000)
        } else {
          await gate.pass()
        }
        seen.add("ended \(Task.isCancelled)")
        return .text("")
      },
      attend: { socket, _ in
        seen.add("begun")
        _ = try? await socket.receive()
        seen.add("ended \(Task.isCancelled)")
      })
    let server = try await SocketServer.start(handler: handler)
    let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
    try await clients[0].send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
    try await clients[1].send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nabc")
    let socket = try await WebSocket.connect(to: server.url("/"))
    let mute = try await RawWebSocket(port: server.port)
    try await eventually("all handlers run") { seen.values.count == 4 }
    await server.stop()
    #expect(seen.values == Array(repeating: "begun", count: 4) + Array(repeating: "ended true", count: 4))
    #expect(try await socket.receive() == nil)
    #expect(try await mute.closeCode() == 1001)
    _ = try await clients[2].receiveAll()
  }

  @Test("A port in use throws `cannotListen`")
  func portInUse() async throws {
    try await withServer(.echo) { server in
      var options = SocketServerOptions()
      options.port = server.port
      let error = await #expect(throws: SocketError.self) {
        try await SocketServer.start(options, handler: TestHandler.echo)
      }
      #expect(error?.code == .cannotListen)
      #expect(error?.message.contains("\(server.port)") == true)
    }
  }

  @Test("An unusable host throws `cannotListen`", arguments: ["203.0.113.1", "no-such-interface", ""])
  func badHost(host: String) async throws {
    var options = SocketServerOptions()
    options.host = host
    let error = await #expect(throws: SocketError.self) {
      try await SocketServer.start(options, handler: TestHandler.echo)
    }
    #expect(error?.code == .cannotListen)
  }

  @Test("A closed port or unknown host throws `cannotConnect`; an invalid URL throws `invalidArgument`")
  func connectErrors() async throws {
    let handler = TestHandler(answer: { _ in .text("no", status: 403) })
    var deadPort = 0
    try await withServer(handler) { server in
      deadPort = server.port
    }
    func code(_ text: String) async throws -> SocketError.Code? {
      do {
        _ = try await WebSocket.connect(to: try #require(URL(string: text)))
        return nil
      } catch let error as SocketError {
        return error.code
      }
    }
    #expect(try await code("ws://127.0.0.1:\(deadPort)/") == .cannotConnect)
    #expect(try await code("ws://no-such-host.invalid/") == .cannotConnect)
    #expect(try await code("http://127.0.0.1/") == .invalidArgument)
    #expect(try await code("ws:/x") == .invalidArgument)
  }
}
