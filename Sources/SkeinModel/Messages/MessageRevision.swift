#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What somebody does to a message that was sent.
public enum MessageRevision: Sendable, Hashable, Codable {
  /// Its sender replaces what it says, with content that was encoded once.
  case edit(MessageKind, payload: Data)
  /// Its sender takes it back from everybody: nothing is left of what it said, and nothing undoes that.
  case recall
  /// This account reacts to it, or does so no more.
  case reaction(ReactionKey, isSet: Bool)
  /// This account pins it for everybody in the conversation, or does so no more.
  case pin(isSet: Bool)
}

/// A revision on its way to the server: every attempt carries the same id.
public struct OutgoingRevision: Sendable, Hashable {
  /// The idempotency key, unique among the revisions of this account.
  public let id: RevisionID
  /// Where the message is.
  public let conversation: ConversationRef
  /// The message, by its names.
  public let message: MessageReference
  /// What is done to it.
  public let revision: MessageRevision

  /// Describes a revision on its way.
  public init(
    id: RevisionID, conversation: ConversationRef, message: MessageReference, revision: MessageRevision
  ) {
    self.id = id
    self.conversation = conversation
    self.message = message
    self.revision = revision
  }
}
