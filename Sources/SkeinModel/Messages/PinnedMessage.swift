/// A pinned message of a chat as it is now, stored on this device or not.
public struct PinnedMessage: Sendable, Hashable {
  /// The id on this device, to jump to; nil if the message is not stored here.
  public let id: LocalMessageID?
  /// Its ids: with the server's id, `ChatContext.jump(to:)` fetches a message that is not stored.
  public let message: MessageReference
  /// The content.
  public let content: StoredContent
  /// The time at which the server stored it.
  public let time: Timestamp

  package init(id: LocalMessageID?, message: MessageReference, content: StoredContent, time: Timestamp) {
    self.id = id
    self.message = message
    self.content = content
    self.time = time
  }

  /// The sender.
  public var sender: UserID { message.sender }
}
