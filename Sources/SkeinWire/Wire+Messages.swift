extension Wire {
  /// Body of `POST /v1/conversations/{id}/messages`.
  public struct MessageRequest: Codable, Sendable, Equatable {
    /// The id that the sender's client gave the message. Posting the message again returns the same receipt,
    /// or ``ErrorCode/idInUse`` if the message was edited or recalled meanwhile.
    public var id: MessageID
    /// The message's type name, 1 to 64 characters; the server does not interpret it.
    public var kind: String
    /// The content as a JSON text, which the server stores and returns byte for byte; at most 256 KiB by default.
    public var content: String
    /// The app's values beside the content. Their size and the size of the mentions count towards the content's
    /// limit. Missing if empty.
    public var parameters: [String: String]?
    /// The message that this message replies to. Missing if this message is not a reply.
    public var replyTo: MessageName?
    /// The mentions. Missing if there are none.
    public var mentions: Mentions?
    /// Whether the message counts as unread. Missing if true.
    public var isCountable: Bool?
    /// The id of the message that the client posted just before this message, if that message has no answer
    /// yet. The server stores this message only if the earlier message is stored. Missing if no answer is
    /// open.
    public var after: MessageID?

    /// Creates a message to post.
    public init(
      id: MessageID, kind: String, content: String, parameters: [String: String] = [:],
      replyTo: MessageName? = nil, mentions: Mentions? = nil, isCountable: Bool = true,
      after: MessageID? = nil
    ) {
      self.id = id
      self.kind = kind
      self.content = content
      self.parameters = parameters.isEmpty ? nil : parameters
      self.replyTo = replyTo
      self.mentions = mentions
      self.isCountable = isCountable ? nil : false
      self.after = after
    }
  }

  /// Answer of `POST /v1/conversations/{id}/messages`: the message is on the server's disk.
  public struct MessageReceipt: Codable, Sendable, Equatable {
    /// The id with which the message was posted.
    public var id: MessageID
    /// The server's id of the message.
    public var serverID: ServerID
    /// The message's position in the conversation. Positions count from 1, without holes.
    public var position: Int64
    /// The time at which the server stored the message, in milliseconds since 1970.
    public var time: Int64
    /// The epoch of the server id and the position.
    public var epoch: Epoch?

    /// Creates a receipt.
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
    /// The id that the sender's client gave the message; unique among the sender's messages in the conversation.
    public var id: MessageID
    /// The server's id of the message.
    public var serverID: ServerID
    /// The message's conversation.
    public var conversation: ConversationID
    /// The message's position in the conversation. Positions count from 1, without holes.
    public var position: Int64
    /// The message's sender.
    public var sender: UserID
    /// The time at which the server stored the message, in milliseconds since 1970.
    public var time: Int64
    /// The message's type name.
    public var kind: String
    /// The content as a JSON text, byte for byte as its sender posted it or last edited it. The
    /// content of a recalled message names the sender instead.
    public var content: String
    /// The sender's values beside the content. Missing if empty.
    public var parameters: [String: String]?
    /// The number of the message's revisions, including the asker's changes of the star. Of two states of a
    /// message, the state with the higher number is newer. Missing if the message was never revised.
    public var revision: Int64?
    /// The time of the sender's last edit, in milliseconds since 1970. Missing if the message was never edited.
    public var edited: Int64?
    /// The reactions to the message. Missing if there are none.
    public var reactions: [Reaction]?
    /// The message's flags by name, each with the time at which it was set, in milliseconds since 1970. Missing if
    /// there are none.
    public var flags: [String: Int64]?
    /// The message that this message replies to. Missing if this message is not a reply or was recalled.
    public var quote: Quote?
    /// The mentions. Missing if there are none.
    public var mentions: Mentions?
    /// Whether the message counts as unread, as its sender stated. Missing if true.
    public var isCountable: Bool?

    /// Creates a message.
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
