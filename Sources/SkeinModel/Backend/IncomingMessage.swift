#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message as the server hands it over.
public struct IncomingMessage: Sendable, Hashable {
  /// The server's name for it; nil where it has none.
  public var serverID: ServerMessageID?
  /// The name its sender's client gave it; nil where the server does not keep it.
  public var messageID: MessageID?
  /// Who sent it.
  public var sender: UserID
  /// Its place in the conversation, where the server orders.
  public var position: Position?
  /// When the server took it.
  public var time: Timestamp
  /// Its type name.
  public var kind: MessageKind
  /// The content's bytes as their sender froze them.
  public var payload: Data
  /// Rises with every edit, recall, reaction or pin; 0 where the server does not count.
  public var revision: Int64
  /// What its sender's app told beside the content; nil where the server does not keep that.
  public var parameters: [String: String]?
  /// When its sender last edited it; nil if that never happened, or where the server does not say.
  public var edited: Timestamp?
  /// Who reacted to it, all of them: they replace what was known. Nil where the server does not say.
  public var reactions: [Reaction]?
  /// When it was pinned for everybody in its conversation; nil if it is not.
  public var pinned: Timestamp?
  /// What it replies to; nil if it is no reply.
  public var quote: IncomingQuote?
  /// Whom it calls; nil where the server does not say, and then the content does.
  public var mentions: Mentions?
  /// Whether the server counts it as unread for the others; nil where the server does not count at all, and then its kind
  /// decides (``MessageContent/isCountable``). For a server that counts messages of every kind, state true.
  public var isCountable: Bool?

  /// Describes a message.
  public init(
    serverID: ServerMessageID?, messageID: MessageID?, sender: UserID, position: Position?, time: Timestamp,
    kind: MessageKind, payload: Data, revision: Int64 = 0, parameters: [String: String]? = nil,
    edited: Timestamp? = nil, reactions: [Reaction]? = nil, pinned: Timestamp? = nil,
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
    self.pinned = pinned
    self.quote = quote
    self.mentions = mentions
    self.isCountable = isCountable
  }
}

/// A message that another one replies to, as the server hands it over with that.
public struct IncomingQuote: Sendable, Hashable {
  /// Its names.
  public var message: MessageReference
  /// Its type name as it is now; nil where the server hands over no more than the names.
  public var kind: MessageKind?
  /// The content's bytes as they are now; nil with the type name.
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
