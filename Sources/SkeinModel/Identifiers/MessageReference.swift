/// A message by the names that a server may know it by.
public struct MessageReference: Sendable, Hashable, Codable {
  /// Who sent it.
  public var sender: UserID
  /// The name that its sender's client gave it: with the sender it says which one is meant, in any life of the server's
  /// history. Nil where the server did not hand it over; then the server's name does.
  public var messageID: MessageID?
  /// The server's name for it; nil where it has none, or where that is not known.
  public var serverID: ServerMessageID?

  /// Names a message.
  public init(sender: UserID, messageID: MessageID?, serverID: ServerMessageID?) {
    self.sender = sender
    self.messageID = messageID
    self.serverID = serverID
  }
}

extension IncomingMessage {
  /// The message by its names.
  public var reference: MessageReference {
    MessageReference(sender: sender, messageID: messageID, serverID: serverID)
  }
}
