import Skein
public import SkeinCards

extension CardStack: TerminalComponent {
  /// The lines of the components, from top to bottom. All are joined into one line if the stack is horizontal
  /// and each component has one line.
  public var terminalLines: [TerminalLine] {
    let parts = components.map(\.writtenLines)
    guard axis == .horizontal, parts.allSatisfy({ $0.count == 1 }) else { return parts.flatMap(\.self) }
    return [TerminalLine(parts.flatMap { $0.map(\.text) }.joined(separator: "  "))]
  }
}

extension QuoteComponent: TerminalComponent {
  /// Sender and text, shortened to one line.
  public var terminalLines: [TerminalLine] {
    let text = SafeText.line(displayedText)
    return [TerminalLine("↪ " + text.shortened(to: 60), .faint)]
  }
}

extension LinkPreviewComponent: TerminalComponent {
  /// Title and summary.
  public var terminalLines: [TerminalLine] {
    [TerminalLine("┃ \(preview.title)", .strong)]
      + (preview.summary.map { [TerminalLine("┃ \($0)", .faint)] } ?? [])
  }
}

extension HistoryComponent: TerminalComponent {
  /// The title, the first messages in one line each, and the number of messages if there are more.
  public var terminalLines: [TerminalLine] {
    [TerminalLine(displayedText, .strong)] + lines.map { TerminalLine("┃ \($0.text)", .faint) }
      + (count > lines.count ? [TerminalLine("┃ \(count) messages in all", .faint)] : [])
  }
}
