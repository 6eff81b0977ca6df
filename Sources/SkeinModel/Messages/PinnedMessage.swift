/// A message that is pinned for everybody in its chat, as it is now, whether it is on this device or not.
public struct PinnedMessage: Sendable, Hashable {
  /// The message on this device, to jump to; nil where it is not here.
  public let id: LocalMessageID?
  /// Its names: with the server's name, ``ChatContext/jump(to:)-(ServerMessageID)`` fetches what is not here.
  public let message: MessageReference
  /// What it says.
  public let content: StoredContent
  /// When the server took it.
  public let time: Timestamp

  package init(id: LocalMessageID?, message: MessageReference, content: StoredContent, time: Timestamp) {
    self.id = id
    self.message = message
    self.content = content
    self.time = time
  }

  /// Who sent it.
  public var sender: UserID { message.sender }
}
