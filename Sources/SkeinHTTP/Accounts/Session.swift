#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SkeinModel

/// The result of a sign-in or a renewal: everything that ``HTTPBackend`` needs. Store the session where the
/// app keeps its secrets.
public struct Session: Codable, Hashable, Sendable {
  /// The server's address.
  public var server: URL
  /// The signed-in user.
  public var user: UserID
  /// The token that authorizes calls of this user.
  public var token: AccessToken
  /// The time at which the token expires.
  public var expiresAt: Timestamp
  /// The token for renewing the session; nil if the server issues no such token.
  public var refreshToken: AccessToken?

  /// Creates a session from stored parts.
  public init(
    server: URL, user: UserID, token: AccessToken, expiresAt: Timestamp, refreshToken: AccessToken? = nil
  ) {
    self.server = server
    self.user = user
    self.token = token
    self.expiresAt = expiresAt
    self.refreshToken = refreshToken
  }
}
