/// A message to send, as a ``SendParticipant`` receives and changes it.
public struct MessageDraft: Sendable, Hashable {
  /// The conversation to send to.
  public let conversation: ConversationID
  /// The id under which the message will be posted.
  public let messageID: MessageID
  /// The content; assign `.known(_:)` to replace it.
  public var content: StoredContent
  /// Parameters that the app's participants add. The parameters are sent beside the content, to the server and the
  /// receivers. The reference server limits the total size of content, parameters and mentions.
  public var parameters: [String: String] = [:]

  /// The content's type name on the wire.
  public var kind: MessageKind { content.kind }

  /// Creates a draft, for tests of participants; the engine creates the drafts that it passes to participants.
  public init(
    conversation: ConversationID, messageID: MessageID, content: StoredContent,
    parameters: [String: String] = [:]
  ) {
    self.conversation = conversation
    self.messageID = messageID
    self.content = content
    self.parameters = parameters
  }
}
