/// Tells the others in a conversation that the account types; see ``BackendCapabilities/typing``.
public protocol TypingBackend: Sendable {
  /// Tells the connected members of a conversation that this account types. Called every few seconds while it does; a call
  /// that fails is not repeated.
  func noteTyping(in conversation: ConversationRef) async throws
}
