#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A change of a message after it was sent.
public enum MessageRevision: Sendable, Hashable, Codable {
  /// The sender replaces the content, which is encoded once.
  case edit(MessageKind, payload: Data)
  /// The sender recalls it: its content is gone for everybody, and that can't be undone.
  case recall
  /// This account adds or removes a reaction.
  case reaction(ReactionKey, isSet: Bool)
  /// This account pins or unpins it for the whole conversation.
  case pin(isSet: Bool)
}

/// A revision to send to the server: every attempt has the same id.
public struct OutgoingRevision: Sendable, Hashable {
  /// The idempotency key, unique among the revisions of this account.
  public let id: RevisionID
  /// The conversation of the message.
  public let conversation: ConversationRef
  /// The message.
  public let message: MessageReference
  /// The change.
  public let revision: MessageRevision

  /// Describes a revision to send.
  public init(
    id: RevisionID, conversation: ConversationRef, message: MessageReference, revision: MessageRevision
  ) {
    self.id = id
    self.conversation = conversation
    self.message = message
    self.revision = revision
  }
}
