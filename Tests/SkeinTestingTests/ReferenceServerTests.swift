import SkeinHTTP
import SkeinTesting
import Testing

@Suite("The reference protocol fulfills the contract of a backend", .serialized)
struct ReferenceServerTests {
  static let run = CheckRun()

  @Test(
    "A server that receives messages over HTTP passes every check that does not need pipelining",
    arguments: Self.run.checks)
  func http(_ check: BackendCheck) async throws {
    let outcome = try await Self.run.run(check) { try await ReferenceServer(sending: .http) }
    // By HTTP nothing is pipelined: the check that needs pipelining is skipped. The protocol has no invitations.
    #expect((outcome == .passed) == Set(check.needs).isDisjoint(with: [.pipelining, .inviting]))
  }

  @Test(
    "A server that receives messages over the socket passes every check that does not need invitations",
    arguments: BackendCheck.all)
  func socket(_ check: BackendCheck) async throws {
    let outcome = try await check.run(on: try await ReferenceServer(sending: .socket))
    #expect((outcome == .passed) == !check.needs.contains(.inviting))
  }

  @Test("Messages over the socket use no HTTP request")
  func ways() async throws {
    let check = try #require(BackendCheck.all.first)
    let (http, socket) = (
      try await ReferenceServer(sending: .http), try await ReferenceServer(sending: .socket)
    )
    for server in [http, socket] { try await check.run(on: server) }
    #expect((http.posts.value, socket.posts.value) == (1, 0))
  }
}
