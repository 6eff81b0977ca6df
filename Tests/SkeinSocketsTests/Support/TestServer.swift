import SkeinSockets

/// A handler made of two closures.
struct TestHandler: SocketServerHandler {
  let answer: @Sendable (HTTPRequest) async -> HTTPResponse
  let attend: @Sendable (any WebSocketConnection, HTTPRequest) async -> Void

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    await answer(request)
  }

  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {
    await attend(socket, request)
  }

  /// Sends back each message.
  static let echo = TestHandler(attend: { socket, _ in
    while let message = try? await socket.receive() {
      do { try await socket.send(message) } catch { return }
    }
  })

  init(
    answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse = { _ in HTTPResponse(status: 404) },
    attend: @escaping @Sendable (any WebSocketConnection, HTTPRequest) async -> Void = { _, _ in }
  ) {
    self.answer = answer
    self.attend = attend
  }
}

/// Runs `body` with a server that is stopped afterwards.
func withServer(
  _ handler: TestHandler, _ change: (inout SocketServerOptions) -> Void = { _ in },
  _ body: (SocketServer) async throws -> Void
) async throws {
  var options = SocketServerOptions()
  change(&options)
  let server = try await SocketServer.start(options, handler: handler)
  do {
    try await body(server)
  } catch {
    await server.stop()
    throw error
  }
  await server.stop()
}

extension HTTPResponse {
  static func text(_ text: String, status: Int = 200) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "text/plain"], content: .bytes(Array(text.utf8)))
  }
}
