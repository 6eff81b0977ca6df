/// Changes messages that were sent; see ``BackendCapabilities/revisions``.
public protocol MessageActionBackend: Sendable {
  /// Edits, recalls, reacts to or pins a message, and returns the message as it is afterwards. Called for the revisions that
  /// ``BackendCapabilities/revisions`` contains.
  ///
  /// A revision whose id the server knows is not made again; the server returns the message as it is now. All devices of the
  /// conversation's members receive the revision by sync: in ``ConversationDelta/revised``, or with the message where they do
  /// not have it yet.
  ///
  /// - Returns: nil where the server does not count ``IncomingMessage/revision``; the revision then counts as made.
  /// - Throws: ``BackendError`` with ``BackendError/Code/permanent`` for a message that does not exist, that this account may
  ///   not change, or that was recalled.
  func revise(_ revision: OutgoingRevision) async throws -> IncomingMessage?
}

/// The revisions that a server supports, and the value that makes them.
public struct SupportedRevisions: Sendable {
  /// The supported revisions.
  public let kinds: BackendCapabilities.Revisions
  /// The value that makes them.
  public let backend: any MessageActionBackend

  /// States which revisions are supported, and who makes them.
  public init(_ kinds: BackendCapabilities.Revisions, by backend: any MessageActionBackend) {
    self.kinds = kinds
    self.backend = backend
  }
}
