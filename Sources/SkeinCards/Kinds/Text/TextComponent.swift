public import Skein

/// A text, with the places where it calls people.
public struct TextComponent: CardComponent {
  /// A stretch of the text that is drawn in one way.
  public struct Run: Sendable, Hashable {
    /// What stands there.
    public let text: String
    /// Whether it calls somebody.
    public let isMention: Bool
    /// Who is called; nil is everyone, and where nobody is.
    public let user: UserID?
  }
  /// Names it within its card.
  public let id: ComponentID
  /// The text, stretch by stretch.
  public let runs: [Run]

  /// Shows a text and whom it calls; a mention that has no place in it, or stands in another one, is left out.
  public init(_ content: TextContent, id: ComponentID = "text") {
    self.id = id
    let text = content.text
    let places = content.mentions.compactMap { mention in mention.part(of: text).map { ($0, mention.user) } }
    var runs: [Run] = []
    var end = text.startIndex
    for (part, user) in places.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) where part.lowerBound >= end
    {
      if part.lowerBound > end {
        runs.append(Run(text: String(text[end..<part.lowerBound]), isMention: false, user: nil))
      }
      runs.append(Run(text: String(text[part]), isMention: true, user: user))
      end = part.upperBound
    }
    if end < text.endIndex { runs.append(Run(text: String(text[end...]), isMention: false, user: nil)) }
    self.runs = runs
  }

  /// The text itself.
  public var displayedText: String { runs.map(\.text).joined() }
}
