/// The current value of the message that a reply refers to; it may be edited, recalled, or not stored yet.
public struct Quote: Sendable, Hashable {
  /// The id on this device, by which a list can jump to the message; nil if it is not stored, or was deleted,
  /// on this device.
  public let id: LocalMessageID?
  /// Its ids; by the server's id, `ChatContext.jump(to:)` fetches a message that is not stored.
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
