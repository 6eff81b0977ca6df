/// Stores how far the account has read; see ``BackendCapabilities/readMarks``.
public protocol ReadMarkBackend: Sendable {
  /// Moves the account's read mark forward, never back. The account's other devices receive the read mark by sync.
  ///
  /// - Parameters:
  ///   - mark: the last read message, with its position if the server has positions, and otherwise with its server id.
  ///   - epoch: the epoch of the mark, if the server reports epochs. A mark of another epoch belongs to another message,
  ///     so a server that can be restored from a backup refuses such a mark with ``BackendError/Code/permanent``.
  func markRead(_ conversation: ConversationRef, upTo mark: MessageMark, in epoch: Epoch?) async throws
}
