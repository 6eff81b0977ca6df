#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message to send to the server: every attempt has the same id and the same bytes.
public struct OutgoingMessage: Sendable, Hashable {
  /// The idempotency key.
  public let id: MessageID
  /// The conversation to post to.
  public let conversation: ConversationRef
  /// Its type name.
  public let kind: MessageKind
  /// The content, encoded once; sent as it is.
  public let payload: Data
  /// The parameters sent beside the content; see ``MessageDraft/parameters``.
  public let parameters: [String: String]
  /// The message of the same conversation that it replies to; nil on backends without replies.
  public let replyTo: MessageReference?
  /// The users that it mentions.
  public let mentions: Mentions
  /// Whether it counts as unread for the other members; its kind decides (``MessageContent/isCountable``). A
  /// server that counts unread messages stores this value, excludes the message from its counts if the value
  /// is false, and returns the value (``IncomingMessage/isCountable``). The value is no part of the content:
  /// the same id with another value is the same message.
  public let isCountable: Bool

  /// Describes a message to send.
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

/// The server's answer to a message it stored; it may contain nothing.
public struct SendReceipt: Sendable, Hashable {
  /// The server's id of the message.
  public var serverID: ServerMessageID?
  /// The message's position in the conversation.
  public var position: Position?
  /// The time at which the server stored it.
  public var time: Timestamp?
  /// The epoch of the id and the position; nil if the server does not report it.
  public var epoch: Epoch?

  /// Creates a receipt.
  public init(
    serverID: ServerMessageID? = nil, position: Position? = nil, time: Timestamp? = nil, epoch: Epoch? = nil
  ) {
    self.serverID = serverID
    self.position = position
    self.time = time
    self.epoch = epoch
  }
}

/// A request to open a conversation.
public enum ConversationRequest: Sendable, Hashable, Codable {
  /// The one-to-one chat with a user; created if there is none yet.
  case direct(UserID)
  /// A new group; `id` is the idempotency key of its creation.
  case group(id: String, title: String, members: [UserID])
}
