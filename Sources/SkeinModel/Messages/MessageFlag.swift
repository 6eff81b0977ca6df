/// A flag that members set on a message and remove again, such as a pin.
public struct MessageFlag: RawRepresentable, Hashable, Sendable, Codable {
  /// The flag's name, as the server stores it.
  public let rawValue: String
  /// Wraps a stored or received name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Pinned for everybody in the conversation.
  public static let pin = MessageFlag(rawValue: "pin")
}

extension ChatMessage {
  /// Whether it is pinned for the whole conversation, or will be once the server confirms it.
  public var isPinned: Bool { flags.contains(.pin) }
}
