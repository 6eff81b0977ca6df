import SkeinSockets
import Testing

@Suite("A server")
struct SocketServerTests {
  @Test("A request reaches the handler with method, path, query and headers")
  func request() async throws {
    let handler = TestHandler(answer: { request in
      let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
      return .text(
        "\(request.method) \(request.path) \(query) \(request.headers["authorization"] ?? "-") \(request.remoteAddress)"
      )
    })
    try await withServer(handler) { server in
      let client = try RawClient(port: server.port)
      try await client.send(
        "GET /a%20b/%E7%81%AB?x=1&y=%26%3D+z&e HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer t\r\n\r\n")
      let response = try await client.response()
      #expect(response.status == 200)
      #expect(response.text == "GET /a b/火 x=1|y=&= z|e= Bearer t 127.0.0.1")
    }
  }
}
