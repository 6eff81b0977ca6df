#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The part of a message that edits, recalls, reactions and pins change, as the server has it.
///
/// 1. A state of a lower revision never replaces one of a higher.
/// 2. A recall is final: nothing of the content is left.
struct MessageState: Equatable {
  var kind: MessageKind
  var payload: Data
  /// See ``StoredParameters``.
  var parameters: Data?
  var edited: Timestamp?
  /// See ``StoredReactions``.
  var reactions: Data?
  var pinned: Timestamp?
  /// The server's count of changes.
  var revision: Int64

  var isRecalled: Bool { kind == RecalledContent.kind }

  /// Takes the values of a newer state.
  ///
  /// - Returns: whether the other state is newer.
  @discardableResult
  mutating func merge(newer other: MessageState) -> Bool {
    guard other.revision > revision else { return false }
    let parameters = other.parameters ?? parameters
    self = other
    self.parameters = parameters
    return true
  }

  /// Does what an action does on the server, where the server does not return the result.
  mutating func apply(_ action: MessageRevision, by user: UserID, at time: Timestamp) {
    switch action {
    case .edit(let kind, let payload): (self.kind, self.payload, edited) = (kind, payload, time)
    case .recall:
      kind = RecalledContent.kind
      payload = RecalledContent.payload(by: user)
      (reactions, pinned) = (nil, nil)
    case .reaction(let key, let isSet):
      reactions = StoredReactions.encode(
        StoredReactions.decode(reactions).setting(key, by: user, to: isSet))
    case .pin(let isSet): pinned = isSet ? time : nil
    }
  }

  /// Becomes the state of a message that the server has never had.
  mutating func forgetActions() { (revision, edited, reactions, pinned) = (0, nil, nil, nil) }
}

extension MessageState {
  /// The state of a received message; what the server leaves out stays as it was known.
  init(_ message: IncomingMessage, was known: MessageState? = nil) {
    self.init(
      kind: message.kind, payload: message.payload,
      parameters: message.parameters.map(StoredParameters.encode) ?? known?.parameters,
      edited: message.edited,
      reactions: message.reactions.map(StoredReactions.encode) ?? known?.reactions,
      pinned: message.pinned, revision: message.revision)
  }
}

extension IncomingMessage {
  /// The message with a newer state that was received before it; its own where that is as new.
  func merged(with state: MessageState) -> IncomingMessage {
    guard state.revision > revision else { return self }
    var message = self
    (message.kind, message.payload, message.revision) = (state.kind, state.payload, state.revision)
    (message.edited, message.reactions) = (state.edited, StoredReactions.decode(state.reactions))
    message.pinned = state.pinned
    message.parameters = StoredParameters.decode(state.parameters)
    if state.isRecalled { (message.mentions, message.quote) = (.nobody, nil) }
    return message
  }
}
