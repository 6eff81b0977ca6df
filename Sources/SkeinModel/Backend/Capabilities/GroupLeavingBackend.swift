/// Lets the account leave groups; see ``BackendCapabilities/leaving``.
public protocol GroupLeavingBackend: Sendable {
  /// Removes this account from a group. Leaving a group that was left before succeeds.
  func leave(_ group: ConversationRef) async throws
}
