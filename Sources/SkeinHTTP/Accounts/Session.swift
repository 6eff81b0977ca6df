#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SkeinModel

/// The result of a sign-in: everything that ``HTTPBackend`` needs, to be stored where the app keeps its secrets.
public struct Session: Codable, Hashable, Sendable {
  /// The server's address.
  public var server: URL
  /// The signed-in user.
  public var user: UserID
  /// The token that authorizes calls of that user.
  public var token: AccessToken
  /// When the token expires.
  public var expiresAt: Timestamp
  /// The token for renewing the session; nil if the server issues none.
  public var refreshToken: AccessToken?

  /// Makes a session from stored parts.
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
