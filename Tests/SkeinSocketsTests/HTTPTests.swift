import Foundation
import FoundationNetworking
import SkeinSockets
import Testing

@Suite("HTTP")
struct HTTPTests {
  @Test("A request reaches the handler with method, path, query and headers")
  func request() async throws {
    let handler = TestHandler(answer: { request in
      let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
      let token = request.headers["authorization"] ?? "-"
      return .text("\(request.method) \(request.path) \(query) \(token) \(request.remoteAddress)")
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

  @Test("Every supported method works", arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
  func methods(method: String) async throws {
    try await withServer(TestHandler(answer: { .text($0.method) })) { server in
      let client = try RawClient(port: server.port)
      try await client.send("\(method) / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
      #expect(try await client.response().text == method)
    }
  }

  @Test("Header fields that `customHeaders` names are available, whatever their case")
  func customHeaders() async throws {
    let handler = TestHandler(answer: { .text($0.headers["X-Skein-Device"] ?? "none") })
    try await withServer(handler, { $0.customHeaders = ["X-Skein-Device"] }) { server in
      let client = try RawClient(port: server.port)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\nx-SKEIN-device: phone\r\n\r\n")
      #expect(try await client.response().text == "phone")
    }
  }

  @Test("HEAD receives the length without a body, and the connection stays usable")
  func head() async throws {
    try await withServer(TestHandler(answer: { _ in .text("hello") })) { server in
      let client = try RawClient(port: server.port)
      try await client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n")
      let head = try await client.receive { RawResponse($0, isHead: true) != nil }
      let text = String(decoding: head, as: UTF8.self)
      #expect(text.contains("Content-Length: 5\r\n"))
      #expect(text.hasSuffix("\r\n\r\n"))
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.response().text == "hello")
    }
  }

  @Test("A connection serves many requests, with and without bodies")
  func keepAlive() async throws {
    let handler = TestHandler(answer: { request in
      .text("\(request.path)\((try? await request.body.collect(upTo: 1 << 20))?.count ?? -1)")
    })
    try await withServer(handler) { server in
      let client = try RawClient(port: server.port)
      for number in 0..<50 {
        let body = String(repeating: "x", count: number * 1000)
        try await client.send(
          "POST /\(number)/ HTTP/1.1\r\nHost: h\r\nContent-Length: \(body.count)\r\n\r\n\(body)")
        let response = try await client.response()
        #expect(response.text == (number == 0 ? "/0/0" : "/\(number)/\(body.count)"))
        #expect(response.rest.isEmpty)
      }
    }
  }

  @Test("Pipelined requests are answered in order, or the connection closes")
  func pipelining() async throws {
    let handler = TestHandler(answer: { request in
      .text("\(request.method)\(request.path)\((try? await request.body.collect(upTo: 100)) ?? [])")
    })
    try await withServer(handler) { server in
      let client = try RawClient(port: server.port)
      let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
      try await client.send(get + "POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi" + get + get)
      var rest = Array(try await client.receiveAll().utf8)
      var answers: [String] = []
      while let response = RawResponse(rest) {
        answers.append(response.text)
        rest = response.rest
      }
      #expect(rest.isEmpty)
      #expect(
        answers.elementsEqual(["GET/a[]", "POST/b[104, 105]", "GET/a[]", "GET/a[]"].prefix(answers.count)))
      #expect(!answers.isEmpty)
    }
  }

  @Test("The header `Connection: close` closes the connection after the response")
  func connectionClose() async throws {
    try await withServer(TestHandler(answer: { _ in .text("bye") })) { server in
      let client = try RawClient(port: server.port)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
      #expect(try await client.receiveAll().hasSuffix("bye"))
    }
  }

  @Test("A large file is sent whole, and a missing file becomes a 404")
  func file() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    try Data(bytes).write(to: file)
    let handler = TestHandler(answer: { request in
      HTTPResponse(status: 200, content: .file(request.path == "/none" ? file.appending(path: "no") : file))
    })
    try await withServer(handler) { server in
      let client = try RawClient(port: server.port)
      for _ in 0..<2 {
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try await client.response().body == bytes)
      }
      try await client.send("GET /none HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.response().status == 404)
    }
  }

  @Test("A response with an invalid header field becomes a 500")
  func headerInjection() async throws {
    let handler = TestHandler(answer: { _ in
      HTTPResponse(status: 200, headers: ["X-Name": "a\r\nSet-Cookie: b"])
    })
    try await withServer(handler) { server in
      let client = try RawClient(port: server.port)
      try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
      let response = try await client.response()
      #expect(response.status == 500)
      #expect(!response.head.contains("Set-Cookie"))
    }
  }

  @Test("URLSession can send and fetch")
  func urlSession() async throws {
    let handler = TestHandler(answer: { request in
      let body = (try? await request.body.collect(upTo: 1 << 22)) ?? []
      return HTTPResponse(status: 201, content: .bytes(body))
    })
    try await withServer(handler) { server in
      let bytes = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0) })
      var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/x")))
      request.httpMethod = "POST"
      let (answer, response) = try await URLSession.shared.upload(for: request, from: bytes)
      #expect((response as? HTTPURLResponse)?.statusCode == 201)
      #expect(answer == bytes)
    }
  }
}
