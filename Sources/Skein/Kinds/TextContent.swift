/// A message of plain text, in which people may be called by name.
public struct TextContent: MessageContent {
  /// `text`.
  public static let kind: MessageKind = "text"
  /// The text as its sender wrote it.
  public var text: String
  /// Where in the text somebody is called.
  public var mentions: [TextMention]

  /// Makes a message of plain text.
  public init(_ text: String, mentions: [TextMention] = []) {
    self.text = text
    self.mentions = mentions
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

/// The mentions are left out where there are none.
extension TextContent {
  private enum CodingKeys: String, CodingKey { case text, mentions }

  /// Reads a text with or without mentions; what a stranger put in their place takes nothing from the text.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try fields.decode(String.self, forKey: .text),
      mentions: (try? fields.decodeIfPresent([TextMention].self, forKey: .mentions)) ?? [])
  }

  /// Writes the text, and its mentions if it has any.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(text, forKey: .text)
    if !mentions.isEmpty { try fields.encode(mentions, forKey: .mentions) }
  }
}
