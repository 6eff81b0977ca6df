/// Lets the account leave groups; see ``BackendCapabilities/leaving``.
public protocol GroupLeavingBackend: Sendable {
  /// Removes this account from a group. Succeeds also if the account has already left the group.
  func leave(_ group: ConversationRef) async throws
}
