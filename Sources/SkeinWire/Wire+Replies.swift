extension Wire {
  /// A message of a conversation, identified by its sender and the sender's id for it.
  public struct MessageName: Codable, Sendable, Equatable {
    /// Its sender.
    public var sender: UserID
    /// Its id among that sender's messages in the conversation.
    public var id: MessageID

    /// Makes a name.
    public init(sender: UserID, id: MessageID) {
      self.sender = sender
      self.id = id
    }
  }

  /// The message that a reply refers to, in its current state.
  public struct Quote: Codable, Sendable, Equatable {
    /// The id from its sender's client.
    public var id: MessageID
    /// The server's name for it.
    public var serverID: ServerID
    /// Its sender.
    public var sender: UserID
    /// Its type name. Missing, like the content, if the content has more than 2,000 bytes.
    public var kind: String?
    /// The content's own JSON text.
    public var content: String?
    /// The number of its revisions. Missing if it was never revised.
    public var revision: Int64?

    /// Makes a quote.
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
