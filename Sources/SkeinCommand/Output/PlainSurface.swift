import Skein
import SkeinCards
import SkeinTerminal

/// Plain lines for pipes and files: messages and tables have no prefix, all other lines begin with `--`.
struct PlainSurface: ChatSurface {
  let account: UserID
  var moment = Moment()
  private var layout = ChatLayout()
  /// The standings already written. Each standing is written only once, even if the time of the next attempt
  /// changes. Exception: after a line about a message's new status, a missing connection is written again.
  private var written: Set<Notice> = []

  /// A standing that is worth a line of its own.
  private enum Notice: Hashable {
    /// One line for all messages that wait for the connection or for the session.
    case notConnected, signedOut
    /// A quarter of an upload.
    case uploaded(LocalMessageID, quarters: Int)
    case waiting(LocalMessageID), parked(LocalMessageID)

    init?(_ standing: SendStanding, _ message: LocalMessageID) {
      switch standing.name {
      case .waitingForConnection: self = .notConnected
      case .signedOut: self = .signedOut
      case .preparing:
        guard let percent = standing.percent, percent >= 25 else { return nil }
        self = .uploaded(message, quarters: percent / 25)
      case .waiting: self = .waiting(message)
      case .parked: self = .parked(message)
      default: return nil
      }
    }
  }

  init(account: UserID) { self.account = account }

  mutating func text(for event: ChatEvent) -> String {
    layout.lines(for: event, moment).compactMap { line(of: $0).map { $0 + "\n" } }.joined()
  }

  private mutating func line(of line: ChatLayout.Line) -> String? {
    switch line {
    case .day(let day): return "-- \(day)"
    // The outcome of the cancellation has a line of its own.
    case .gone: return nil
    case .note(let text), .problem(let text): return "-- \(text)"
    case .table(let text): return text
    case .message(let card): return text(of: card)
    case .again(let card): return "-- " + card.terminalLines.map(\.text).joined(separator: "  ")
    case .status(let message):
      // After this line, a missing connection counts as a new one and is written again.
      written.remove(.notConnected)
      return "-- \(state(of: message)): \(SafeText.line(message.content.displayedText))\(reason(of: message))"
    case .standing(let message, let standing, let now):
      guard let notice = Notice(standing, message.id), written.insert(notice).inserted else { return nil }
      return "-- waiting: \(SafeText.line(message.content.displayedText))  (\(standing.line(at: now)))"
    }
  }

  private func text(of card: MessageCardViewModel) -> String {
    let message = card.message
    let name = SafeText.line(card.senderName)
    let start = "\(moment.time(message.time))  \(name)  "
    let indent = "\n" + String(repeating: " ", count: start.columns)
    let state =
      message.isOwn && message.status != .sent ? "  (\(state(of: message)))\(reason(of: message))" : ""
    return start + card.shownLines.map(\.text).joined(separator: indent) + state
  }

  private func state(of message: ChatMessage) -> String {
    switch message.status {
    case .queued, .sending: "waiting"
    case .sent: "sent"
    case .failed: "failed"
    case .uncertain: "uncertain"
    }
  }

  private func reason(of message: ChatMessage) -> String {
    message.failure.map { "  (\(SafeText.line($0.message)) /retry tries again)" } ?? ""
  }
}
