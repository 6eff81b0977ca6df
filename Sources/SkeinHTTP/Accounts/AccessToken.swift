import Synchronization

/// The token that authorizes calls of a session: a secret, which descriptions do not reveal.
public struct AccessToken: RawRepresentable, Hashable, Sendable, Codable {
  /// The token as the server issued it.
  public let rawValue: String
  /// Wraps a token from the server or from storage.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// A placeholder that contains no part of the token.
  public var description: String { "(token)" }
  /// A placeholder that contains no part of the token.
  public var debugDescription: String { description }
  /// No children, so that reflection reveals nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The current token of all calls; a renewal replaces it.
final class CurrentToken: Sendable {
  private let token: Mutex<AccessToken>

  init(_ token: AccessToken) { self.token = Mutex(token) }

  var value: AccessToken {
    get { token.withLock { $0 } }
    set { token.withLock { $0 = newValue } }
  }
}
