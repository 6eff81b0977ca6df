import Skein
import SkeinCards
import SkeinTerminal

/// Plain lines, for pipes and files: what the messages say without a prefix of their own, everything else after `--`.
struct PlainSurface: ChatSurface {
  let account: UserID
  var moment = Moment()
  private var layout = ChatLayout()
  /// What was said of messages on their way; said once, whatever the seconds to the next try.
  private var told: Set<String> = []

  init(account: UserID) { self.account = account }

  mutating func text(for event: ChatEvent) -> String {
    layout.lines(for: event, moment).compactMap { line(of: $0).map { $0 + "\n" } }.joined()
  }

  private mutating func line(of line: ChatLayout.Line) -> String? {
    switch line {
    case .day(let day): return "-- \(day)"
    // Whoever took it back is told so already.
    case .gone: return nil
    case .note(let text), .problem(let text): return "-- \(text)"
    case .table(let text): return text
    case .message(let card): return text(of: card)
    case .again(let card): return "-- " + card.terminalLines.map(\.text).joined(separator: "  ")
    case .status(let message):
      // Something got through: the next loss of the connection is a new one.
      told.remove(SendStanding.Name.waitingForConnection.rawValue)
      return "-- \(state(of: message)): \(SafeText.line(message.content.displayedText))\(reason(of: message))"
    case .standing(let message, let standing, let now):
      guard let key = Self.key(of: standing, message), told.insert(key).inserted else { return nil }
      return "-- waiting: \(SafeText.line(message.content.displayedText))  (\(standing.line(at: now)))"
    }
  }

  /// Names what is worth a line of its own: a quarter of an upload, a lost connection once for all that waits for it.
  private static func key(of standing: SendStanding, _ message: ChatMessage) -> String? {
    switch standing.name {
    case .waitingForConnection, .signedOut: standing.name.rawValue
    case .preparing: standing.percent.flatMap { $0 < 25 ? nil : "\(message.id.rawValue) ↑ \($0 / 25)" }
    case .waiting, .parked: "\(message.id.rawValue) \(standing.name.rawValue)"
    default: nil
    }
  }

  private func text(of card: MessageCardViewModel) -> String {
    let message = card.message
    let name = SafeText.line(message.sender.rawValue)
    let start = "\(moment.time(message.time))  \(name)  "
    let indent = "\n" + String(repeating: " ", count: start.columns)
    let state =
      message.isOwn && message.status != .sent ? "  (\(state(of: message)))\(reason(of: message))" : ""
    return start + card.shownLines.map(\.text).joined(separator: indent) + state
  }

  private func state(of message: ChatMessage) -> String {
    message.status.isWaiting ? "waiting" : message.status.name
  }

  private func reason(of message: ChatMessage) -> String {
    message.failure.map { "  (\(SafeText.line($0.message)) /retry tries again)" } ?? ""
  }
}
