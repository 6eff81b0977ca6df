/// A mark that members set on a message and remove again, such as a pin.
public struct MessageMark: RawRepresentable, Hashable, Sendable, Codable {
  /// The mark's name, as the server stores it.
  public let rawValue: String
  /// Wraps a stored or received name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Pinned for everybody in the conversation.
  public static let pin = MessageMark(rawValue: "pin")
  /// The marks that Skein knows; a server may have others.
  public static let known: [MessageMark] = [.pin]
}

extension ChatMessage {
  /// Whether it is pinned for the whole conversation, or will be once the server confirms it.
  public var isPinned: Bool { marks.contains(.pin) }
}
