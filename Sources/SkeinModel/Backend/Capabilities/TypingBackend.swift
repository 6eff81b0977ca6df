/// Reports typing to the other members of a conversation; see ``BackendCapabilities/typing``.
public protocol TypingBackend: Sendable {
  /// Reports to the connected members of a conversation that this account is typing. Called every few seconds
  /// while the user types; a failed call is not repeated.
  func noteTyping(in conversation: ConversationRef) async throws
}
