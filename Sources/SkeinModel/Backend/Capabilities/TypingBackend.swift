/// Reports to the others in a conversation that the account types; see ``BackendCapabilities/typing``.
public protocol TypingBackend: Sendable {
  /// Reports to the connected members of a conversation that this account types. Called every few seconds while it
  /// does; a failed call is not repeated.
  func noteTyping(in conversation: ConversationRef) async throws
}
