/// The current value of a message with a flag, such as a pinned message. The message may be missing on this device.
public struct FlaggedMessage: Sendable, Hashable {
  /// The message's conversation.
  public let conversation: ConversationID
  /// The id on this device, by which a list can jump to the message; nil if the message is not stored on this device.
  public let id: LocalMessageID?
  /// The message's ids on the server. If the message is not stored on this device, `ChatContext.jump(to:)`
  /// fetches the message by its server id.
  public let message: MessageReference
  /// The content.
  public let content: StoredContent
  /// The time at which the server stored the message.
  public let time: Timestamp

  package init(
    conversation: ConversationID, id: LocalMessageID?, message: MessageReference, content: StoredContent,
    time: Timestamp
  ) {
    self.conversation = conversation
    self.id = id
    self.message = message
    self.content = content
    self.time = time
  }

  /// The sender.
  public var sender: UserID { message.sender }
}
