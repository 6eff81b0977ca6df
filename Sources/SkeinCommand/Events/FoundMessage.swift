import Skein

/// A message that a search has found.
struct FoundMessage: Sendable {
  let message: ChatMessage
  /// The name of its chat.
  let chat: String
}
