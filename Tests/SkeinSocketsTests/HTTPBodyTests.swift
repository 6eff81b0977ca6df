import SkeinSockets
import Testing

@Suite("Request bodies")
struct HTTPBodyTests {
  @Test("A body of twenty megabytes is streamed in bounded memory")
  func large() async throws {
    let size = 20 << 20
    let gate = Gate()
    let handler = TestHandler(answer: { request in
      await gate.pass()
      var count = 0
      var sum = 0
      do {
        for try await chunk in request.body {
          count += chunk.count
          for byte in chunk { sum &+= Int(byte) }
        }
      } catch { return .text("\(error)", status: 500) }
      return .text("\(count) \(sum)")
    })
    try await withServer(handler) { server in
      let client = try RawClient(port: server.port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
      var rest = [UInt8](repeating: 3, count: size)[...]
      // Nothing is read, so the network's buffers fill up long before the end.
      var refusals = 0
      while refusals < 20_000 {
        let count = try #require(client.sendSome(rest.prefix(1 << 16)))
        rest = rest.dropFirst(count)
        refusals = count == 0 ? refusals + 1 : 0
        if count == 0 { await Task.yield() }
      }
      #expect(size - rest.count < 12 << 20)
      gate.open()
      try await client.send(Array(rest))
      #expect(try await client.response().text == "\(size) \(size * 3)")
    }
  }

  @Test("A body whose declared length exceeds the limit is rejected unread, and the connection is closed")
  func tooLarge() async throws {
    let calls = Recorder<String>()
    let handler = TestHandler(answer: { request in
      calls.add(request.path)
      return .text("")
    })
    try await withServer(handler, { $0.maximumBodySize = 1000 }) { server in
      let client = try RawClient(port: server.port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1001\r\n\r\nabc")
      let answer = try await client.receiveAll()
      #expect(answer.hasPrefix("HTTP/1.1 413 "))
      #expect(answer.contains("Connection: close\r\n"))
      #expect(calls.values.isEmpty)
    }
  }

  @Test("A client that keeps sending a body above the limit still receives 413")
  func tooLargeAndSent() async throws {
    try await withServer(TestHandler(), { $0.maximumBodySize = 1000 }) { server in
      let client = try RawClient(port: server.port)
      try await client.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n")
      try await client.send([UInt8](repeating: 1, count: 100_000))
      #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test("A chunked body is rejected with 411")
  func chunked() async throws {
    try await withServer(TestHandler()) { server in
      let client = try RawClient(port: server.port)
      try await client.send(
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
      #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 411 "))
    }
  }

  @Test("A length with non-digits is rejected with 400", arguments: ["abc", "-1", "5, 6", "1e3", "+3"])
  func badLength(length: String) async throws {
    try await withServer(TestHandler()) { server in
      let client = try RawClient(port: server.port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\nabc")
      #expect(try await client.receiveAll().hasPrefix("HTTP/1.1 400 "))
    }
  }

  @Test("After a handler ignores a small body, the connection stays usable")
  func unreadSmall() async throws {
    try await withServer(TestHandler(answer: { .text($0.path) })) { server in
      let client = try RawClient(port: server.port)
      try await client.send("POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 50000\r\n\r\n")
      try await client.send([UInt8](repeating: 1, count: 50_000))
      #expect(try await client.response().text == "/1")
      try await client.send("GET /2 HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(try await client.response().text == "/2")
    }
  }

  @Test("After a handler ignores a large body, its response is sent and the connection closes")
  func unreadLarge() async throws {
    try await withServer(TestHandler(answer: { .text($0.path) })) { server in
      let client = try RawClient(port: server.port)
      try await client.send("POST /1 HTTP/1.1\r\nHost: h\r\nContent-Length: 20000000\r\n\r\n")
      try await client.send([UInt8](repeating: 1, count: 100_000))
      let answer = try await client.receiveAll()
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      #expect(answer.contains("Connection: close\r\n"))
    }
  }

  @Test("If a client disconnects in the middle of a body, reading the body throws")
  func goneInTheMiddle() async throws {
    let seen = Recorder<String>()
    let handler = TestHandler(answer: { request in
      do {
        _ = try await request.body.collect(upTo: 1 << 20)
        seen.add("complete")
      } catch {
        seen.add("\((error as? SocketError)?.code.rawValue ?? "\(error)") \(Task.isCancelled)")
      }
      return .text("")
    })
    try await withServer(handler) { server in
      var client: RawClient? = try RawClient(port: server.port)
      try await client?.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc")
      client = nil
      try await eventually("the body throws") { !seen.values.isEmpty }
      #expect(
        seen.values.first?.hasPrefix("closed") == true || seen.values.first?.hasPrefix("Cancel") == true)
    }
  }

  @Test(
    "A handler is cancelled when its client disconnects, also if it has not read a large body",
    arguments: [0, 2_000_000])
  func goneWhileWaiting(length: Int) async throws {
    let gate = Gate()
    let seen = Recorder<String>()
    let handler = TestHandler(answer: { _ in
      seen.add("begun")
      await gate.pass()
      seen.add("cancelled: \(Task.isCancelled)")
      return .text("")
    })
    try await withServer(handler) { server in
      var client: RawClient? = try RawClient(port: server.port)
      try await client?.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n")
      // The rest fits into the buffers of the system, so that the end of the connection arrives.
      try await client?.send(Array(repeating: 0, count: min(length, 300_000)))
      try await eventually("the handler runs") { !seen.values.isEmpty }
      client = nil
      try await eventually("the handler is cancelled") { seen.values.last == "cancelled: true" }
    }
  }

  @Test("A stalled body times out")
  func silentInTheMiddle() async throws {
    let seen = Recorder<String>()
    let handler = TestHandler(answer: { request in
      do { _ = try await request.body.collect(upTo: 1 << 20) } catch {
        seen.add((error as? SocketError)?.code.rawValue ?? "\(error)")
      }
      return .text("")
    })
    try await withServer(handler, { $0.idleTimeout = .milliseconds(200) }) { server in
      let client = try RawClient(port: server.port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\nabc")
      _ = try await client.receiveAll()
      try await eventually("the body throws") { !seen.values.isEmpty }
      #expect(seen.values == ["timedOut"])
    }
  }

  @Test("A client that expects 100 Continue receives it")
  func expectContinue() async throws {
    let handler = TestHandler(answer: { request in
      .text("\((try? await request.body.collect(upTo: 100))?.count ?? -1)")
    })
    try await withServer(handler) { server in
      let client = try RawClient(port: server.port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
      let interim = try await client.receive { $0.count >= 25 }
      #expect(String(decoding: interim, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
      try await client.send("abc")
      #expect(try await client.response().text == "3")
    }
  }

  @Test("Collecting more than the limit throws")
  func collectLimit() async throws {
    let handler = TestHandler(answer: { request in
      do {
        return .text("\(try await request.body.collect(upTo: 2))")
      } catch {
        return .text((error as? SocketError)?.code.rawValue ?? "", status: 413)
      }
    })
    try await withServer(handler) { server in
      let client = try RawClient(port: server.port)
      try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
      #expect(try await client.response().text == "bodyTooLarge")
    }
  }
}
