public import Foundation
public import SkeinModel
import Synchronization

/// One signed-in device: everything that ``MatrixBackend`` needs. Store the session where the app keeps its
/// secrets.
///
/// Keep the device for as long as possible: the homeserver recognizes repeated messages of the same device only.
public struct MatrixSession: Codable, Hashable, Sendable {
  /// The homeserver's address.
  public var homeserver: URL
  /// The signed-in user, such as `@alice:example.org`.
  public var user: UserID
  /// The device's id, which the homeserver assigned.
  public var device: String
  /// The token that authorizes the calls of this device.
  public var token: MatrixToken
  /// The token for renewing the session; nil if the access token does not expire.
  public var refreshToken: MatrixToken?

  /// Creates a session from stored parts.
  public init(
    homeserver: URL, user: UserID, device: String, token: MatrixToken, refreshToken: MatrixToken? = nil
  ) {
    self.homeserver = homeserver
    self.user = user
    self.device = device
    self.token = token
    self.refreshToken = refreshToken
  }
}

/// The session of all calls of a backend; a renewal replaces its tokens.
final class CurrentSession: Sendable {
  private let session: Mutex<MatrixSession>

  init(_ session: MatrixSession) { self.session = Mutex(session) }

  var value: MatrixSession {
    get { session.withLock { $0 } }
    set { session.withLock { $0 = newValue } }
  }
}
