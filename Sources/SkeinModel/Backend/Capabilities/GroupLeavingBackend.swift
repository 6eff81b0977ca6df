/// Lets the account leave groups and decline invitations; see ``BackendCapabilities/leaving``.
public protocol GroupLeavingBackend: Sendable {
  /// Removes this account from a group, or declines the invitation to a conversation of any type. Succeeds also if the
  /// account is neither a member nor invited.
  func leave(_ group: ConversationRef) async throws
}
