#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message on its way to the server: every attempt carries the same id and the same bytes.
public struct OutgoingMessage: Sendable, Hashable {
  /// The idempotency key.
  public let id: MessageID
  /// Where it goes.
  public let conversation: ConversationRef
  /// Its type name.
  public let kind: MessageKind
  /// The content, encoded once; sent as it is.
  public let payload: Data
  /// What goes with the content; see ``MessageDraft/parameters``.
  public let parameters: [String: String]
  /// The message of the same conversation that it replies to; nil on backends that keep no replies.
  public let replyTo: MessageReference?
  /// Whom it calls.
  public let mentions: Mentions
  /// Whether it counts as unread for the others, by its kind (``MessageContent/isCountable``). A server that counts unread
  /// messages stores it, leaves the message out of its counts if false, and returns it
  /// (``IncomingMessage/isCountable``). It is no part of the content: the same id with another value is the same message.
  public let isCountable: Bool

  /// Describes a message on its way.
  public init(
    id: MessageID, conversation: ConversationRef, kind: MessageKind, payload: Data,
    parameters: [String: String] = [:], replyTo: MessageReference? = nil,
    mentions: Mentions = .nobody, isCountable: Bool = true
  ) {
    self.id = id
    self.conversation = conversation
    self.kind = kind
    self.payload = payload
    self.parameters = parameters
    self.replyTo = replyTo
    self.mentions = mentions
    self.isCountable = isCountable
  }
}

/// What a server says of a message it took; it may know no more than that it took it.
public struct SendReceipt: Sendable, Hashable {
  /// The server's name for the message.
  public var serverID: ServerMessageID?
  /// The message's place in the conversation.
  public var position: Position?
  /// When the server took it.
  public var time: Timestamp?
  /// The life of the server's history that name and place belong to; nil where the server does not say.
  public var epoch: Epoch?

  /// Says what is known.
  public init(
    serverID: ServerMessageID? = nil, position: Position? = nil, time: Timestamp? = nil, epoch: Epoch? = nil
  ) {
    self.serverID = serverID
    self.position = position
    self.time = time
    self.epoch = epoch
  }
}

/// A conversation that is to be opened.
public enum ConversationRequest: Sendable, Hashable, Codable {
  /// The one-to-one chat with a user; the server has one or makes one.
  case direct(UserID)
  /// A new group; `id` is the idempotency key of its making.
  case group(id: String, title: String, members: [UserID])
}
