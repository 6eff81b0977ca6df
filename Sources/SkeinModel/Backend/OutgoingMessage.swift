#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message to send to the server. Every attempt has the same id, and the same bytes unless it is certain that no
/// earlier attempt has reached the server.
public struct OutgoingMessage: Sendable, Hashable {
  /// The idempotency key.
  public let id: MessageID
  /// The conversation to post to.
  public let conversation: ConversationRef
  /// The message's type name.
  public let kind: MessageKind
  /// The encoded content. An edit changes these bytes only if no earlier attempt can have reached the server.
  public let payload: Data
  /// The parameters sent beside the content; see ``MessageDraft/parameters``.
  public let parameters: [String: String]
  /// The message of the same conversation that this message replies to; nil if this message is not a reply, or if the
  /// backend does not support replies.
  public let replyTo: MessageReference?
  /// The users that the message mentions.
  public let mentions: Mentions
  /// Whether the message counts as unread for the other members; the kind decides this
  /// (``MessageContent/isCountable``). A server that counts unread messages stores this value and returns it
  /// (``IncomingMessage/isCountable``). The server excludes the message from its counts if the value is
  /// false. The value is not part of the content: a message with the same id and another value is the same
  /// message.
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

/// The server's answer to a message that it has stored; any of the values may be nil.
public struct SendReceipt: Sendable, Hashable {
  /// The server's id of the message.
  public var serverID: ServerMessageID?
  /// The message's position in the conversation.
  public var position: Position?
  /// The time at which the server stored the message.
  public var time: Timestamp?
  /// The epoch of the id and the position; nil if the server does not report epochs.
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
  /// The one-to-one chat with a user; the server creates the chat if it does not exist.
  case direct(UserID)
  /// A new group; `id` is the idempotency key of its creation.
  case group(id: String, title: String, members: [UserID])
  /// A conversation that this account is invited to (``SyncBatch/invitations``): the account becomes a member. Succeeds
  /// also if it is a member already. A backend whose server has no invitations never gets this request.
  case invitation(ConversationRef)
}
