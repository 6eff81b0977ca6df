#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Foundation
import SkeinModel
import SkeinTransport
import Testing

@Suite("Limits of the transport")
struct LimitTests {
  private static func transport(idle: Duration = .seconds(3600), size: Int = 32 << 20) -> SystemTransport {
    var options = TransportOptions()
    options.idleTimeout = idle
    options.maximumAnswerSize = size
    return SystemTransport(options)
  }

  @Test(
    "A call fails after the idle timeout if the server falls silent before the answer or in the middle of it",
    arguments: ["", "HTTP/1.1 200 OK\r\nX-A", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"])
  func silence(start: String) async throws {
    let closed = Notes()
    let server = try TCPServer { connection in
      _ = connection.head()
      connection.say(start)
      connection.untilClosed()
      closed.add("closed")
    }
    let transport = Self.transport(idle: .milliseconds(200))
    let started = ContinuousClock.now
    let error = await backendError { _ = try await transport.perform(TransportRequest(url: server.url())) }
    #expect(error?.code == .transient)
    #expect(error?.outcomeIsUnknown == true)
    #expect(ContinuousClock.now - started >= .milliseconds(200))
    await closed.wait(for: 1)
  }

  @Test("A request may have a longer idle timeout than its transport")
  func patient() async throws {
    let server = try TCPServer { connection in
      _ = connection.head()
      poll(nil, 0, 600)
      connection.say("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na")
    }
    var request = try TransportRequest(url: server.url())
    request.idleTimeout = .seconds(3600)
    #expect(try await Self.transport(idle: .milliseconds(100)).perform(request).body.count == 1)
  }

  @Test("An answer may take longer than the idle timeout if it never pauses for so long")
  func slow() async throws {
    let server = try TCPServer { connection in
      _ = connection.head()
      connection.say("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n")
      for _ in 0..<30 {
        poll(nil, 0, 50)
        connection.say("a")
      }
    }
    let transport = Self.transport(idle: .seconds(1))
    #expect(try await transport.perform(TransportRequest(url: server.url())).body.count == 30)
  }

  @Test("A request ends at its deadline, also while the answer is being received")
  func deadline() async throws {
    let server = try TCPServer { connection in
      _ = connection.head()
      connection.say("HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
      while connection.say("a") {}
    }
    var request = TransportRequest(url: try server.url())
    request.deadline = .milliseconds(200)
    let error = await backendError { [request] in _ = try await Self.transport().perform(request) }
    #expect(error?.code == .transient)
    #expect(error?.outcomeIsUnknown == true)
  }

  @Test("A request that still waits for its turn at its deadline fails and is known to be unsent")
  func waiting() async throws {
    let asked = Notes()
    let server = try TCPServer { connection in
      guard let head = connection.head() else { return }
      asked.add(head)
      connection.untilClosed()
    }
    var options = TransportOptions.patient
    options.maximumRequests = 1
    let transport = SystemTransport(options)
    let url = try server.url()
    let first = Task { try await transport.perform(TransportRequest(url: url)) }
    await asked.wait(for: 1)
    var request = TransportRequest(url: url)
    request.deadline = .milliseconds(100)
    let error = await backendError { [request] in _ = try await transport.perform(request) }
    #expect(error?.code == .transient)
    #expect(error?.outcomeIsUnknown == false)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(asked.all.count == 1)
  }

  @Test("An answer longer than the maximum fails, whether or not its length is stated")
  func size() async throws {
    let server = try TCPServer { connection in
      guard let head = connection.head() else { return }
      let length = head.contains("/long") ? 1001 : 1000
      let stated = head.contains("stated") ? "Content-Length: \(length)\r\n" : ""
      connection.say("HTTP/1.1 200 OK\r\n\(stated)\r\n" + String(repeating: "a", count: length))
    }
    let transport = Self.transport(size: 1000)
    for path in ["short", "short-stated"] {
      #expect(try await transport.perform(TransportRequest(url: server.url(path))).body.count == 1000)
    }
    for path in ["long", "long-stated"] {
      let error = await backendError {
        _ = try await transport.perform(TransportRequest(url: server.url(path)))
      }
      #expect(error?.code == .transient)
      #expect(error?.outcomeIsUnknown == true)
    }
  }

  @Test("A compressed answer is unpacked, and the maximum applies to the unpacked length")
  func compression() async throws {
    // 200,000 zeros.
    let long = "H4sIAAAAAAACA+3BMQEAAADCoPVPbQZ/o" + String(repeating: "A", count: 257) + "CA1wB7WOBcQA0DAA=="
    let (short, bomb) = (
      Data(base64Encoded: "H4sIAAAAAAACA8tIzcnJBwCGphA2BQAAAA=="), Data(base64Encoded: long)
    )
    let bodies = (try #require(short), try #require(bomb))
    let server = try TCPServer { connection in
      guard let head = connection.head() else { return }
      let body = head.contains("/long") ? bodies.1 : bodies.0
      connection.say("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n")
      connection.say(Array(body))
    }
    let transport = Self.transport(size: 100_000)
    let answer = try await transport.perform(TransportRequest(url: server.url("short")))
    #expect(answer.body == Array("hello".utf8))
    let error = await backendError {
      _ = try await transport.perform(TransportRequest(url: server.url("long")))
    }
    #expect(error?.code == .transient)
  }

  @Test(
    "An answer that never ends is cut off, whether its head or its body is endless", arguments: ["", "\r\n"])
  func endless(end: String) async throws {
    let closed = Notes()
    let server = try TCPServer { connection in
      _ = connection.head()
      connection.say("HTTP/1.1 200 OK\r\n\(end)")
      while connection.say("X-Field: " + String(repeating: "a", count: 1000) + "\r\n") {}
      closed.add("closed")
    }
    let error = await backendError {
      _ = try await Self.transport(size: 1 << 20).perform(TransportRequest(url: server.url()))
    }
    #expect(error != nil)
    #expect(error?.outcomeIsUnknown == true)
    await closed.wait(for: 1)
  }
}
