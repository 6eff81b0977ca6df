/// Whether somebody is there, by the server's word.
public struct Presence: Sendable, Hashable {
  /// Whether one of their devices is connected.
  public var isOnline: Bool
  /// When the last one was, of somebody who is not online; nil where the server does not say.
  public var lastSeen: Timestamp?

  /// Says whether somebody is there.
  public init(isOnline: Bool, lastSeen: Timestamp? = nil) {
    self.isOnline = isOnline
    self.lastSeen = lastSeen
  }

  /// Somebody is there.
  public static let online = Presence(isOnline: true)
}
