#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import SkeinModel

/// What a sign-in gives: everything that ``HTTPBackend`` needs, for the app to keep where it keeps its secrets.
public struct Session: Codable, Hashable, Sendable {
  /// The server's address.
  public var server: URL
  /// Who is signed in.
  public var user: UserID
  /// The right to act for that user.
  public var token: AccessToken
  /// When the token stops being good.
  public var expiresAt: Timestamp
  /// What gets another token then; nil where the server gives none.
  public var refreshToken: AccessToken?

  /// Puts a session together from its parts.
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
