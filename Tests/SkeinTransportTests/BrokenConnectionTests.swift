#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Foundation
import SkeinModel
import SkeinTransport
import Testing

@Suite("Broken connections of the transport")
struct BrokenConnectionTests {
  private func error(
    of request: TransportRequest, by transport: SystemTransport = SystemTransport(.patient)
  ) async -> BackendError? {
    await backendError { _ = try await transport.perform(request) }
  }

  @Test("A request to a server that is not running fails and is known to be unsent")
  func nobody() async throws {
    let (holder, port) = try TCPServer.bound()
    defer { close(holder) }
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
    let error = await error(of: TransportRequest("POST", url, body: .bytes([1])))
    #expect(error?.code == .unreachable)
    #expect(error?.outcomeIsUnknown == false)
  }

  @Test("A request to a host name without an address fails and is known to be unsent")
  func noName() async throws {
    let url = try #require(URL(string: "http://nobody.invalid/"))
    let error = await error(of: TransportRequest("POST", url, body: .bytes([1])))
    #expect(error?.code == .unreachable)
    #expect(error?.outcomeIsUnknown == false)
  }

  @Test("A request to a server that does not encrypt fails and is known to be unsent")
  func noTLS() async throws {
    let server = try TCPServer { connection in
      connection.say("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
    let error = await error(of: TransportRequest("POST", url, body: .bytes([1])))
    #expect(error?.code == .unreachable)
    #expect(error?.outcomeIsUnknown == false)
  }

  @Test(
    "If a connection is lost before the answer is complete, the outcome of the request is unknown",
    arguments: [
      "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "220 mail.example.org ESMTP\r\n",
    ], [false, true])
  func lost(start: String, isReset: Bool) async throws {
    let server = try TCPServer { connection in
      _ = connection.head()
      connection.say(start)
      if isReset { connection.reset() }
    }
    let error = await error(of: TransportRequest("POST", try server.url(), body: .bytes([])))
    #expect(error?.code == .unreachable)
    #expect(error?.outcomeIsUnknown == true)
  }

  /// A server that answers the first request of a connection, and closes after the head of the second.
  private func forgetful(_ heads: Notes, isReset: Bool) throws -> TCPServer {
    try TCPServer { connection in
      guard let first = connection.head() else { return }
      heads.add(first)
      connection.answer("first")
      guard let second = connection.head() else { return }
      heads.add(second)
      if isReset { connection.reset() }
    }
  }

  @Test(
    "A request that may have arrived over a kept connection is not repeated",
    arguments: ["POST", "PUT", "PATCH", "DELETE"], [false, true])
  func keptPost(method: String, isReset: Bool) async throws {
    for body in [nil, [], Array(repeating: 7, count: 1000), Array(repeating: 7, count: 100_000)] as [[UInt8]?]
    {
      let heads = Notes()
      let server = try forgetful(heads, isReset: isReset)
      let transport = SystemTransport(.patient)
      #expect(try await transport.perform(TransportRequest(url: server.url())).status == 200)
      let request = TransportRequest(method, try server.url(), body: body.map { .bytes($0) })
      let error = await error(of: request, by: transport)
      #expect(error?.code == .unreachable)
      #expect(error?.outcomeIsUnknown == true)
      #expect(heads.all.map { $0.prefix { $0 != " " } } == ["GET", method[...]])
    }
  }

  @Test(
    "The caller decides whether a request is repeated when a kept connection breaks",
    arguments: [false, true])
  func keptGet(isRepeatable: Bool) async throws {
    let heads = Notes()
    let server = try forgetful(heads, isReset: false)
    let transport = SystemTransport(.patient)
    var request = TransportRequest(url: try server.url())
    #expect(request.isRepeatable)
    request.isRepeatable = isRepeatable
    #expect(try await transport.perform(request).status == 200)
    let error = await error(of: request, by: transport)
    #expect((error == nil) == isRepeatable)
    #expect(heads.all.count == (isRepeatable ? 3 : 2))
  }

  @Test("A repeated request sends its whole body again")
  func keptBody() async throws {
    let lengths = Notes()
    let server = try TCPServer { connection in
      while let head = connection.head() {
        guard head.hasPrefix("POST") else { connection.answer(); continue }
        let length = connection.read(lengths.all.isEmpty ? 50_000 : 200_000)
        lengths.add("\(length)")
        if lengths.all.count == 1 { return }
        connection.answer()
      }
    }
    let transport = SystemTransport(.patient)
    _ = try await transport.perform(TransportRequest(url: server.url()))
    var request = TransportRequest("POST", try server.url(), body: .bytes(pattern(200_000)))
    request.isRepeatable = true
    #expect(try await transport.perform(request).status == 200)
    #expect(lengths.all == ["50000", "200000"])
  }

  @Test("A connection that the server closes while the connection is idle is not used again")
  func closedBetween() async throws {
    let closed = Notes()
    let server = try TCPServer { connection in
      guard connection.head() != nil else { return }
      connection.read(1)
      connection.answer("x")
      shutdown(connection.socket, Int32(SHUT_RDWR))
      closed.add("closed")
    }
    let transport = SystemTransport(.patient)
    for count in 1...20 {
      let request = TransportRequest("POST", try server.url(), body: .bytes([1]))
      #expect(try await transport.perform(request).status == 200)
      await closed.wait(for: count)
    }
    #expect(server.connections == 20)
  }
}
