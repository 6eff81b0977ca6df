/// Prepares texts for the search index, and queries for searching the index.
///
/// SQLite's tokenizer splits text at spaces and punctuation. Chinese and Japanese have no spaces, and Korean
/// is searched by parts of words. In these scripts, each character and each pair of adjacent characters is
/// therefore indexed as a word. A search for one, two or more characters then finds the text.
enum SearchText {
  /// A text in the form that the tokenizer receives.
  static func indexed(_ text: String) -> String {
    var result = ""
    for part in parts(of: text) {
      switch part {
      case .words(let words): result += words + " "
      case .dense(let characters):
        for (index, character) in characters.enumerated() {
          result += "\(character) "
          if index + 1 < characters.count { result += "\(character)\(characters[index + 1]) " }
        }
      }
    }
    return result
  }

  /// The query for texts that contain all words of a search text; nil if the search text has no word.
  ///
  /// The last word may be incomplete, unless a space or a punctuation mark follows it.
  static func expression(_ query: String) -> String? {
    let parts = parts(of: query)
    var terms: [String] = []
    for (index, part) in parts.enumerated() {
      switch part {
      case .words(let text):
        let words = text.unicodeScalars.split { !isWordPart($0) }
        let isBegun = index == parts.count - 1 && text.unicodeScalars.last.map(isWordPart) == true
        for (place, word) in words.enumerated() where word.contains(where: isLetterOrNumber) {
          let isLast = isBegun && place == words.count - 1
          terms.append(quoted(String(String.UnicodeScalarView(word))) + (isLast ? " *" : ""))
        }
      case .dense(let characters) where characters.count == 1: terms.append(quoted(String(characters[0])))
      case .dense(let characters):
        for (left, right) in zip(characters, characters.dropFirst()) {
          terms.append(quoted("\(left)\(right)"))
        }
      }
    }
    return terms.isEmpty ? nil : terms.joined(separator: " AND ")
  }

  /// Whether a text contains each sequence of Chinese, Japanese or Korean characters in a query, exactly as
  /// typed. Only sequences of more than two characters are checked: for these, the index only shows that the
  /// text contains each pair of adjacent characters.
  static func matches(_ text: String, _ query: String) -> Bool {
    let stretches = parts(of: query).compactMap { part -> String? in
      guard case .dense(let characters) = part, characters.count > 2 else { return nil }
      return String(characters)
    }
    return stretches.allSatisfy { text.contains($0) }
  }

  private enum Part {
    case words(String)
    case dense([Character])
  }

  private static func parts(of text: String) -> [Part] {
    var parts: [Part] = []
    var words = ""
    var dense: [Character] = []
    for character in text {
      if isDense(character) {
        if !words.isEmpty { parts.append(.words(words)) }
        words = ""
        dense.append(character)
      } else {
        if !dense.isEmpty { parts.append(.dense(dense)) }
        dense = []
        words.append(character)
      }
    }
    if !words.isEmpty { parts.append(.words(words)) }
    if !dense.isEmpty { parts.append(.dense(dense)) }
    return parts
  }

  /// Whether a character belongs to a script that is written or searched without spaces: Han, Kana, Hangul.
  private static func isDense(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    switch scalar.value {
    case 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF,
      0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x3FFFF:
      return true
    default: return false
    }
  }

  /// Whether a scalar is a letter, a number or a mark. If the tokenizer splits a word of the query into
  /// several words, SQLite searches for these words as a phrase.
  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: isLetterOrNumber(scalar)
    }
  }

  private static func isLetterOrNumber(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  /// A text in quotation marks, so that SQLite does not read the text as query syntax.
  private static func quoted(_ text: String) -> String {
    "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}
