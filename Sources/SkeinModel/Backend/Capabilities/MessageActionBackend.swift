/// Changes sent messages; see ``BackendCapabilities/actions``.
public protocol MessageActionBackend: Sendable {
  /// Edits, recalls, reacts to or flags a message. Called only for actions that ``BackendCapabilities/actions``
  /// contains.
  ///
  /// An action whose id the server knows is not applied again; the server returns the message as it is now. All
  /// devices of the conversation's members receive the changed message by sync: in ``ConversationDelta/revised``, or
  /// in ``ConversationDelta/messages`` if the message is new to the device. A star (``MessageFlag/star``) reaches the
  /// account's own devices only.
  ///
  /// - Returns: the message after the action; nil if the server does not count revisions
  ///   (``IncomingMessage/revision``). The action counts as applied in both cases.
  /// - Throws: ``BackendError`` with ``BackendError/Code/permanent`` for a message that does not exist, that this
  ///   account may not change, or that was recalled.
  func perform(_ action: OutgoingAction) async throws -> IncomingMessage?
}

/// The actions that a server supports, and their implementer.
public struct SupportedActions: Sendable {
  /// The supported actions.
  public let kinds: BackendCapabilities.Actions
  /// The implementer.
  public let backend: any MessageActionBackend

  /// Describes the supported actions and their implementer.
  public init(_ kinds: BackendCapabilities.Actions, by backend: any MessageActionBackend) {
    self.kinds = kinds
    self.backend = backend
  }
}
