import Skein
import SkeinCards
import SkeinTerminal

/// A chat on a terminal: others' messages on the left, own messages on the right with a mark for their state.
///
/// While a message is on the screen, its mark changes in place. The note with the reason why the message
/// waits is left of the text, and changes in place too. Every line fits the width, so the number of rows
/// between a message and the prompt is known. The prompt is on the row after the last written row.
struct TerminalSurface: ChatSurface {
  private(set) var width: Int
  private(set) var height: Int
  let style: Style
  var moment = Moment()
  private var layout = ChatLayout()
  /// Rows written so far.
  private var rows = 0
  /// The row of each message whose mark may change, and the number of free columns to the left of its text.
  private var marks: [LocalMessageID: (row: Int, room: Int)] = [:]
  private var lastSender: UserID?

  init(width: Int, height: Int, style: Style) {
    self.width = Self.used(width)
    self.height = height
    self.style = style
  }

  /// The last column stays free, since some terminals break the line there.
  private static func used(_ width: Int) -> Int { max(width, 24) - 1 }

  /// Changes the size. The terminal wraps all lines anew, so the rows of the present marks are no longer
  /// known and these marks no longer change.
  mutating func resize(width: Int, height: Int) {
    guard (Self.used(width), height) != (self.width, self.height) else { return }
    (self.width, self.height) = (Self.used(width), height)
    marks = [:]
  }

  mutating func text(for event: ChatEvent) -> String {
    layout.lines(for: event, moment).map { text(of: $0) }.joined()
  }

  private mutating func text(of line: ChatLayout.Line) -> String {
    switch line {
    case .message, .status, .standing, .gone: break
    default: lastSender = nil
    }
    switch line {
    case .day(let day):
      let rule = String(repeating: "─", count: max((width - day.columns - 2) / 2, 0))
      return write([style.dim("\(rule) \(day) \(rule)".shortened(to: width))])
    case .note(let text): return write(text.wrapped(to: width - 2).map { style.dim("  \($0)") })
    case .problem(let text): return write(text.wrapped(to: width - 2).map { style.red("! ") + $0 })
    case .table(let text): return write(text.split(separator: "\n").map { String($0).shortened(to: width) })
    case .message(let card): return card.message.isOwn ? own(card) : others(card)
    case .again(let card):
      let text = "now: " + card.terminalLines.map(\.text).joined(separator: "  ")
      return write(text.wrapped(to: width - 2).map { style.dim("  \($0)") })
    case .status(let message): return changeMark(of: message)
    case .gone(let message):
      defer { marks[message.id] = nil }
      return rewrite(message, "cancelled", mark: style.dim("–"))
    case .standing(let message, let standing, let now):
      return message.status.isWaiting ? rewrite(message, standing.line(at: now)) : ""
    }
  }

  private mutating func write(_ lines: [String]) -> String {
    rows += lines.count
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: Messages

  private mutating func others(_ card: MessageCardViewModel) -> String {
    let message = card.message
    // The name may be longer than a line.
    let name = SafeText.line(card.senderName).shortened(to: width)
    let heading = message.sender == lastSender ? [] : [style.bold(name)]
    lastSender = message.sender
    let tail = "  \(moment.time(message.time))"
    let text = paragraph(card, width: min(width * 2 / 3, width - 2 - tail.columns))
    let lines = text.indices.map { index in
      "  " + styled(text[index].text, text[index].weight) + (index == text.count - 1 ? style.dim(tail) : "")
    }
    return write(heading + lines)
  }

  private mutating func own(_ card: MessageCardViewModel) -> String {
    let message = card.message
    lastSender = message.sender
    let tail = "  \(moment.time(message.time)) "
    // The left half is kept free for the reason why the message waits.
    let text = paragraph(card, width: width / 2)
    let block = text.map(\.text.columns).max() ?? 0
    let lines = text.indices.map { index in
      let left = text[index].text.padded(to: block).indented(to: width - tail.columns - 1)
      return styled(left, text[index].weight)
        + (index == text.count - 1 ? style.dim(tail) + mark(of: message) : "")
    }
    let written = write(lines)
    if message.status != .sent {
      marks[message.id] = (rows - 1, max(width - tail.columns - 1 - block - 4, 0))
    }
    return written + reason(of: message)
  }

  private func paragraph(_ card: MessageCardViewModel, width: Int) -> [TerminalLine] {
    card.shownLines.flatMap { $0.wrapped(to: width) }
  }

  private func styled(_ text: String, _ weight: TerminalLine.Weight) -> String {
    switch weight {
    case .plain: text
    case .strong: style.bold(text)
    case .faint: style.dim(text)
    }
  }

  private func mark(of message: ChatMessage) -> String {
    switch message.status {
    case .queued, .sending: style.dim("◷")
    case .sent: style.green("✓")
    case .failed: style.red("!")
    case .uncertain: style.red("?")
    }
  }

  private mutating func reason(of message: ChatMessage) -> String {
    guard let failure = message.failure, message.status != .sent else { return "" }
    let start = message.status == .uncertain ? "uncertain" : "not sent"
    let text = "\(start): \(SafeText.line(failure.message)) /retry tries again"
    return write(text.wrapped(to: width - 2).map { style.red("! ") + $0 })
  }

  /// Rewrites the mark and the note left of the text, if the row is still on the screen.
  private func rewrite(_ message: ChatMessage, _ note: String, mark: String? = nil) -> String {
    guard let (row, room) = marks[message.id], rows - row < height - 1 else { return "" }
    let left = room > 0 ? "  " + style.dim(note.shortened(to: room).padded(to: room)) : ""
    let (up, down) = ("\u{1B}[\(rows - row)A", "\u{1B}[\(rows - row)B")
    return "\(up)\r\(left)\u{1B}[\(width)G\(mark ?? self.mark(of: message))\(down)\r"
  }

  private mutating func changeMark(of message: ChatMessage) -> String {
    let text = rewrite(message, "")
    if message.status == .sent { marks[message.id] = nil }
    return text + reason(of: message)
  }
}
