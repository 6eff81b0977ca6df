/// A flag that users can set on a message and remove again: a pin, or a star.
public struct MessageFlag: RawRepresentable, Hashable, Sendable, Codable {
  /// The flag's name, as the server stores it.
  public let rawValue: String
  /// Wraps a stored or received name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Pinned for everybody in the conversation.
  public static let pin = MessageFlag(rawValue: "pin")
  /// Saved for later by this account; nobody else sees the flag.
  public static let star = MessageFlag(rawValue: "star")
}

extension ChatMessage {
  /// Whether the message is pinned for the whole conversation. This account's pins and unpins are included
  /// before the server confirms them.
  public var isPinned: Bool { flags.contains(.pin) }

  /// Whether this account has starred the message, on this device or on another.
  public var isStarred: Bool { flags.contains(.star) }
}
