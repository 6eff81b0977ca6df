/// One alert for all messages received together.
public struct Alert: Sendable, Hashable {
  /// The messages of one conversation.
  public struct Part: Sendable, Hashable {
    /// The conversation.
    public let conversation: ConversationID
    /// Its name.
    public let name: String
    /// The messages, in their order.
    public let messages: [ChatMessage]
    /// Whether one of them mentions this account.
    public let isMention: Bool
  }

  /// The conversations, in the order in which they were received.
  public let parts: [Part]
  /// Whether to make a sound; false in quiet hours, and within ``AlertOptions/burst`` after the last sound.
  public let makesSound: Bool
  /// Whether to vibrate, under the same conditions as for the sound.
  public let vibrates: Bool
}

/// Which messages alert, and how.
public struct AlertOptions: Sendable {
  /// Whether sound and vibration are off at a given time, as in an app's quiet hours by the device's
  /// calendar; by default always false. Called for each alert, on a task of the client.
  public var isQuiet: @Sendable (Timestamp) -> Bool = { _ in false }
  /// The minimum time between two sounds. 3 s by default.
  public var burst: Duration = .seconds(3)
  /// The defaults.
  public init() {}
}
