import Skein
import SkeinCards
import SkeinTerminal

/// An unsent message of any chat.
struct WaitingMessage: Sendable {
  let message: ChatMessage
  /// The name of the message's chat.
  let chat: String
  let standing: SendStanding
}

extension SendStanding {
  /// One line without control characters.
  func line(at now: Timestamp) -> String { SafeText.line(text(at: now)) }
}
