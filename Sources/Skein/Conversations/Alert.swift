/// What people are to be told of messages that have come, once for all that came together.
public struct Alert: Sendable, Hashable {
  /// What came in one conversation.
  public struct Part: Sendable, Hashable {
    /// Where.
    public let conversation: ConversationID
    /// What it is called.
    public let name: String
    /// The messages, in their order.
    public let messages: [ChatMessage]
    /// Whether one of them calls this account.
    public let isMention: Bool
  }

  /// The conversations, in the order in which they are heard of.
  public let parts: [Part]
  /// Whether to make a sound; not in quiet hours, and not again in the middle of a burst.
  public let makesSound: Bool
  /// Whether to vibrate; as for the sound.
  public let vibrates: Bool
}

/// When people are told of messages, and how.
public struct AlertOptions: Sendable {
  /// Whether it is quiet at a moment, so that nothing sounds or vibrates: an app's quiet hours, by the device's calendar. Never by
  /// default. Called at each alert, on a task of the client's.
  public var isQuiet: @Sendable (Timestamp) -> Bool = { _ in false }
  /// Within this time after a sound there is no other one. 3 s by default.
  public var burst: Duration = .seconds(3)
  /// The defaults.
  public init() {}
}
