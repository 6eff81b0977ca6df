import Skein

/// A message that a search has found.
struct FoundMessage: Sendable {
  let message: ChatMessage
  /// The name of the message's chat.
  let chat: String
}

/// An entry in a list of flagged messages.
struct ListedMessage: Sendable {
  let message: FlaggedMessage
  /// The name of the message's chat.
  let chat: String
}
