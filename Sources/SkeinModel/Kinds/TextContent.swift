/// A message of plain text, in which people may be called by name.
public struct TextContent: MessageContent {
  /// `text`.
  public static let kind: MessageKind = "text"
  /// The text as its sender wrote it.
  public var text: String
  /// Where in the text somebody is called.
  public var mentions: [TextMention]
  /// What the first link leads to, as its sender saw it; nil where there is none. An app's participant makes it. One that
  /// leads elsewhere than ``LinkPreview/firstLink(in:)`` says is not read.
  public var preview: LinkPreview?

  /// Makes a message of plain text.
  public init(_ text: String, mentions: [TextMention] = [], preview: LinkPreview? = nil) {
    self.text = text
    self.mentions = mentions
    self.preview = preview
  }

  /// The text itself.
  public var displayedText: String { text }
  /// The text itself.
  public var searchableText: String? { text }
  /// Those who are called in the text, each once.
  public var mentioned: Mentions {
    var users: [UserID] = []
    for user in mentions.compactMap(\.user) where !users.contains(user) { users.append(user) }
    return Mentions(users, everyone: mentions.contains { $0.user == nil })
  }
}

/// Mentions and preview are left out where there are none.
extension TextContent {
  private enum CodingKeys: String, CodingKey { case text, mentions, preview }

  /// Reads a text with or without mentions and preview; what a stranger put in their place takes nothing from the text.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let text = try fields.decode(String.self, forKey: .text)
    let preview = try? fields.decodeIfPresent(LinkPreview.self, forKey: .preview)
    self.init(
      text,
      mentions: (try? fields.decodeIfPresent([TextMention].self, forKey: .mentions)) ?? [],
      preview: preview.flatMap { $0.isOfFirstLink(in: text) ? $0 : nil })
  }

  /// Writes the text, and its mentions and preview if it has any.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(text, forKey: .text)
    if !mentions.isEmpty { try fields.encode(mentions, forKey: .mentions) }
    try fields.encodeIfPresent(preview, forKey: .preview)
  }
}
