/// The current value of a message with a flag, such as a pinned message; it may not be stored on this device.
public struct FlaggedMessage: Sendable, Hashable {
  /// Its conversation.
  public let conversation: ConversationID
  /// The id on this device, by which a list can jump to the message; nil if it is not stored on this device.
  public let id: LocalMessageID?
  /// Its ids; by the server's id, `ChatContext.jump(to:)` fetches a message that is not stored.
  public let message: MessageReference
  /// The content.
  public let content: StoredContent
  /// The time at which the server stored it.
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
