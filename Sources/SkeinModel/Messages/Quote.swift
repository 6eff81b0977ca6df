/// The message that a reply refers to, as it is now: it may be edited, recalled, or not stored yet.
public struct Quote: Sendable, Hashable {
  /// The id on this device, to jump to; nil if the message is not stored here, or was deleted here.
  public let id: LocalMessageID?
  /// Its ids: with the server's id, `ChatContext.jump(to:)` fetches a message that is not stored.
  public let message: MessageReference
  /// The content; nil if the message is not stored and the server did not return it, or if it was deleted here.
  public let content: StoredContent?

  package init(id: LocalMessageID?, message: MessageReference, content: StoredContent?) {
    self.id = id
    self.message = message
    self.content = content
  }

  /// The sender.
  public var sender: UserID { message.sender }
  /// Whether it was recalled; see ``RecalledContent``.
  public var isRecalled: Bool { content?.kind == RecalledContent.kind }
}
