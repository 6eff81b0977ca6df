/// An access token or a refresh token: a secret, which descriptions do not reveal.
public struct MatrixToken: RawRepresentable, Hashable, Sendable, Codable {
  /// The token as the homeserver issued it.
  public let rawValue: String
  /// Wraps a token from the homeserver or from storage.
  public init(rawValue: String) { self.rawValue = rawValue }
}

extension MatrixToken: CustomStringConvertible, CustomReflectable {
  /// A placeholder that contains no part of the token.
  public var description: String { "(token)" }
  /// No children, so that reflection reveals nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
