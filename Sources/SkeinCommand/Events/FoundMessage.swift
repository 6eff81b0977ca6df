import Skein

/// A message that a search has found.
struct FoundMessage: Sendable {
  let message: ChatMessage
  /// The name of its chat.
  let chat: String
}

/// A message with a flag, in a list of them.
struct ListedMessage: Sendable {
  let message: FlaggedMessage
  /// The name of its chat.
  let chat: String
}
