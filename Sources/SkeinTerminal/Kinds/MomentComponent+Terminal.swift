import Foundation
import Skein
public import SkeinCards

extension NoticeComponent: TerminalComponent {
  /// The notice, in faint letters.
  public var terminalLines: [TerminalLine] { [TerminalLine(displayedText, .faint)] }
}

extension ContactComponent: TerminalComponent {
  /// The name and, if it differs, the user's id.
  public var terminalLines: [TerminalLine] {
    [TerminalLine(name == user.rawValue ? name : "\(name)  (\(user))", .strong)]
  }
}

extension TopicComponent: TerminalComponent {
  /// Title and summary.
  public var terminalLines: [TerminalLine] {
    [TerminalLine("# \(title)", .strong)] + (summary.map { TerminalLine.lines(of: $0) } ?? [])
  }
}

extension MomentComponent: TerminalComponent {
  /// Author, text, a placeholder for the picture, and the number of likes.
  public var terminalLines: [TerminalLine] {
    [TerminalLine("┃ \(moment.author)", .strong)]
      + SafeText.lines(moment.text).map { TerminalLine("┃ \($0)") }
      + (moment.picture == nil ? [] : [TerminalLine("┃ [image]", .faint)])
      + (likes.map { [TerminalLine("┃ \($0.isOwn ? "♥" : "♡") \($0.count)", .faint)] } ?? [])
  }
}

extension InvitationComponent: TerminalComponent {
  /// Title, date in the local time zone, and place.
  public var terminalLines: [TerminalLine] {
    let details = [begins.map(Self.text), place].compactMap(\.self)
    return [TerminalLine(title, .strong)] + details.map { TerminalLine($0) }
  }

  /// The date as text. Since the sender may give any date, a date before 1970 or after the year 9999 becomes
  /// a dash.
  private static func text(of moment: Timestamp) -> String {
    guard (0...253_402_300_799_000).contains(moment.rawValue) else { return "–" }
    let date = Date(timeIntervalSince1970: Double(moment.rawValue) / 1000)
    return date.formatted(date: .complete, time: .shortened)
  }
}
