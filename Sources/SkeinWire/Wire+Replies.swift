extension Wire {
  /// Identifies a message of a conversation by its sender, and by the id that the sender's client gave the
  /// message.
  public struct MessageName: Codable, Sendable, Equatable {
    /// The message's sender.
    public var sender: UserID
    /// The id that the sender's client gave the message.
    public var id: MessageID

    /// Creates the identification of a message.
    public init(sender: UserID, id: MessageID) {
      self.sender = sender
      self.id = id
    }
  }

  /// The current state of the message that a reply refers to.
  public struct Quote: Codable, Sendable, Equatable {
    /// The id that the sender's client gave the message.
    public var id: MessageID
    /// The server's id of the message.
    public var serverID: ServerID
    /// The message's sender.
    public var sender: UserID
    /// The message's type name. The type name and the content are missing if the content has more than 2,000 bytes.
    public var kind: String?
    /// The content as a JSON text.
    public var content: String?
    /// The number of the message's revisions, including the asker's changes of the star. Missing if the
    /// message was never revised.
    public var revision: Int64?

    /// Creates a quote.
    public init(
      id: MessageID, serverID: ServerID, sender: UserID, kind: String? = nil, content: String? = nil,
      revision: Int64 = 0
    ) {
      self.id = id
      self.serverID = serverID
      self.sender = sender
      self.kind = kind
      self.content = content
      self.revision = revision == 0 ? nil : revision
    }
  }
}
