#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message as received from the server.
public struct IncomingMessage: Sendable, Hashable {
  /// The server's id of the message; nil if the server assigns no ids.
  public var serverID: ServerMessageID?
  /// The id that the sender's client gave the message; nil if the server does not return this id.
  public var messageID: MessageID?
  /// The sender.
  public var sender: UserID
  /// The message's position in the conversation, if the server assigns positions.
  public var position: Position?
  /// The time at which the server stored the message.
  public var time: Timestamp
  /// The message's type name.
  public var kind: MessageKind
  /// The content, as encoded by the sender.
  public var payload: Data
  /// The number of the message's current revision, which rises with every edit, recall, reaction or flag; 0 if the
  /// server does not count revisions.
  public var revision: Int64
  /// The parameters sent beside the content; nil if the server does not store parameters.
  public var parameters: [String: String]?
  /// The time of the sender's last edit; nil if the message was not edited, or if the server does not report the
  /// time.
  public var edited: Timestamp?
  /// All reactions, which replace the reactions stored on this device; nil if the server does not report
  /// reactions.
  public var reactions: [Reaction]?
  /// The message's flags, each with the time at which it was set.
  public var flags: [MessageFlag: Timestamp]
  /// The message that this message replies to; nil if this message is not a reply.
  public var quote: IncomingQuote?
  /// The users that the message mentions. If nil, the server does not report mentions, and the engine takes
  /// the mentions from the content.
  public var mentions: Mentions?
  /// Whether the message counts as unread for the other members. If nil, the server does not report this, and
  /// the kind decides (``MessageContent/isCountable``). If the server counts messages of every kind, set this
  /// to true for every message.
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

/// The message that a reply refers to, as received with the reply.
public struct IncomingQuote: Sendable, Hashable {
  /// The ids of the message that is replied to.
  public var message: MessageReference
  /// The current type name of that message; nil if the server returns the ids only.
  public var kind: MessageKind?
  /// The current content of that message; nil if ``kind`` is nil.
  public var payload: Data?
  /// The ``IncomingMessage/revision`` of that message.
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
