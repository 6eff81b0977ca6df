import Synchronization

/// What shows the server whose session a call belongs to; a secret, which no description gives away.
public struct AccessToken: RawRepresentable, Hashable, Sendable, Codable {
  /// The token as the server made it.
  public let rawValue: String
  /// Takes a server's or a stored token.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// That it is a token, and nothing of it.
  public var description: String { "(token)" }
  /// That it is a token, and nothing of it.
  public var debugDescription: String { description }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The token that calls carry now: a renewal puts another one in its place.
final class CurrentToken: Sendable {
  private let token: Mutex<AccessToken>

  init(_ token: AccessToken) { self.token = Mutex(token) }

  var value: AccessToken {
    get { token.withLock { $0 } }
    set { token.withLock { $0 = newValue } }
  }
}
