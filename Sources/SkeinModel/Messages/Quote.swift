/// The current value of the message that a reply refers to. That message may have been edited or recalled, and may be
/// missing on this device.
public struct Quote: Sendable, Hashable {
  /// The id on this device, by which a list can jump to the message; nil if the message is not stored on this
  /// device, or was deleted on this device.
  public let id: LocalMessageID?
  /// The message's ids on the server. If the message is not stored on this device, `ChatContext.jump(to:)`
  /// fetches the message by its server id.
  public let message: MessageReference
  /// The content, as stored on this device or as returned by the server. Nil if the content is neither stored
  /// on this device nor returned by the server, or if the message was deleted on this device.
  public let content: StoredContent?

  package init(id: LocalMessageID?, message: MessageReference, content: StoredContent?) {
    self.id = id
    self.message = message
    self.content = content
  }

  /// The sender.
  public var sender: UserID { message.sender }
  /// Whether the message was recalled; see ``RecalledContent``.
  public var isRecalled: Bool { content?.kind == RecalledContent.kind }
}
