extension TextContent {
  /// Creates a text from user input: each word `@name` mentions a user, and `@all` everyone.
  public init(calling text: String) {
    var mentions: [TextMention] = []
    for word in text.split(whereSeparator: \.isWhitespace) where word.hasPrefix("@") {
      var name = word.dropFirst().prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
      // A final dot belongs to the sentence.
      while name.last == "." { name.removeLast() }
      guard !name.isEmpty else { continue }
      let user = name == "all" ? nil : UserID(rawValue: String(name))
      mentions.append(TextMention(user, at: word.startIndex..<name.endIndex, of: text))
    }
    self.init(text, mentions: mentions)
  }
}
