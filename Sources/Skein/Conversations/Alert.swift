/// One alert for all messages received together.
public struct Alert: Sendable, Hashable {
  /// The messages of one conversation.
  public struct Part: Sendable, Hashable {
    /// The conversation.
    public let conversation: ConversationID
    /// Its name.
    public let name: String
    /// The messages, in the order in which they were stored.
    public let messages: [ChatMessage]
    /// Whether one of them mentions this account.
    public let isMention: Bool
  }

  /// The conversations, in the order in which their messages were received.
  public let parts: [Part]
  /// Whether to make a sound; false in quiet hours, and within ``AlertOptions/burst`` after the last sound.
  public let makesSound: Bool
  /// Whether to vibrate; false under the same conditions as ``makesSound``.
  public let vibrates: Bool
}

/// When alerts make a sound or vibrate.
public struct AlertOptions: Sendable {
  /// Returns whether sound and vibration are off at a given time, such as in quiet hours that the user has
  /// set; always false by default. Called when received messages may cause an alert, even if they then cause
  /// none. Must return at once, since the client waits for it.
  public var isQuiet: @Sendable (Timestamp) -> Bool = { _ in false }
  /// The minimum time between two sounds. 3 s by default.
  public var burst: Duration = .seconds(3)
  /// The defaults.
  public init() {}
}
