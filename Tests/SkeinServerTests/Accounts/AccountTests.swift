import Foundation
import SkeinServer
import SkeinWire
import Testing

struct AccountTests {
  @Test("An account signs in, reads its profile, and signs out")
  func life() async throws {
    try await TestServer.run { server in
      let stranger = await server.stranger()
      let request = Wire.AccountRequest(user: "ann", password: "open sesame", name: "Ann Ä. 火")
      let profile: Wire.Profile = try await stranger.post("accounts", request).expect(201).decoded()
      #expect(profile == Wire.Profile(user: "ann", name: "Ann Ä. 火"))

      let session: Wire.Session = try await stranger.post(
        "sessions", Wire.SessionRequest(user: "ann", password: "open sesame", device: "phone")
      ).expect(200).decoded()
      #expect(session.user == "ann")
      #expect(session.expiresAt > server.clock.now)
      let ann = TestClient(port: stranger.port, token: session.token)
      #expect(try await ann.get("me").decoded(Wire.Profile.self) == profile)

      try await ann.send("DELETE", "sessions/current").expect(204)
      try await ann.get("me").expect(401, .unauthorized)
    }
  }

  @Test("An account can be created only once, and only with a valid name and a valid password")
  func names() async throws {
    try await TestServer.run { server in
      let stranger = await server.stranger()
      let ann = Wire.AccountRequest(user: "ann", password: "one")
      try await stranger.post("accounts", ann).expect(201)
      try await stranger.post("accounts", ann).expect(409, .userExists)
      for name in ["", "Ann", "a b", "ä", "a/b", ".", "..", String(repeating: "a", count: 65)] {
        let request = Wire.AccountRequest(user: Wire.UserID(rawValue: name), password: "one")
        try await stranger.post("accounts", request).expect(400, .badRequest)
      }
      for password in ["", String(repeating: "a", count: 1025)] {
        try await stranger.post("accounts", Wire.AccountRequest(user: "bo", password: password))
          .expect(400, .badRequest)
      }
      try await stranger.post("accounts", Wire.AccountRequest(user: "a.b_c-9", password: "one")).expect(201)
    }
  }

  @Test("A wrong password and an unknown user get the same answer")
  func wrong() async throws {
    try await TestServer.run { server in
      _ = try await server.user("ann")
      let stranger = await server.stranger()
      let wrong = try await stranger.post("sessions", Wire.SessionRequest(user: "ann", password: "open"))
      let unknown = try await stranger.post("sessions", Wire.SessionRequest(user: "bo", password: "open"))
      try wrong.expect(401, .wrongPassword)
      try unknown.expect(401, .wrongPassword)
      #expect(wrong.body == unknown.body)
    }
  }

  @Test(
    "Reading the profile, changes, a conversation or a file needs a valid token; the health check needs none",
    arguments: [nil, "", "x", String(repeating: "0", count: 64)])
  func token(_ token: String?) async throws {
    try await TestServer.run { server in
      var stranger = await server.stranger()
      stranger.token = token
      for path in ["me", "sync", "conversations/0000000000000000", "media/x"] {
        let answer = try await stranger.get(path)
        try answer.expect(401, .unauthorized)
        #expect(answer.header("WWW-Authenticate") == "Bearer")
      }
      try await stranger.get("health").expect(200)
    }
  }

  @Test("A token is valid until it expires")
  func expiry() async throws {
    try await TestServer.run({ $0.tokenLifetime = .seconds(60) }) { server in
      let ann = try await server.user("ann")
      server.clock.advance(by: 59_999)
      try await ann.get("me").expect(200)
      server.clock.advance(by: 1)
      try await ann.get("me").expect(401, .unauthorized)
      try await server.signIn("ann").get("me").expect(200)
    }
  }

  @Test("Until a session ends, the same refresh token renews it repeatedly")
  func renewal() async throws {
    try await TestServer.run({
      ($0.tokenLifetime, $0.sessionLifetime) = (.seconds(60), .seconds(600))
    }) { server in
      _ = try await server.user("ann")
      var ann = await server.stranger()
      let request = Wire.SessionRequest(user: "ann", password: "open sesame", device: "phone")
      let first = try await ann.post("sessions", request).expect(200).decoded(Wire.Session.self)
      let refresh = try #require(first.refreshToken)
      server.clock.advance(by: 60_000)
      for _ in 0..<2 {
        let renewed = try await ann.post("sessions/renewal", Wire.RenewalRequest(refreshToken: refresh))
          .expect(200).decoded(Wire.Session.self)
        #expect(renewed.user == "ann" && renewed.token != first.token && renewed.refreshToken == refresh)
        #expect(renewed.expiresAt == first.expiresAt + 60_000)
        ann.token = renewed.token
        try await ann.get("me").expect(200)
      }
      for wrong in ["", first.token, "x"] {
        try await ann.post("sessions/renewal", Wire.RenewalRequest(refreshToken: wrong))
          .expect(401, .unauthorized)
      }
      try await ann.send("DELETE", "sessions/current").expect(204)
      try await ann.post("sessions/renewal", Wire.RenewalRequest(refreshToken: refresh))
        .expect(401, .unauthorized)
    }
  }

  @Test("A session that is not renewed in time ends")
  func sessionEnd() async throws {
    try await TestServer.run({
      ($0.tokenLifetime, $0.sessionLifetime) = (.seconds(60), .seconds(600))
    }) { server in
      _ = try await server.user("ann")
      let stranger = await server.stranger()
      let request = Wire.SessionRequest(user: "ann", password: "open sesame")
      let session = try await stranger.post("sessions", request).expect(200).decoded(Wire.Session.self)
      let renewal = Wire.RenewalRequest(refreshToken: try #require(session.refreshToken))
      server.clock.advance(by: 599_999)
      _ = try await server.signIn("ann")
      try await stranger.post("sessions/renewal", renewal).expect(200)
      server.clock.advance(by: 600_000)
      try await stranger.post("sessions/renewal", renewal).expect(401, .unauthorized)
    }
  }

  @Test("After failed sign-ins a user must wait; other users need not, and successful sign-ins do not count")
  func limit() async throws {
    try await TestServer.run({ $0.limits.signIns = RateLimit(burst: 3, interval: 2000) }) { server in
      _ = try await server.user("ann")
      _ = try await server.user("bo")
      let stranger = await server.stranger()
      let wrong = Wire.SessionRequest(user: "ann", password: "guess")
      for _ in 0..<3 { try await stranger.post("sessions", wrong).expect(401, .wrongPassword) }
      let refused = try await stranger.post("sessions", wrong)
      try refused.expect(429, .rateLimited)
      #expect(refused.header("Retry-After") == "2")
      _ = try await server.signIn("bo")
      server.clock.advance(by: 2000)
      for _ in 0..<5 { _ = try await server.signIn("ann") }
    }
  }

  @Test("One address can't try one password on many users")
  func addressLimit() async throws {
    try await TestServer.run({ $0.limits.address = RateLimit(burst: 5, interval: 1000) }) { server in
      let stranger = await server.stranger()
      for number in 0..<5 {
        let request = Wire.SessionRequest(user: Wire.UserID(rawValue: "user\(number)"), password: "guess")
        try await stranger.post("sessions", request).expect(401, .wrongPassword)
      }
      try await stranger.post("sessions", Wire.SessionRequest(user: "other", password: "guess"))
        .expect(429, .rateLimited)
    }
  }

  @Test("The server's database contains neither passwords nor tokens")
  func secrets() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let token = try #require(ann.token)
      await server.stop()
      for name in ["server.sqlite", "server.sqlite-wal"] {
        guard let file = try? Data(contentsOf: server.folder.appending(path: name)) else { continue }
        #expect(file.range(of: Data("open sesame".utf8)) == nil)
        #expect(file.range(of: Data(token.utf8)) == nil)
      }
    }
  }
}
