/// Prepares texts for the search index, and queries for searching it.
///
/// SQLite's tokenizer splits text at spaces. Chinese and Japanese have no spaces, and Korean is searched by
/// parts of words. Text in these scripts is therefore indexed by each character and by each pair of adjacent
/// characters, so that a search for one, two or more characters finds it.
enum SearchText {
  /// A text as passed to the tokenizer.
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
  /// The last word may be incomplete.
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

  /// Whether a text contains every stretch of Chinese, Japanese or Korean characters in a query as typed. The index
  /// only shows that the text contains the pairs of characters of the stretch, in any order.
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
  /// several words, they are searched as a phrase.
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

  /// A text in quotation marks, so that it is searched literally.
  private static func quoted(_ text: String) -> String {
    "\"\(text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
  }
}
