#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The part of a message that is changed by edits, recalls, reactions and flags, as on the server.
///
/// 1. A state with a lower revision never replaces a state with a higher revision.
/// 2. A recall is final: it removes the content.
struct MessageState: Equatable {
  var kind: MessageKind
  var payload: Data
  /// See ``StoredParameters``.
  var parameters: Data?
  var edited: Timestamp?
  /// See ``StoredReactions``.
  var reactions: Data?
  /// See ``StoredFlags``.
  var flags: Data?
  /// The server's revision.
  var revision: Int64

  var isRecalled: Bool { kind == RecalledContent.kind }

  /// Merges another state if it is newer.
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

  /// Applies an action as the server does, for a server that does not return the result.
  mutating func apply(_ action: MessageAction, by user: UserID, at time: Timestamp) {
    switch action {
    case .edit(let kind, let payload): (self.kind, self.payload, edited) = (kind, payload, time)
    case .recall:
      kind = RecalledContent.kind
      payload = RecalledContent.payload(by: user)
      (reactions, flags) = (nil, nil)
    case .reaction(let key, let isSet):
      reactions = StoredReactions.encode(
        StoredReactions.decode(reactions).setting(key, by: user, to: isSet))
    case .flag(let flag, let isSet):
      var known = StoredFlags.decode(flags)
      known[flag] = isSet ? time : nil
      flags = StoredFlags.encode(known)
    }
  }

  /// Resets to the state of a message that was never on the server.
  mutating func forgetActions() { (revision, edited, reactions, flags) = (0, nil, nil, nil) }
}

extension MessageState {
  /// The state of a received message; a value that the server omits is taken from the known state.
  init(_ message: IncomingMessage, was known: MessageState? = nil) {
    self.init(
      kind: message.kind, payload: message.payload,
      parameters: message.parameters.map(StoredParameters.encode) ?? known?.parameters,
      edited: message.edited,
      reactions: message.reactions.map(StoredReactions.encode) ?? known?.reactions,
      flags: StoredFlags.encode(message.flags), revision: message.revision)
  }
}

extension IncomingMessage {
  /// The message with a state that was received before it, if that state is newer than the message's own.
  func merged(with state: MessageState) -> IncomingMessage {
    guard state.revision > revision else { return self }
    var message = self
    (message.kind, message.payload, message.revision) = (state.kind, state.payload, state.revision)
    (message.edited, message.reactions) = (state.edited, StoredReactions.decode(state.reactions))
    message.flags = StoredFlags.decode(state.flags)
    message.parameters = StoredParameters.decode(state.parameters)
    if state.isRecalled { (message.mentions, message.quote) = (.nobody, nil) }
    return message
  }
}
