public import Skein

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A text with its mentions and links.
public struct TextComponent: CardComponent {
  /// A part of the text with one appearance.
  public struct Run: Sendable, Hashable {
    /// The characters of the run.
    public let text: String
    /// Whether the run is a mention.
    public let isMention: Bool
    /// The mentioned user; nil for a mention of everyone, and for a run without a mention.
    public let user: UserID?
    /// The target of a link; nil for a run without a link.
    public let link: URL?

    init(_ text: Substring, mention: Bool = false, user: UserID? = nil, link: URL? = nil) {
      self.text = String(text)
      isMention = mention
      self.user = user
      self.link = link
    }
  }
  /// Unique within the card.
  public let id: ComponentID
  /// The parts of the whole text, in order.
  public let runs: [Run]

  /// Splits a text into runs. A mention is ignored if its place is empty, is outside the text or splits a
  /// character, or if the mention overlaps an earlier mention.
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

  /// Splits text without mentions at its links.
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
