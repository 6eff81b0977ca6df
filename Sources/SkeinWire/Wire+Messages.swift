extension Wire {
  /// Body of `POST /v1/conversations/{id}/messages`.
  public struct MessageRequest: Codable, Sendable, Equatable {
    /// Chosen by the sender's client; posting the message again returns the first answer again.
    public var id: MessageID
    /// The message's type name, 1 to 64 characters; the server does not interpret it.
    public var kind: String
    /// The content's own JSON text, stored and returned byte for byte; at most 256 KiB by default.
    public var content: String
    /// The app's values beside the content; their size counts towards the content's limit. Missing if empty.
    public var parameters: [String: String]?
    /// The message that it replies to. Missing if it is not a reply.
    public var replyTo: MessageName?
    /// The mentions. Missing if there are none.
    public var mentions: Mentions?
    /// Whether it counts as unread. Missing if it does.
    public var isCountable: Bool?

    /// Makes a message to post.
    public init(
      id: MessageID, kind: String, content: String, parameters: [String: String] = [:],
      replyTo: MessageName? = nil, mentions: Mentions? = nil, isCountable: Bool = true
    ) {
      self.id = id
      self.kind = kind
      self.content = content
      self.parameters = parameters.isEmpty ? nil : parameters
      self.replyTo = replyTo
      self.mentions = mentions
      self.isCountable = isCountable ? nil : false
    }
  }

  /// Answer of `POST /v1/conversations/{id}/messages`: the message is on the server's disk.
  public struct MessageReceipt: Codable, Sendable, Equatable {
    /// The id it was posted with.
    public var id: MessageID
    /// The server's name for it.
    public var serverID: ServerID
    /// Its position in the conversation, from 1 and without holes.
    public var position: Int64
    /// When the server stored it, in milliseconds since 1970.
    public var time: Int64
    /// The epoch of server id and position.
    public var epoch: Epoch?

    /// Makes a receipt.
    public init(id: MessageID, serverID: ServerID, position: Int64, time: Int64, epoch: Epoch? = nil) {
      self.id = id
      self.serverID = serverID
      self.position = position
      self.time = time
      self.epoch = epoch
    }
  }

  /// A message as the server returns it.
  public struct Message: Codable, Sendable, Equatable {
    /// The id from its sender's client; unique among that sender's messages in the conversation.
    public var id: MessageID
    /// The server's name for it.
    public var serverID: ServerID
    /// Its conversation.
    public var conversation: ConversationID
    /// Its position in the conversation, from 1 and without holes.
    public var position: Int64
    /// Its sender.
    public var sender: UserID
    /// When the server stored it, in milliseconds since 1970.
    public var time: Int64
    /// The message's type name.
    public var kind: String
    /// The content's own JSON text, byte for byte as it was posted.
    public var content: String
    /// The sender's values beside the content. Missing if empty.
    public var parameters: [String: String]?
    /// The number of its revisions; of two states, the one with the higher number is newer. Missing if it was
    /// never revised.
    public var revision: Int64?
    /// When its sender last edited it, in milliseconds since 1970. Missing if never.
    public var edited: Int64?
    /// Its reactions. Missing if there are none.
    public var reactions: [Reaction]?
    /// Its flags by name, each with the time it was set, in milliseconds since 1970. Missing if there are none.
    public var flags: [String: Int64]?
    /// The message it replies to. Missing if it is not a reply.
    public var quote: Quote?
    /// The mentions. Missing if there are none.
    public var mentions: Mentions?
    /// Whether it counts as unread, as set when it was posted. Missing if it does.
    public var isCountable: Bool?

    /// Makes a message.
    public init(
      id: MessageID, serverID: ServerID, conversation: ConversationID, position: Int64, sender: UserID,
      time: Int64, kind: String, content: String, parameters: [String: String] = [:], revision: Int64 = 0,
      edited: Int64? = nil, reactions: [Reaction]? = nil, flags: [String: Int64] = [:], quote: Quote? = nil,
      mentions: Mentions? = nil, isCountable: Bool = true
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
      self.flags = flags.isEmpty ? nil : flags
      self.quote = quote
      self.mentions = mentions
      self.isCountable = isCountable ? nil : false
    }
  }
}
