/// What a reply shows of the message that it replies to, as that is now: edited, recalled, or not here yet.
public struct Quote: Sendable, Hashable {
  /// The message on this device, to jump to; nil where it is not here, or was deleted here.
  public let id: LocalMessageID?
  /// Its names: with the server's name, ``ChatContext/jump(to:)-(ServerMessageID)`` fetches what is not here.
  public let message: MessageReference
  /// What it says; nil where it is not here and the server did not say, and where it was deleted here.
  public let content: StoredContent?

  package init(id: LocalMessageID?, message: MessageReference, content: StoredContent?) {
    self.id = id
    self.message = message
    self.content = content
  }

  /// Who sent it.
  public var sender: UserID { message.sender }
  /// Whether it was taken back from everybody; see ``RecalledContent``.
  public var isRecalled: Bool { content?.kind == RecalledContent.kind }
}
