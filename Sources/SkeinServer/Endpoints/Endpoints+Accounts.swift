import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `POST /v1/accounts`
  @Sendable func createAccount(_ call: Call) async throws -> HTTPResponse {
    let request = try await call.json(Wire.AccountRequest.self)
    let name = request.name ?? request.user.rawValue
    try Refusal.require(
      request.user.isValid,
      "A user is 1 to 64 of a–z, 0–9, dot, underscore and hyphen, and not one or two dots alone.")
    try Refusal.require((1...1024).contains(request.password.utf8.count), "A password has 1 to 1024 bytes.")
    try Refusal.require((1...128).contains(name.unicodeScalars.count), "A name has 1 to 128 characters.")
    try attempts.record(nil, from: call.request.remoteAddress, at: now)

    let taken = Refusal(status: 409, code: .userExists, message: "There is already a user of this name.")
    guard try await database.read({ try $0.find(StoredUser.self, request.user) }) == nil else { throw taken }
    let row = StoredUser(
      user: request.user, name: name, passwordHash: try await passwords.hash(request.password), created: now)
    try await database.write(.powerCut) { transaction in
      guard try transaction.find(StoredUser.self, row.user) == nil else { throw taken }
      try transaction.insert(row)
    }
    return .json(201, Wire.Profile(user: row.user, name: row.name))
  }

  /// `POST /v1/sessions`
  @Sendable func signIn(_ call: Call) async throws -> HTTPResponse {
    let request = try await call.json(Wire.SessionRequest.self)
    try Refusal.require(request.password.utf8.count <= 1024, "A password has at most 1024 bytes.")
    try Refusal.require(
      (request.device?.unicodeScalars.count ?? 0) <= 128, "A device has at most 128 characters.")
    let matches = try await attempts.check(request.user, from: call.request.remoteAddress, at: now) {
      let account = try await database.read { try $0.find(StoredUser.self, request.user) }
      return try await passwords.matches(request.password, account?.passwordHash)
    }
    guard matches else { throw Refusal.wrongPassword }

    let (token, refresh, time) = (Self.makeToken(), Self.makeToken(), now)
    let row = StoredSession(
      id: SessionID(token: token), user: request.user, device: request.device, created: time,
      expires: end(of: options.tokenLifetime, from: time), refresh: SessionID(token: refresh),
      ends: end(of: options.sessionLifetime, from: time))
    try await database.write { transaction in
      _ = try transaction.execute("DELETE FROM session WHERE max(expires, ends) <= ?", time)
      try transaction.insert(row)
    }
    return .json(
      200, Wire.Session(token: token, expiresAt: row.expires, user: row.user, refreshToken: refresh))
  }

  /// `POST /v1/sessions/renewal`
  ///
  /// The refresh token stays the same, and earlier tokens stay valid until they expire. So a client that did
  /// not receive the answer can renew again, and other processes of the app stay signed in.
  @Sendable func renewSession(_ call: Call) async throws -> HTTPResponse {
    let request = try await call.json(Wire.RenewalRequest.self)
    let (token, time) = (Self.makeToken(), now)
    let refresh = SessionID(token: request.refreshToken)
    let renewed = try await database.write(.powerCut) { transaction -> StoredSession? in
      guard
        let row = try transaction.first(StoredSession.self, "WHERE refresh = ? ORDER BY ends DESC", refresh),
        row.ends > time
      else { return nil }
      _ = try transaction.execute("DELETE FROM session WHERE refresh = ? AND expires <= ?", refresh, time)
      let new = StoredSession(
        id: SessionID(token: token), user: row.user, device: row.device, created: row.created,
        expires: end(of: options.tokenLifetime, from: time), refresh: refresh,
        ends: end(of: options.sessionLifetime, from: time))
      try transaction.insert(new)
      return new
    }
    guard let renewed else { throw Refusal.unauthorized }
    return .json(
      200,
      Wire.Session(
        token: token, expiresAt: renewed.expires, user: renewed.user, refreshToken: request.refreshToken))
  }

  private static func makeToken() -> String { Hexadecimal.text(Digest.random(32)) }

  private func end(of lifetime: Duration, from time: Int64) -> Int64 {
    time + min(lifetime.components.seconds, 31_536_000_000) * 1000
  }

  /// `DELETE /v1/sessions/current`
  @Sendable func signOut(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let ended = try await database.write(.powerCut) { transaction -> [SessionID] in
      let rows = try transaction.select(
        StoredSession.self,
        "WHERE id = ?1 OR refresh = (SELECT refresh FROM session WHERE id = ?1) ORDER BY id", asker.session)
      for row in rows { _ = try transaction.delete(StoredSession.self, row.id) }
      return rows.map(\.id)
    }
    for session in ended { pushHub.signOut(asker.user, session) }
    return HTTPResponse(status: 204)
  }

  /// `GET /v1/me`
  @Sendable func profile(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    guard let user = try await database.read({ try $0.find(StoredUser.self, asker.user) }) else {
      throw Refusal.unauthorized
    }
    return .json(200, Wire.Profile(user: user.user, name: user.name))
  }
}
