extension TextContent {
  /// Creates a text from user input: each word `@id` mentions the user with this id, and `@all` mentions everyone.
  public init(calling text: String) {
    var mentions: [TextMention] = []
    for word in text.split(whereSeparator: \.isWhitespace) where word.hasPrefix("@") {
      var name = word.dropFirst().prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
      // A dot at the end belongs to the sentence and not to the id.
      while name.last == "." { name.removeLast() }
      guard !name.isEmpty else { continue }
      let user = name == "all" ? nil : UserID(rawValue: String(name))
      mentions.append(TextMention(user, at: word.startIndex..<name.endIndex, of: text))
    }
    self.init(text, mentions: mentions)
  }
}
