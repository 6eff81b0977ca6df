import Foundation
import SkeinModel
import SkeinTransport
import Testing

@Suite("Requests and answers of the transport")
struct AnswerTests {
  @Test("An answer has its status, headers and body")
  func answer() async throws {
    let server = try TCPServer { connection in
      _ = connection.head()
      connection.answer(
        "not here", status: "404 Not Found", headers: "X-One: 1\r\nx-two:  2 \r\nX-One: 3\r\nX-None:\r\n")
    }
    let answer = try await SystemTransport(.patient).perform(TransportRequest(url: server.url()))
    #expect(answer.status == 404)
    #expect(answer.body == Array("not here".utf8))
    #expect(answer["x-one"] == "1")
    #expect(answer["X-TWO"] == "2")
    #expect(answer["X-None"] == "")
    #expect(answer["X-Three"] == nil)
    #expect(answer.headers.filter { $0.name == "X-One" }.map(\.value) == ["1", "3"])
  }

  @Test("A request has its method, path, headers and body, and no headers that forms or browsers add")
  func request() async throws {
    let heads = Notes()
    let server = try TCPServer { connection in
      while let head = connection.head() {
        heads.add(head)
        connection.read(head.contains("Content-Length: 5\r\n") ? 5 : 0)
        connection.answer(headers: "Set-Cookie: a=b\r\n")
      }
    }
    let transport = SystemTransport(.patient)
    for (method, body) in [("POST", "hello"), ("POST", ""), ("DELETE", nil), ("GET", nil), ("HEAD", nil)] {
      let path = "v1/a%2Fb/%2E%2E/c?q=1"
      let headers = [(name: "X-Token", value: "secret"), (name: "X-Empty", value: "")]
      let request = TransportRequest(
        method, try server.url(path), headers: headers, body: body.map { .bytes(Array($0.utf8)) })
      #expect(try await transport.perform(request).status == 200)
    }
    #expect(heads.all.count == 5)
    for (head, start) in zip(heads.all, ["POST", "POST", "DELETE", "GET", "HEAD"]) {
      #expect(head.hasPrefix("\(start) /v1/a%2Fb/%2E%2E/c?q=1 HTTP/1.1\r\n"))
      #expect(head.contains("X-Token: secret\r\n"))
      #expect(head.contains("X-Empty:\r\n"))
      #expect(head.contains("Host: 127.0.0.1:\(server.port)\r\n"))
      for absent in ["Cookie", "Expect", "Content-Type", "Transfer-Encoding", "Referer"] {
        #expect(!head.contains(absent))
      }
    }
    #expect(heads.all.map { $0.contains("Content-Length") } == [true, true, false, false, false])
    #expect(heads.all[1].contains("Content-Length: 0\r\n"))
    #expect(server.connections == 1)
  }

  @Test("Interim answers and fields after the body are left out")
  func interim() async throws {
    let server = try TCPServer { connection in
      _ = connection.head()
      connection.say("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\nX-Late: 1\r\n")
      connection.say("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n")
    }
    let answer = try await SystemTransport(.patient).perform(TransportRequest(url: server.url()))
    #expect(answer.body == Array("abcde".utf8))
    #expect(answer["X-Early"] == nil)
    #expect(answer["X-Late"] == "1")
    #expect(answer["X-Trailer"] == nil)
  }

  @Test("A redirect is an answer, and is not followed", arguments: [301, 302, 303, 307, 308])
  func redirection(status: Int) async throws {
    let paths = Notes()
    let server = try TCPServer { connection in
      while let head = connection.head() {
        paths.add(head)
        connection.answer(status: "\(status) Elsewhere", headers: "Location: /elsewhere\r\n")
      }
    }
    let answer = try await SystemTransport(.patient).perform(TransportRequest(url: server.url()))
    #expect(answer.status == status)
    #expect(answer["location"] == "/elsewhere")
    #expect(paths.all.count == 1)
  }

  @Test("A connection is kept for the next requests, and closed with the transport")
  func kept() async throws {
    let ends = Notes()
    let server = try TCPServer { connection in
      while connection.head() != nil { connection.answer("x") }
      ends.add("end")
    }
    try await { () async throws in
      let transport = SystemTransport(.patient)
      for _ in 0..<100 { _ = try await transport.perform(TransportRequest(url: server.url())) }
      #expect(server.connections == 1)
      #expect(ends.all.isEmpty)
    }()
    await ends.wait(for: 1)
  }

  @Test("No more requests than allowed are made at the same time, and further ones wait")
  func connections() async throws {
    let heads = Notes()
    let server = try TCPServer { connection in
      while let head = connection.head() {
        heads.add(head)
        connection.answer("x")
      }
    }
    var options = TransportOptions.patient
    options.maximumRequests = 3
    let transport = SystemTransport(options)
    let url = try server.url()
    try await withThrowingTaskGroup { group in
      for _ in 0..<60 { group.addTask { try await transport.perform(TransportRequest(url: url)).status } }
      for try await status in group { #expect(status == 200) }
    }
    #expect(heads.all.count == 60)
    #expect((1...3).contains(server.connections))
  }

  @Test(
    "A line break in a header or method, or an address that is not an HTTP address, is a permanent failure")
  func unusable() async throws {
    let server = try TCPServer { $0.untilClosed() }
    let transport = SystemTransport(.patient)
    let url = try server.url()
    let odd = ["ftp://example.org", "http:///nowhere", "chat"].compactMap { URL(string: $0) }
    var requests = odd.map { TransportRequest(url: $0) }
    requests.append(TransportRequest(url: url, headers: [("X", "a\r\nY: b")]))
    requests.append(TransportRequest(url: url, headers: [("X: a\nY", "b")]))
    requests.append(TransportRequest("GET / HTTP/1.1\r\nX:", url))
    for request in requests {
      let error = await backendError { _ = try await transport.perform(request) }
      #expect(error?.code == .permanent)
      #expect(error?.outcomeIsUnknown == false)
    }
    #expect(server.connections == 0)
  }
}
