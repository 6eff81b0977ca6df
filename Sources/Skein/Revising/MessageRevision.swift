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
}

/// A revision on its way to the server: every attempt carries the same id.
public struct OutgoingRevision: Sendable, Hashable {
  /// The idempotency key, unique among the revisions of this account.
  public let id: RevisionID
  /// Where the message is.
  public let conversation: ConversationRef
  /// The name that its sender's client gave the message: with the sender it says which one is meant, in any life of the
  /// server's history. Nil where the server did not hand it over; then the server's name does.
  public let messageID: MessageID?
  /// The server's name for the message; nil where it has none, or where that is not known.
  public let serverID: ServerMessageID?
  /// Who sent the message.
  public let sender: UserID
  /// What is done to it.
  public let revision: MessageRevision

  /// Describes a revision on its way.
  public init(
    id: RevisionID, conversation: ConversationRef, serverID: ServerMessageID?, messageID: MessageID?,
    sender: UserID, revision: MessageRevision
  ) {
    self.id = id
    self.conversation = conversation
    self.serverID = serverID
    self.messageID = messageID
    self.sender = sender
    self.revision = revision
  }
}
