import Foundation
import Skein
import SkeinHTTP
import Testing

@Suite("Accounts and sessions")
struct AccountTests {
  @Test("A stored session can be used again until it is signed out")
  func session() async throws {
    try await TestWorld.run { world in
      let session = try await world.user("alice")
      #expect(session.user == "alice" && session.server == world.address)
      let stored = try JSONEncoder().encode(session)
      let restored = try JSONDecoder().decode(Session.self, from: stored)
      #expect(restored == session)
      let backend = HTTPBackend(restored, options: .patient)
      _ = try await backend.sync(since: nil, limit: 10)

      try await world.accounts.signOut(restored)
      let error = await backendError { _ = try await backend.sync(since: nil, limit: 10) }
      #expect(error?.code == .unauthorized)
      let push = await backendError { try await backend.run(since: nil) { _ in } }
      #expect(push?.code == .unauthorized)
      try await world.accounts.signOut(restored)
    }
  }

  @Test("A wrong password and a taken name are refused, with the server's message")
  func refusals() async throws {
    try await TestWorld.run { world in
      _ = try await world.user("alice")
      let wrong = await backendError { _ = try await world.accounts.signIn("alice", password: "guess") }
      #expect(wrong?.code == .unauthorized)
      #expect(wrong?.message.hasSuffix(".") == true)
      let taken = await backendError { try await world.accounts.register("alice", password: "other") }
      #expect(taken?.code == .userExists)
    }
  }

  @Test("A printed session does not contain its token")
  func secrecy() throws {
    let session = Session(
      server: try #require(URL(string: "https://example.org")), user: "alice",
      token: AccessToken(rawValue: "tell-nobody"), expiresAt: Timestamp(milliseconds: 0))
    var dumped = ""
    dump(session, to: &dumped)
    for text in ["\(session)", String(reflecting: session), dumped] { #expect(!text.contains("tell-nobody")) }
  }

  @Test("A client is signed out when its session is ended elsewhere")
  func signedOut() async throws {
    try await TestWorld.run { world in
      let session = try await world.user("alice")
      let client = try await world.client(session)
      await client.reach(.online)
      try await world.accounts.signOut(session)
      for await state in client.connectionStates {
        if case .signedOut = state { break }
      }
    }
  }
}
