public import Foundation
public import SkeinModel
import SkeinTransport

/// Signs accounts of a homeserver in and out.
///
/// ```swift
/// let accounts = MatrixAccounts(homeserver: url)
/// let session = try await accounts.signIn("alice", password: password, device: "phone")
/// let backend = MatrixBackend(session)
/// ```
public struct MatrixAccounts: Sendable {
  let homeserver: URL
  let options: MatrixOptions
  let transport: any HTTPTransport
}

extension MatrixAccounts {
  /// Describes a homeserver by the `http` or `https` address of its client-server API.
  public init(homeserver: URL, options: MatrixOptions = MatrixOptions()) {
    self.init(homeserver: homeserver, options: options, transport: options.transport())
  }

  /// Whether a Matrix homeserver answers at the address.
  public func isHomeserver() async -> Bool {
    let answer = try? await calls(nil).get([], version: "versions")
    return answer?["versions"]?.array != nil
  }

  /// Creates an account, if the homeserver registers accounts without further proof. Opens no session.
  ///
  /// - Parameter name: the part of the user id before the colon.
  /// - Throws: `BackendError`, with `permanent` if the homeserver does not allow the registration.
  /// - Returns: the whole user id.
  public func register(_ name: String, password: String) async throws -> UserID {
    let body: JSONValue = [
      "username": .string(name), "password": .string(password), "inhibit_login": true,
      "auth": ["type": "m.login.dummy"],
    ]
    let answer = try await calls(nil).post(["register"], body)
    return UserID(rawValue: try answer.id("@", "user_id"))
  }

  /// Opens a session on a new device.
  ///
  /// - Parameters:
  ///   - user: the whole user id, or the part before the colon.
  ///   - device: the name that the user gave this device.
  /// - Throws: `BackendError`, with `unauthorized` if user and password don't match, `rateLimited` after too many
  ///   attempts.
  public func signIn(_ user: UserID, password: String, device: String? = nil) async throws -> MatrixSession {
    try await signIn(
      [
        "type": "m.login.password", "password": .string(password),
        "identifier": ["type": "m.id.user", "user": .string(user.rawValue)],
      ], device: device)
  }

  /// Opens a session on a new device with a login token, which single sign-on passes to the app.
  ///
  /// - Throws: `BackendError`, with `unauthorized` if the token is not valid.
  public func signIn(token: MatrixToken, device: String? = nil) async throws -> MatrixSession {
    try await signIn(["type": "m.login.token", "token": .string(token.rawValue)], device: device)
  }

  private func signIn(_ request: JSONValue, device: String?) async throws -> MatrixSession {
    var request = request
    request["refresh_token"] = true
    request["initial_device_display_name"] = device.map { .string($0) }
    do {
      let answer = try await calls(nil).post(["login"], request)
      return MatrixSession(
        homeserver: homeserver, user: UserID(rawValue: try answer.id("@", "user_id")),
        device: try answer.requiredToken("device_id"),
        token: MatrixToken(rawValue: try answer.requiredToken("access_token")),
        refreshToken: answer["refresh_token"]?.string.map { MatrixToken(rawValue: $0) })
    } catch let error as BackendError where error.isForbidden {
      throw BackendError(.unauthorized, "User and password don't match.", cause: error.cause)
    }
  }

  /// Renews a session with its refresh token, which the homeserver replaces. The old one is valid until the new access token is
  /// used, so store the renewed session before.
  ///
  /// - Throws: `BackendError`, with `unauthorized` if the user must sign in again.
  public func renew(_ session: MatrixSession) async throws -> MatrixSession {
    guard let refresh = session.refreshToken else {
      throw BackendError(.unauthorized, "This session can't be renewed.")
    }
    var session = session
    do {
      let answer = try await calls(nil).post(["refresh"], ["refresh_token": .string(refresh.rawValue)])
      session.token = MatrixToken(rawValue: try answer.requiredToken("access_token"))
      if let next = answer["refresh_token"]?.string { session.refreshToken = MatrixToken(rawValue: next) }
      return session
    } catch let error as BackendError where error.code == .permanent {
      throw BackendError(.unauthorized, "The session has ended.", cause: error.cause)
    }
  }

  /// Ends a session and invalidates its tokens. Does nothing if the session has already ended.
  ///
  /// - Throws: `BackendError` if the homeserver can't be reached or fails; the session may then still be valid.
  public func signOut(_ session: MatrixSession) async throws {
    let hasEnded = { (error: BackendError) in error.code == .unauthorized }
    if try await optional(hasEnded, { try await calls(session).post(["logout"]) }) == nil {
      // The token may have expired although the session can still be renewed.
      _ = try await optional(hasEnded) { try await calls(renew(session)).post(["logout"]) }
    }
  }

  private func calls(_ session: MatrixSession?) -> MatrixCalls {
    MatrixCalls(
      homeserver: homeserver, session: session.map(CurrentSession.init), options: options,
      transport: transport)
  }
}
