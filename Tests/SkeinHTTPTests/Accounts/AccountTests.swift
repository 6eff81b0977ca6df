import Foundation
import Skein
import SkeinHTTP
import SkeinSockets
import Synchronization
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

  @Test("Signing out behind a proxy's sign-in page throws")
  func signOutBehindProxy() async throws {
    try await ScriptedServer(answer: { _ in .proxyPage }).run { port in
      let address = try #require(URL(string: "http://127.0.0.1:\(port)"))
      let session = Session(
        server: address, user: "alice", token: AccessToken(rawValue: "token"),
        expiresAt: Timestamp(milliseconds: 0), refreshToken: AccessToken(rawValue: "refresh"))
      let error = await backendError {
        try await HTTPAccounts(server: address, options: .patient).signOut(session)
      }
      #expect(error?.code == .transient)
    }
  }

  @Test("A client behind a proxy's sign-in page is offline, and not signed out")
  func clientBehindProxy() async throws {
    try await TestWorld.run { world in
      let isBehindProxy = Mutex(true)
      let page = #"{"next":"1","epoch":"e","hasMore":false,"serverTime":1,"conversations":[]}"#
      let server = ScriptedServer(
        answer: { _ in isBehindProxy.withLock { $0 } ? .proxyPage : .json(page) },
        attend: { socket, _ in
          if isBehindProxy.withLock({ $0 }) { return }
          try? await socket.send(WebSocketMessage(text: #"{"type":"hello","user":"alice"}"#))
          while (try? await socket.receive()) != nil {}
        })
      try await server.run { port in
        let client = try await world.client("alice", HTTPBackend.local(port: port))
        let error = await backendError {
          try await client.download(
            RemoteMedia(id: "a", size: 1, type: "image/png"), to: world.folder.appending(path: "a"))
        }
        #expect(error?.code == .transient)
        for await state in client.connectionStates {
          if state == .offline { isBehindProxy.withLock { $0 = false } }
          if state == .online { break }
          if case .signedOut = state {
            Issue.record("The client is signed out.")
            break
          }
        }
        await client.close()
      }
    }
  }
}

extension HTTPResponse {
  /// The page of a proxy that asks its user to sign in.
  fileprivate static var proxyPage: HTTPResponse {
    HTTPResponse(
      status: 401, headers: ["Content-Type": "text/html", "WWW-Authenticate": "Basic"],
      content: .bytes(Array("<html><body>Sign in to the hotel's network</body></html>".utf8)))
  }
}
