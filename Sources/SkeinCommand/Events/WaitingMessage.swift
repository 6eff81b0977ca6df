import Skein
import SkeinCards
import SkeinTerminal

/// A message that waits, of whatever chat.
struct WaitingMessage: Sendable {
  let message: ChatMessage
  /// The name of its chat.
  let chat: String
  let standing: SendStanding
}

extension SendStanding {
  /// One line that is harmless for a terminal.
  func line(at now: Timestamp) -> String { SafeText.line(text(at: now)) }
}
