extension Wire {
  /// Body of `POST /v1/accounts`.
  public struct AccountRequest: Codable, Sendable, Equatable {
    /// The account's id, which never changes: 1 to 64 characters of `a`–`z`, `0`–`9`, `.`, `_`, `-`, but neither `.` nor
    /// `..`.
    public var user: UserID
    /// The password, 1 to 1,024 bytes of UTF-8.
    public var password: String
    /// The display name, 1 to 128 characters; defaults to the user's id.
    public var name: String?

    /// Creates a request for a new account.
    public init(user: UserID, password: String, name: String? = nil) {
      self.user = user
      self.password = password
      self.name = name
    }
  }

  /// Answer of `POST /v1/accounts` and `GET /v1/me`.
  public struct Profile: Codable, Sendable, Equatable {
    /// The account's id.
    public var user: UserID
    /// The display name.
    public var name: String

    /// Creates a profile.
    public init(user: UserID, name: String) {
      self.user = user
      self.name = name
    }
  }

  /// Body of `POST /v1/sessions`.
  public struct SessionRequest: Codable, Sendable, Equatable {
    /// The account's id.
    public var user: UserID
    /// The account's password.
    public var password: String
    /// The user's name for this device, at most 128 characters.
    public var device: String?

    /// Creates a request to sign in.
    public init(user: UserID, password: String, device: String? = nil) {
      self.user = user
      self.password = password
      self.device = device
    }
  }

  /// Body of `POST /v1/sessions/renewal`.
  public struct RenewalRequest: Codable, Sendable, Equatable {
    /// The refresh token from the sign-in; a secret.
    public var refreshToken: String

    /// Creates a request to renew a session.
    public init(refreshToken: String) { self.refreshToken = refreshToken }
  }

  /// Answer of `POST /v1/sessions` and of `POST /v1/sessions/renewal`.
  public struct Session: Codable, Sendable, Equatable {
    /// The bearer token of every further call; a secret.
    public var token: String
    /// The time at which the token expires, in milliseconds since 1970.
    public var expiresAt: Int64
    /// The session's user.
    public var user: UserID
    /// The token for renewing the session: a secret, which stays the same while the session lasts.
    public var refreshToken: String?

    /// Creates a session.
    public init(token: String, expiresAt: Int64, user: UserID, refreshToken: String? = nil) {
      self.token = token
      self.expiresAt = expiresAt
      self.user = user
      self.refreshToken = refreshToken
    }
  }

  /// Answer of `GET /v1/health`.
  public struct Health: Codable, Sendable, Equatable {
    /// Always `ok`.
    public var status: String

    /// Creates an answer with this status.
    public init(status: String) { self.status = status }
  }
}
