public import SkeinCards

/// A component with its own lines on a terminal. Any other component is written as its text, with all its
/// actions.
///
/// ```swift
/// extension PollComponent: TerminalComponent {
///   var terminalLines: [TerminalLine] {
///     [TerminalLine(question, .strong)] + answers.map { TerminalLine("\($0)  \(votes[$0] ?? 0)") }
///   }
/// }
/// ```
public protocol TerminalComponent: CardComponent {
  /// The lines, from top to bottom; long lines are wrapped.
  var terminalLines: [TerminalLine] { get }
  /// The actions available at a terminal; all ``CardComponent/actions`` by default.
  var terminalActions: [CardAction] { get }
}

extension TerminalComponent {
  /// All actions.
  public var terminalActions: [CardAction] { actions }
}

/// One line of text without control characters, so that the text can't move the cursor, set colours or write other
/// lines.
public struct TerminalLine: Sendable, Hashable {
  /// The emphasis of a line.
  public enum Weight: Sendable, Hashable {
    /// Normal text.
    case plain
    /// A heading.
    case strong
    /// Secondary text.
    case faint
  }
  /// The text, without control characters.
  public let text: String
  /// The emphasis.
  public let weight: Weight

  /// Makes a line of a text; control characters are replaced and line breaks become spaces.
  public init(_ text: String, _ weight: Weight = .plain) {
    self.text = SafeText.line(text)
    self.weight = weight
  }

  /// Splits a text at its line breaks.
  public static func lines(of text: String, _ weight: Weight = .plain) -> [TerminalLine] {
    SafeText.lines(text).map { TerminalLine($0, weight) }
  }

  /// Wraps the line to `width` columns, between words if possible.
  package func wrapped(to width: Int) -> [TerminalLine] {
    text.wrapped(to: width).map { TerminalLine($0, weight) }
  }
}
