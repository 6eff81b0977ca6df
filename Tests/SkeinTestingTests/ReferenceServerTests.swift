import SkeinHTTP
import SkeinTesting
import Testing

@Suite("The contract of a backend, kept by the reference protocol", .serialized)
struct ReferenceServerTests {
  static let run = CheckRun()

  @Test("The reference protocol with messages by HTTP fulfills the contract", arguments: Self.run.checks)
  func http(_ check: BackendCheck) async throws {
    let outcome = try await Self.run.run(check) { try await ReferenceServer(sending: .http) }
    #expect(outcome == .passed)
  }

  @Test("Sending over the socket keeps it whole", arguments: BackendCheck.all)
  func socket(_ check: BackendCheck) async throws {
    let outcome = try await check.run(on: try await ReferenceServer(sending: .socket))
    #expect(outcome == .passed)
  }

  @Test("Over the socket means over the socket")
  func ways() async throws {
    let check = try #require(BackendCheck.all.first)
    let (http, socket) = (
      try await ReferenceServer(sending: .http), try await ReferenceServer(sending: .socket)
    )
    for server in [http, socket] { try await check.run(on: server) }
    #expect((http.posts.value, socket.posts.value) == (1, 0))
  }
}
