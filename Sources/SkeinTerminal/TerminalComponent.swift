public import SkeinCards

/// A component that can be written on a terminal. One that is none of these is written as its text, and what can be done with it
/// can be done there as well.
///
/// ```swift
/// extension PollComponent: TerminalComponent {
///   var terminalLines: [TerminalLine] {
///     [TerminalLine(question, .strong)] + answers.map { TerminalLine("\($0)  \(votes[$0] ?? 0)") }
///   }
/// }
/// ```
public protocol TerminalComponent: CardComponent {
  /// What it says, from the top down; a line that is too long is broken.
  var terminalLines: [TerminalLine] { get }
  /// What a person can do with it at a terminal: its ``CardComponent/actions``, unless it says otherwise.
  var terminalActions: [CardAction] { get }
}

extension TerminalComponent {
  /// All of its actions.
  public var terminalActions: [CardAction] { actions }
}

/// A line that a component writes on a terminal: it can move no cursor, set no colour and write no other line.
public struct TerminalLine: Sendable, Hashable {
  /// How much a line stands out.
  public enum Weight: Sendable, Hashable {
    /// As most do.
    case plain
    /// As a heading.
    case strong
    /// As what is said beside.
    case faint
  }
  /// What it says, harmless for a terminal.
  public let text: String
  /// How much it stands out.
  public let weight: Weight

  /// Makes a text harmless; line breaks in it become spaces.
  public init(_ text: String, _ weight: Weight = .plain) {
    self.text = SafeText.line(text)
    self.weight = weight
  }

  /// A text with the line breaks that it has.
  public static func lines(of text: String, _ weight: Weight = .plain) -> [TerminalLine] {
    SafeText.lines(text).map { TerminalLine($0, weight) }
  }

  /// The line in pieces of at most so many columns, broken between words where there are any.
  package func wrapped(to width: Int) -> [TerminalLine] {
    text.wrapped(to: width).map { TerminalLine($0, weight) }
  }
}
