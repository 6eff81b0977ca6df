#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message as received from the server.
public struct IncomingMessage: Sendable, Hashable {
  /// The server's id of the message; nil if it has none.
  public var serverID: ServerMessageID?
  /// The id that the sender's client gave the message; nil if the server does not store it.
  public var messageID: MessageID?
  /// The sender.
  public var sender: UserID
  /// Its position in the conversation, if the server assigns positions.
  public var position: Position?
  /// The time at which the server stored it.
  public var time: Timestamp
  /// Its type name.
  public var kind: MessageKind
  /// The content, as encoded by the sender.
  public var payload: Data
  /// Rises with every edit, recall, reaction or flag; 0 if the server does not count.
  public var revision: Int64
  /// The parameters sent beside the content; nil if the server does not store them.
  public var parameters: [String: String]?
  /// The time of the sender's last edit; nil if there is none, or if the server does not state it.
  public var edited: Timestamp?
  /// All reactions, which replace the stored ones; nil if the server does not state them.
  public var reactions: [Reaction]?
  /// Its flags, each with the time at which it was set.
  public var flags: [MessageFlag: Timestamp]
  /// The message that it replies to; nil if it is no reply.
  public var quote: IncomingQuote?
  /// The users it mentions; nil if the server does not state them, and the content decides.
  public var mentions: Mentions?
  /// Whether the server counts it as unread for the others; nil if the server does not count, and the kind decides
  /// (``MessageContent/isCountable``). A server that counts messages of every kind states true.
  public var isCountable: Bool?

  /// Describes a message.
  public init(
    serverID: ServerMessageID?, messageID: MessageID?, sender: UserID, position: Position?, time: Timestamp,
    kind: MessageKind, payload: Data, revision: Int64 = 0, parameters: [String: String]? = nil,
    edited: Timestamp? = nil, reactions: [Reaction]? = nil, flags: [MessageFlag: Timestamp] = [:],
    quote: IncomingQuote? = nil, mentions: Mentions? = nil, isCountable: Bool? = nil
  ) {
    self.serverID = serverID
    self.messageID = messageID
    self.sender = sender
    self.position = position
    self.time = time
    self.kind = kind
    self.payload = payload
    self.revision = revision
    self.parameters = parameters
    self.edited = edited
    self.reactions = reactions
    self.flags = flags
    self.quote = quote
    self.mentions = mentions
    self.isCountable = isCountable
  }
}

/// The message that another one replies to, as received with the reply.
public struct IncomingQuote: Sendable, Hashable {
  /// The ids of the message.
  public var message: MessageReference
  /// Its current type name; nil if the server returns the ids only.
  public var kind: MessageKind?
  /// Its current content; nil together with the type name.
  public var payload: Data?
  /// Its ``IncomingMessage/revision``.
  public var revision: Int64

  /// Describes a message that is replied to.
  public init(
    message: MessageReference, kind: MessageKind? = nil, payload: Data? = nil, revision: Int64 = 0
  ) {
    self.message = message
    self.kind = kind
    self.payload = payload
    self.revision = revision
  }
}
