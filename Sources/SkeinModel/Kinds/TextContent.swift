/// A message of plain text, which may mention users.
public struct TextContent: MessageContent {
  /// `text`.
  public static let kind: MessageKind = "text"
  /// The text as its sender wrote it.
  public var text: String
  /// The mentions and their places in the text.
  public var mentions: [TextMention]
  /// The sender's preview of the first link; nil if there is none. A ``SendParticipant`` of the app creates the
  /// preview. If the preview's link is not ``LinkPreview/firstLink(in:)``, the preview is dropped when the message is
  /// decoded.
  public var preview: LinkPreview?

  /// Creates a message of plain text.
  public init(_ text: String, mentions: [TextMention] = [], preview: LinkPreview? = nil) {
    self.text = text
    self.mentions = mentions
    self.preview = preview
  }

  /// The text itself.
  public var displayedText: String { text }
  /// The text itself.
  public var searchableText: String? { text }
  /// The users mentioned in the text, each once.
  public var mentioned: Mentions {
    var users: [UserID] = []
    for user in mentions.compactMap(\.user) where !users.contains(user) { users.append(user) }
    return Mentions(users, everyone: mentions.contains { $0.user == nil })
  }
}

/// Encodes mentions and preview only if the text has them.
extension TextContent {
  private enum CodingKeys: String, CodingKey { case text, mentions, preview }

  /// Decodes a text with or without mentions and preview. If one mention is malformed, all mentions are
  /// dropped. A preview is dropped if it is malformed, or if its link is not the first link of the text.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let text = try fields.decode(String.self, forKey: .text)
    let preview = try? fields.decodeIfPresent(LinkPreview.self, forKey: .preview)
    self.init(
      text,
      mentions: (try? fields.decodeIfPresent([TextMention].self, forKey: .mentions)) ?? [],
      preview: preview.flatMap { $0.isOfFirstLink(in: text) ? $0 : nil })
  }

  /// Encodes the text, and its mentions and preview if there are any.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(text, forKey: .text)
    if !mentions.isEmpty { try fields.encode(mentions, forKey: .mentions) }
    try fields.encodeIfPresent(preview, forKey: .preview)
  }
}
