/// A message to send, which a ``SendParticipant`` can read and change.
public struct MessageDraft: Sendable, Hashable {
  /// The conversation to send to.
  public let conversation: ConversationID
  /// The id by which the server will know the message.
  public let messageID: MessageID
  /// The content; assign `.known(_:)` to replace it.
  public var content: StoredContent
  /// Parameters that the app's participants add; they are sent beside the content, to the server and the
  /// receivers. The reference server's size limit applies to content and parameters together.
  public var parameters: [String: String] = [:]

  /// The content's type name on the wire.
  public var kind: MessageKind { content.kind }

  /// Creates a draft. The engine creates the drafts it passes to participants; tests of participants create their
  /// own.
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
