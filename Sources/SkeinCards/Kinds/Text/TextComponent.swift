public import Skein

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A text, with the places where it calls people or leads to the web.
public struct TextComponent: CardComponent {
  /// A stretch of the text that is drawn in one way.
  public struct Run: Sendable, Hashable {
    /// What stands there.
    public let text: String
    /// Whether it calls somebody.
    public let isMention: Bool
    /// Who is called; nil is everyone, and where nobody is.
    public let user: UserID?
    /// Where it leads; nil where it is no link.
    public let link: URL?

    init(_ text: Substring, mention: Bool = false, user: UserID? = nil, link: URL? = nil) {
      self.text = String(text)
      isMention = mention
      self.user = user
      self.link = link
    }
  }
  /// Names it within its card.
  public let id: ComponentID
  /// The text, stretch by stretch.
  public let runs: [Run]

  /// Shows a text, whom it calls and where it leads; a mention that has no place in it, or stands in another one, is left out.
  public init(_ content: TextContent, id: ComponentID = "text") {
    self.id = id
    let text = content.text
    let places = content.mentions.compactMap { mention in mention.part(of: text).map { ($0, mention.user) } }
    var runs: [Run] = []
    var end = text.startIndex
    for (part, user) in places.sorted(by: { $0.0.lowerBound < $1.0.lowerBound }) where part.lowerBound >= end
    {
      runs += Self.linked(text[end..<part.lowerBound])
      runs.append(Run(text[part], mention: true, user: user))
      end = part.upperBound
    }
    self.runs = runs + Self.linked(text[end...])
  }

  /// Text in which nobody is called, with its links apart.
  private static func linked(_ text: Substring) -> [Run] {
    var runs: [Run] = []
    var end = text.startIndex
    for link in LinkPreview.links(in: text) {
      if end < link.place.lowerBound { runs.append(Run(text[end..<link.place.lowerBound])) }
      runs.append(Run(text[link.place], link: link.url))
      end = link.place.upperBound
    }
    if end < text.endIndex { runs.append(Run(text[end...])) }
    return runs
  }

  /// The text itself.
  public var displayedText: String { runs.map(\.text).joined() }
}
