extension Wire {
  /// Body of `POST /v1/conversations/{id}/messages`.
  public struct MessageRequest: Codable, Sendable, Equatable {
    /// Made once by the sender's client; posting it again gives the first answer again.
    public var id: MessageID
    /// The message's type name, 1 to 64 characters; the server stores it and asks nothing of it.
    public var kind: String
    /// The content's own JSON text, stored and handed out byte for byte; 256 KiB unless the server says otherwise.
    public var content: String
    /// What the app tells beside the content; with the content at most as large as a content alone. Missing if empty.
    public var parameters: [String: String]?
    /// The message of the conversation that it replies to. Missing if it is no reply.
    public var replyTo: MessageName?
    /// Whom it calls. Missing if nobody.
    public var mentions: Mentions?

    /// A message to post.
    public init(
      id: MessageID, kind: String, content: String, parameters: [String: String] = [:],
      replyTo: MessageName? = nil, mentions: Mentions? = nil
    ) {
      self.id = id
      self.kind = kind
      self.content = content
      self.parameters = parameters.isEmpty ? nil : parameters
      self.replyTo = replyTo
      self.mentions = mentions
    }
  }

  /// Answer of `POST /v1/conversations/{id}/messages`: the message is on the server's disk.
  public struct MessageReceipt: Codable, Sendable, Equatable {
    /// The id it was posted with.
    public var id: MessageID
    /// The server's name for it.
    public var serverID: ServerID
    /// Its place in the conversation, from 1 and without holes.
    public var position: Int64
    /// When the server took it, in milliseconds since 1970.
    public var time: Int64
    /// The life of the database that name and place belong to.
    public var epoch: Epoch?

    /// A receipt of these parts.
    public init(id: MessageID, serverID: ServerID, position: Int64, time: Int64, epoch: Epoch? = nil) {
      self.id = id
      self.serverID = serverID
      self.position = position
      self.time = time
      self.epoch = epoch
    }
  }

  /// A message as the server hands it out.
  public struct Message: Codable, Sendable, Equatable {
    /// The name its sender's client gave it; unique among that sender's messages in the conversation.
    public var id: MessageID
    /// The server's name for it.
    public var serverID: ServerID
    /// Where it stands.
    public var conversation: ConversationID
    /// Its place there, from 1 and without holes.
    public var position: Int64
    /// Who sent it.
    public var sender: UserID
    /// When the server took it, in milliseconds since 1970.
    public var time: Int64
    /// The message's type name.
    public var kind: String
    /// The content's own JSON text, byte for byte as it was posted.
    public var content: String
    /// What its sender's app told beside the content. Missing if empty.
    public var parameters: [String: String]?
    /// How often it was edited, recalled, reacted to or pinned; the higher is the newer. Missing if it never was.
    public var revision: Int64?
    /// When its sender last edited it, in milliseconds since 1970. Missing if that never happened.
    public var edited: Int64?
    /// Who reacted to it. Missing if nobody does.
    public var reactions: [Reaction]?
    /// When it was pinned, in milliseconds since 1970. Missing if it is not.
    public var pinned: Int64?
    /// What it replies to. Missing if it is no reply.
    public var quote: Quote?
    /// Whom it calls. Missing if nobody.
    public var mentions: Mentions?

    /// A message of these parts.
    public init(
      id: MessageID, serverID: ServerID, conversation: ConversationID, position: Int64, sender: UserID,
      time: Int64, kind: String, content: String, parameters: [String: String] = [:], revision: Int64 = 0,
      edited: Int64? = nil, reactions: [Reaction]? = nil, pinned: Int64? = nil, quote: Quote? = nil,
      mentions: Mentions? = nil
    ) {
      self.id = id
      self.serverID = serverID
      self.conversation = conversation
      self.position = position
      self.sender = sender
      self.time = time
      self.kind = kind
      self.content = content
      self.parameters = parameters.isEmpty ? nil : parameters
      self.revision = revision == 0 ? nil : revision
      self.edited = edited
      self.reactions = reactions
      self.pinned = pinned
      self.quote = quote
      self.mentions = mentions
    }
  }
}
