#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A change of a message that was sent: an edit, a recall, a reaction or a pin.
///
/// Each that the server applies raises the message's revision.
public enum MessageAction: Sendable, Hashable, Codable {
  /// The sender replaces the content, which is encoded once.
  case edit(MessageKind, payload: Data)
  /// The sender recalls it: its content is gone for everyone, and that can't be undone.
  case recall
  /// This account adds or removes a reaction.
  case reaction(ReactionKey, isSet: Bool)
  /// This account pins or unpins it for the whole conversation.
  case pin(isSet: Bool)
}

/// An action to send to the server: every attempt has the same id.
public struct OutgoingAction: Sendable, Hashable {
  /// The idempotency key, unique among the actions of this account.
  public let id: ActionID
  /// The conversation of the message.
  public let conversation: ConversationRef
  /// The message.
  public let message: MessageReference
  /// The change.
  public let action: MessageAction

  /// Describes an action to send.
  public init(
    id: ActionID, conversation: ConversationRef, message: MessageReference, action: MessageAction
  ) {
    self.id = id
    self.conversation = conversation
    self.message = message
    self.action = action
  }
}
