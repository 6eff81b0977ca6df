/// One alert for all messages and invitations received together.
public struct Alert: Sendable, Hashable {
  /// The messages of one conversation, or the invitation to it.
  public struct Part: Sendable, Hashable {
    /// The conversation.
    public let conversation: ConversationID
    /// The name of the conversation.
    public let name: String
    /// The messages, in the order in which they were stored; empty if only an invitation was received.
    public let messages: [ChatMessage]
    /// Whether one of the messages mentions this account.
    public let isMention: Bool
    /// The invitation that this account has received, and has not answered yet; nil if only messages were received.
    public let invitation: Conversation.Invitation?
  }

  /// The messages by conversation, in the order in which the conversations received their first message of
  /// this alert, or their invitation. A conversation has one part, even if its messages were received in
  /// several batches while the client started.
  public let parts: [Part]
  /// Whether to make a sound; false in quiet hours, and within ``AlertOptions/burst`` after the last sound.
  public let makesSound: Bool
  /// Whether to vibrate; false under the same conditions as ``makesSound``.
  public let vibrates: Bool
}

/// When alerts make a sound or vibrate.
public struct AlertOptions: Sendable {
  /// Returns whether sound and vibration are off at a given time, for example in the user's quiet hours.
  /// Always returns false by default. Called for received messages, even if these messages then cause no
  /// alert. Must return at once, since the client waits for the result.
  public var isQuiet: @Sendable (Timestamp) -> Bool = { _ in false }
  /// The minimum time between two sounds. 3 s by default.
  public var burst: Duration = .seconds(3)
  /// Creates options with the default values.
  public init() {}
}
