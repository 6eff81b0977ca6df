import Foundation
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
import Skein
import SkeinHTTP
import SkeinServer
import SkeinTesting
import Synchronization
import Testing

@Suite("A relay", .timeLimit(.minutes(2)))
struct RelayTests {
  /// A server and a relay in front of it.
  private func withRelay(delay: Duration = .zero, _ body: (Relay) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-testing-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try await ChatServer.start(ServerOptions(folder: folder))
    let relay = try Relay(toPort: server.port, delay: delay)
    try await body(relay)
    relay.close()
    await server.stop()
  }

  /// Sends a request over a new connection and returns the status of the answer.
  private func status(_ relay: Relay, timeout: TimeInterval = 60) async throws -> Int? {
    let options = URLSessionConfiguration.ephemeral
    options.timeoutIntervalForRequest = timeout
    let session = URLSession(configuration: options)
    defer { session.invalidateAndCancel() }
    let url = try #require(URL(string: "http://127.0.0.1:\(relay.port)/nowhere"))
    return (try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode
  }

  @Test("A relay forwards requests and answers, also with a delay", arguments: [0, 5])
  func forwards(milliseconds: Int) async throws {
    try await withRelay(delay: .milliseconds(milliseconds)) { relay in
      let status = try await status(relay)
      #expect(status == 404)
    }
  }

  @Test(
    "A lost answer fails one request, and the next one is answered", arguments: [AnswerLoss.cut, .silence])
  func loses(_ loss: AnswerLoss) async throws {
    try await withRelay { relay in
      relay.loseNextAnswer(by: loss)
      let timeout: TimeInterval = loss == .silence ? 1 : 60
      let error = await #expect(throws: URLError.self) { try await status(relay, timeout: timeout) }
      #expect((error?.code == .timedOut) == (loss == .silence))
      let next = try await status(relay)
      #expect(next == 404)
    }
  }

  @Test("A halved answer fails one request, and the next one is answered")
  func halves() async throws {
    try await withRelay { relay in
      // URLSession on Linux crashes when an answer ends within its head.
      let accounts = HTTPAccounts(server: try #require(URL(string: "http://127.0.0.1:\(relay.port)")))
      func signIn() async throws {
        _ = try await accounts.signIn("nobody", password: "no password", device: "phone")
      }
      relay.halveNextAnswer()
      let error = await #expect(throws: BackendError.self) { try await signIn() }
      #expect([.unreachable, .transient].contains(error?.code))
      let next = await #expect(throws: BackendError.self) { try await signIn() }
      #expect(next?.code == .unauthorized)
    }
  }

  @Test("A cut ends the connections that are open, and new ones can be opened")
  func cuts() async throws {
    try await withRelay { relay in
      relay.loseNextAnswer(by: .silence)
      let isOver = Mutex(false)
      let lost = Task {
        defer { isOver.withLock { $0 = true } }
        return try await status(relay)
      }
      while !isOver.withLock({ $0 }) {
        relay.cut()
        await Task.yield()
      }
      let error = await #expect(throws: URLError.self) { try await lost.value }
      #expect(error?.code != .timedOut)
      relay.loseNextAnswer(by: .cut)
      _ = try? await status(relay)
      let next = try await status(relay)
      #expect(next == 404)
    }
  }

  @Test("A relay without a server ends its connections, and a closed relay accepts none")
  func ends() async throws {
    let relay = try Relay(toPort: 1)
    let lost = await #expect(throws: URLError.self) { try await status(relay, timeout: 1) }
    #expect(lost?.code != .cannotConnectToHost)
    relay.close()
    relay.close()
    // The port is free again as soon as the relay's thread has noticed the close.
    var error: URLError?
    while error?.code != .cannotConnectToHost {
      error = await #expect(throws: URLError.self) { try await status(relay, timeout: 1) }
    }
  }
}
