import Skein
public import SkeinCards

extension NoticeComponent: TerminalComponent {
  /// The line.
  public var terminalLines: [TerminalLine] { [TerminalLine(displayedText, .faint)] }
}

extension ContactComponent: TerminalComponent {
  /// The name, and the name on the server.
  public var terminalLines: [TerminalLine] {
    [TerminalLine(name == user.rawValue ? name : "\(name)  (\(user))", .strong)]
  }
}

extension TopicComponent: TerminalComponent {
  /// What it is about, and how it begins.
  public var terminalLines: [TerminalLine] {
    [TerminalLine("# \(title)", .strong)] + (summary.map { TerminalLine.lines(of: $0) } ?? [])
  }
}

extension MomentComponent: TerminalComponent {
  /// Who posted what, and how many like it.
  public var terminalLines: [TerminalLine] {
    [TerminalLine("┃ \(moment.author)", .strong)]
      + SafeText.lines(moment.text).map { TerminalLine("┃ \($0)") }
      + [TerminalLine("┃ \(isLiked ? "♥" : "♡") \(likes)", .faint)]
  }
}
