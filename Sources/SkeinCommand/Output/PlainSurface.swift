import Skein

/// Plain lines, for pipes and files: what the messages say without a prefix of their own, everything else after `--`.
struct PlainSurface: ChatSurface {
  let account: UserID
  var moment = Moment()
  private var layout = ChatLayout()

  init(account: UserID) { self.account = account }

  mutating func text(for event: ChatEvent) -> String {
    layout.lines(for: event, moment).map { line(of: $0) + "\n" }.joined()
  }

  private func line(of line: ChatLayout.Line) -> String {
    switch line {
    case .day(let day): "-- \(day)"
    case .note(let text), .problem(let text): "-- \(text)"
    case .table(let text): text
    case .message(let message): text(of: message)
    case .status(let message):
      "-- \(state(of: message)): \(SafeText.line(message.content.displayedText))\(reason(of: message))"
    }
  }

  private func text(of message: ChatMessage) -> String {
    let name = SafeText.line(message.sender.rawValue)
    let start = "\(moment.time(message.time))  \(name)  "
    let indent = "\n" + String(repeating: " ", count: start.columns)
    let state =
      message.isOwn && message.status != .sent ? "  (\(state(of: message)))\(reason(of: message))" : ""
    return start + SafeText.lines(message.content.displayedText).joined(separator: indent) + state
  }

  private func state(of message: ChatMessage) -> String {
    message.status.isWaiting ? "waiting" : message.status.name
  }

  private func reason(of message: ChatMessage) -> String {
    message.failure.map { "  (\(SafeText.line($0.message)) /retry tries again)" } ?? ""
  }
}
