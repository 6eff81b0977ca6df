extension Wire {
  /// A message of a conversation, by the name that its sender's client gave it.
  public struct MessageName: Codable, Sendable, Equatable {
    /// Who sent it.
    public var sender: UserID
    /// Its name among that sender's messages in the conversation.
    public var id: MessageID

    /// A name of these parts.
    public init(sender: UserID, id: MessageID) {
      self.sender = sender
      self.id = id
    }
  }

  /// The message that a reply is to, as it is when the reply is handed out.
  public struct Quote: Codable, Sendable, Equatable {
    /// The name its sender's client gave it.
    public var id: MessageID
    /// The server's name for it.
    public var serverID: ServerID
    /// Who sent it.
    public var sender: UserID
    /// Its type name. Missing, with the content, where that has more than 2,000 bytes.
    public var kind: String?
    /// The content's own JSON text.
    public var content: String?
    /// How often it was edited, recalled, reacted to or pinned. Missing if it never was.
    public var revision: Int64?

    /// A quote of these parts.
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
