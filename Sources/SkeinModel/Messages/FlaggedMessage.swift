/// A message with a flag as it is now, such as a pinned one, stored on this device or not.
public struct FlaggedMessage: Sendable, Hashable {
  /// Its conversation.
  public let conversation: ConversationID
  /// The id on this device, to jump to; nil if the message is not stored here.
  public let id: LocalMessageID?
  /// Its ids: with the server's id, `ChatContext.jump(to:)` fetches a message that is not stored.
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
