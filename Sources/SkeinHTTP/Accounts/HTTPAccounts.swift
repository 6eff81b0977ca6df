#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SkeinModel
import SkeinTransport
import SkeinWire

/// Creates accounts on a server and signs them in and out.
///
/// ```swift
/// let accounts = HTTPAccounts(server: url)
/// try await accounts.register("alice", password: password)
/// let session = try await accounts.signIn("alice", password: password, device: "phone")
/// let client = try await ChatClient.open(
///   account: session.user, backend: HTTPBackend(session), runtime: .system(directory: folder))
/// ```
public struct HTTPAccounts: Sendable {
  private let server: URL
  private let options: HTTPOptions
  private let transport: any HTTPTransport

  /// Describes a server by its `http` or `https` address.
  public init(server: URL, options: HTTPOptions = HTTPOptions()) {
    self.server = server
    self.options = options
    transport = .system(options.transport)
  }

  /// Creates an account.
  ///
  /// - Parameters:
  ///   - user: the account's id, which never changes: 1 to 64 characters of `a`–`z`, `0`–`9`, `.`, `_`, `-`, but
  ///     neither `.` nor `..`.
  ///   - password: 1 to 1,024 bytes of UTF-8.
  ///   - name: the display name, 1 to 128 characters; defaults to the user's id.
  /// - Throws: `BackendError`, with `userExists` if the account exists already, `permanent` if a value is out of its
  ///   range, `rateLimited` after too many attempts.
  public func register(_ user: UserID, password: String, name: String? = nil) async throws {
    let request = Wire.AccountRequest(user: Wire.UserID(user), password: password, name: name)
    _ = try await calls(token: nil).post(["accounts"], request, as: Wire.Profile.self)
  }

  /// Opens a session on this device.
  ///
  /// - Parameter device: the name that the user gave this device, at most 128 characters.
  /// - Throws: `BackendError`, with `unauthorized` if user and password don't match, `rateLimited` after too many
  ///   attempts.
  public func signIn(_ user: UserID, password: String, device: String? = nil) async throws -> Session {
    let request = Wire.SessionRequest(user: Wire.UserID(user), password: password, device: device)
    return self.session(try await calls(token: nil).post(["sessions"], request, as: Wire.Session.self))
  }

  /// Renews a session with its refresh token.
  ///
  /// - Throws: `BackendError`, with `unauthorized` if the session has no refresh token, or if the server rejects the
  ///   token; the user must then sign in again.
  public func renew(_ session: Session) async throws -> Session {
    guard let refresh = session.refreshToken else {
      throw BackendError(.unauthorized, "This session can't be renewed.")
    }
    let request = Wire.RenewalRequest(refreshToken: refresh.rawValue)
    return self.session(
      try await calls(token: nil).post(["sessions", "renewal"], request, as: Wire.Session.self))
  }

  private func session(_ session: Wire.Session) -> Session {
    Session(
      server: server, user: UserID(session.user), token: AccessToken(rawValue: session.token),
      expiresAt: Timestamp(milliseconds: session.expiresAt),
      refreshToken: session.refreshToken.map { AccessToken(rawValue: $0) })
  }

  /// Ends a session and invalidates its tokens. Does nothing if the session has already ended.
  ///
  /// - Throws: `BackendError` if the server can't be reached or fails; the session may then still be valid.
  public func signOut(_ session: Session) async throws {
    do {
      try await end(session)
    } catch let error as BackendError where error.code == .unauthorized {
      // The token may have expired although the session can still be renewed.
      do {
        try await end(renew(session))
      } catch let error as BackendError where error.code == .unauthorized {}
    }
  }

  private func end(_ session: Session) async throws {
    try await calls(token: session.token).send(.delete, ["sessions", "current"])
  }

  private func calls(token: AccessToken?) -> HTTPCalls {
    HTTPCalls(
      server: server, token: token.map(CurrentToken.init), options: options, transport: transport)
  }
}

extension BackendError.Code {
  /// An account with this id exists already; see ``HTTPAccounts/register(_:password:name:)``.
  public static let userExists = BackendError.Code(rawValue: "userExists")
}
