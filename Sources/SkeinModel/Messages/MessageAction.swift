#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A change of a sent message: an edit, a recall, a reaction or a flag.
///
/// If the server counts revisions, each applied action raises the message's revision.
public enum MessageAction: Sendable, Hashable, Codable {
  /// The sender replaces the content. The new content is encoded once, and every attempt sends the same bytes.
  case edit(MessageKind, payload: Data)
  /// The sender recalls the message: the content is removed for everyone and can't be restored.
  case recall
  /// This account adds or removes a reaction.
  case reaction(ReactionKey, isSet: Bool)
  /// This account sets or removes a flag, such as a pin.
  case flag(MessageFlag, isSet: Bool)
}

extension BackendCapabilities {
  /// The kinds of changes of a sent message.
  public struct Actions: OptionSet, Sendable, Hashable {
    /// One bit per option.
    public let rawValue: Int
    /// Creates a set from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// ``MessageAction/edit(_:payload:)``.
    public static let edits = Actions(rawValue: 1)
    /// ``MessageAction/recall``.
    public static let recalls = Actions(rawValue: 2)
    /// ``MessageAction/reaction(_:isSet:)``.
    public static let reactions = Actions(rawValue: 4)
    /// ``MessageAction/flag(_:isSet:)`` with ``MessageFlag/pin``.
    public static let pins = Actions(rawValue: 8)
    /// ``MessageAction/flag(_:isSet:)`` with ``MessageFlag/star``, which only this account's devices receive.
    public static let stars = Actions(rawValue: 16)
    /// All kinds.
    public static let all: Actions = [.edits, .recalls, .reactions, .pins, .stars]
  }
}

extension MessageAction {
  /// The kind of the action; the server must support this kind.
  package var ability: BackendCapabilities.Actions {
    switch self {
    case .edit: .edits
    case .recall: .recalls
    case .reaction: .reactions
    case .flag(.star, _): .stars
    case .flag: .pins
    }
  }
}

/// An action to send to the server: every attempt has the same id.
public struct OutgoingAction: Sendable, Hashable {
  /// The idempotency key, unique among the actions of this account.
  public let id: ActionID
  /// The conversation of the message.
  public let conversation: ConversationRef
  /// The message to change.
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
