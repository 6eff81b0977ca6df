/// Stores how far the account has read; see ``BackendCapabilities/readMarks``.
public protocol ReadMarkBackend: Sendable {
  /// Moves the account's read mark forward, never back. The account's other devices receive the read mark by sync.
  ///
  /// - Parameter epoch: the epoch of the position, if the server reports epochs. A position of another epoch belongs
  ///   to another message, so a server that can be restored from a backup refuses such a position with
  ///   ``BackendError/Code/permanent``.
  func markRead(_ conversation: ConversationRef, upTo position: Position, in epoch: Epoch?) async throws
}
