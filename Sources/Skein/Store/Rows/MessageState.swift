#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The part of a message that an edit, a recall, a reaction or a flag can change. It is the server's state,
/// without the unconfirmed actions of this account. Within an epoch, two rules hold:
///
/// 1. A recall is final: it removes the content, and replaces a state with a higher revision too.
/// 2. Other states with a lower revision never replace a state with a higher revision.
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

  /// Whether this state is newer than another one of the same epoch. A recall is newer than every other state, whatever its
  /// revision.
  func isNewer(than other: MessageState) -> Bool {
    Self.isNewer((kind, revision), than: (other.kind, other.revision))
  }

  /// Whether the state with one kind and revision is newer than the state with another.
  static func isNewer(
    _ state: (kind: MessageKind, revision: Int64), than other: (kind: MessageKind, revision: Int64)
  ) -> Bool {
    let isRecall = state.kind == RecalledContent.kind
    return isRecall == (other.kind == RecalledContent.kind) ? state.revision > other.revision : isRecall
  }

  /// Replaces this state by `other`, if `other` is newer. If `other` has no parameters, the parameters of this state are
  /// kept.
  ///
  /// - Parameter isLater: whether `other` is newer if the revisions are equal, as on servers that count none.
  mutating func merge(newer other: MessageState, isLater: Bool = false) {
    guard other.isNewer(than: self) || isLater && !isNewer(than: other) else { return }
    let (parameters, revision) = (other.parameters ?? parameters, max(revision, other.revision))
    self = other
    (self.parameters, self.revision) = (parameters, revision)
  }

  /// Applies an action in the same way as the server. Used for servers that do not return the result.
  mutating func apply(_ action: MessageAction, by user: UserID, at time: Timestamp) {
    switch action {
    case .edit(let kind, let payload): (self.kind, self.payload, edited) = (kind, payload, time)
    case .recall:
      kind = RecalledContent.kind
      payload = RecalledContent.payload(by: user)
      (parameters, reactions, flags) = (nil, nil, nil)
    case .reaction(let key, let isSet):
      reactions = StoredReactions.encode(
        StoredReactions.decode(reactions).setting(key, by: user, to: isSet))
    case .flag(let flag, let isSet):
      var known = StoredFlags.decode(flags)
      known[flag] = isSet ? time : nil
      flags = StoredFlags.encode(known)
    }
  }

  /// Resets everything but the content and the parameters, as for a message that was never on the server.
  mutating func forgetActions() { (revision, edited, reactions, flags) = (0, nil, nil, nil) }
}

extension MessageState {
  /// The state of a received message. If the server omits the parameters or the reactions, those of the known
  /// state are used. A recalled message has no reactions.
  init(_ message: IncomingMessage, was known: MessageState? = nil) {
    let reactions = message.kind == RecalledContent.kind ? nil : known?.reactions
    self.init(
      kind: message.kind, payload: message.payload,
      parameters: message.parameters.map(StoredParameters.encode) ?? known?.parameters,
      edited: message.edited,
      reactions: message.reactions.map(StoredReactions.encode) ?? reactions,
      flags: StoredFlags.encode(message.flags), revision: message.revision)
  }
}

extension IncomingMessage {
  /// Returns the message with `state` if `state` is newer. The message may be older: for example, its page was requested
  /// before a change and received after the change. If both are the same revision, the message gets the reactions of
  /// `state` if it has none of its own.
  func merged(with state: MessageState) -> IncomingMessage {
    var message = self
    guard state.isNewer(than: MessageState(self)) else {
      if state.revision == revision, kind != RecalledContent.kind, let known = state.reactions {
        message.reactions = reactions ?? StoredReactions.decode(known)
      }
      return message
    }
    (message.kind, message.payload) = (state.kind, state.payload)
    message.revision = max(state.revision, revision)
    (message.edited, message.reactions) = (state.edited, StoredReactions.decode(state.reactions))
    message.flags = StoredFlags.decode(state.flags)
    message.parameters = StoredParameters.decode(state.parameters)
    if state.isRecalled { (message.mentions, message.quote) = (.nobody, nil) }
    return message
  }
}
