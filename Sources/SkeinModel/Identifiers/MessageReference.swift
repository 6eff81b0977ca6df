/// The ids that identify a message on the server.
public struct MessageReference: Sendable, Hashable, Codable {
  /// The sender.
  public var sender: UserID
  /// The id that the sender's client gave the message. Together with the sender, this id identifies the message in
  /// every epoch. If nil, the server did not return this id, and ``serverID`` identifies the message.
  public var messageID: MessageID?
  /// The server's id of the message; nil if the server assigns no ids, or if the id is unknown.
  public var serverID: ServerMessageID?

  /// Creates a reference.
  public init(sender: UserID, messageID: MessageID?, serverID: ServerMessageID?) {
    self.sender = sender
    self.messageID = messageID
    self.serverID = serverID
  }
}

extension IncomingMessage {
  /// A reference to the message.
  public var reference: MessageReference {
    MessageReference(sender: sender, messageID: messageID, serverID: serverID)
  }
}
