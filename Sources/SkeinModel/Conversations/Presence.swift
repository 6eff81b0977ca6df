/// Whether a user is online, as reported by the server.
public struct Presence: Sendable, Hashable {
  /// Whether at least one of the user's devices is connected.
  public var isOnline: Bool
  /// The time at which an offline user was last connected; nil if the user is online, or if the server does not
  /// report the time.
  public var lastSeen: Timestamp?

  /// Describes the presence of a user.
  public init(isOnline: Bool, lastSeen: Timestamp? = nil) {
    self.isOnline = isOnline
    self.lastSeen = lastSeen
  }

  /// The user is online.
  public static let online = Presence(isOnline: true)
}
