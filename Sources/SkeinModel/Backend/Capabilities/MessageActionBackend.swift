/// Changes messages that were sent; see ``BackendCapabilities/revisions``.
public protocol MessageActionBackend: Sendable {
  /// Edits, recalls, reacts to or pins a message, and returns the message as it is afterwards. Called for the revisions that
  /// ``BackendCapabilities/revisions`` contains.
  ///
  /// A revision whose id the server knows is not applied again; the server returns the message as it is now. All
  /// devices of the conversation's members receive the revision by sync: in ``ConversationDelta/revised``, or with
  /// the message if they do not have it yet.
  ///
  /// - Returns: nil if the server does not count ``IncomingMessage/revision``; the revision then counts as applied.
  /// - Throws: ``BackendError`` with ``BackendError/Code/permanent`` for a message that does not exist, that this account may
  ///   not change, or that was recalled.
  func revise(_ revision: OutgoingRevision) async throws -> IncomingMessage?
}

/// The revisions that a server supports, and their implementer.
public struct SupportedRevisions: Sendable {
  /// The supported revisions.
  public let kinds: BackendCapabilities.Revisions
  /// The implementer.
  public let backend: any MessageActionBackend

  /// States the supported revisions and their implementer.
  public init(_ kinds: BackendCapabilities.Revisions, by backend: any MessageActionBackend) {
    self.kinds = kinds
    self.backend = backend
  }
}
