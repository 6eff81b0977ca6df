import Skein

/// A message that was looked for and found.
struct FoundMessage: Sendable {
  let message: ChatMessage
  /// The name of its chat.
  let chat: String
}
