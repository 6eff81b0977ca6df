extension String {
  /// The width in terminal columns. An emoji has 2 columns. Any other character has the columns of its scalars:
  /// a Chinese, Japanese or Korean scalar has 2, a nonspacing mark and a format character have 0, and any other
  /// scalar has 1, such as an Indian vowel sign.
  package var columns: Int { reduce(0) { $0 + $1.columns } }

  /// The text followed by spaces up to `width` columns.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(width - columns, 0))
  }

  /// The text preceded by spaces up to `width` columns.
  package func indented(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(width - columns, 0)) + self
  }

  /// The text if it fits `width` columns, otherwise its beginning and `…`.
  package func shortened(to width: Int) -> String {
    var used = 0
    var end = startIndex
    for index in indices {
      used += self[index].columns
      if used > width { return self[..<end] + "…" }
      // Leave one column for the ellipsis.
      if used < width { end = self.index(after: index) }
    }
    return self
  }

  /// The longest end of the text that fits `width` columns. Reads no more of the text than this end.
  package func ending(in width: Int) -> String {
    var used = 0
    var start = endIndex
    while start > startIndex {
      let previous = index(before: start)
      used += self[previous].columns
      if used > width { break }
      start = previous
    }
    return String(self[start...])
  }

  /// Wraps the text to `width` columns, or to 2 columns if `width` is less. Lines break between words if
  /// possible. Splits a character that is wider than a line. Returns at least one line.
  package func wrapped(to width: Int) -> [String] {
    let width = Swift.max(width, 2)
    var lines: [String] = []
    var line = "", word = ""
    var (lineWidth, wordWidth) = (0, 0)
    func endLine() {
      lines.append(line.last == " " ? String(line.dropLast()) : line)
      (line, lineWidth) = ("", 0)
    }
    for character in (self + " ").flatMap({ $0.parts(in: width) }) {
      guard character != " " else {
        if lineWidth + wordWidth > width, !line.isEmpty { endLine() }
        line += word + " "
        lineWidth += wordWidth + 1
        (word, wordWidth) = ("", 0)
        continue
      }
      // Split a word that is longer than a line, and Chinese text, which has no spaces.
      if wordWidth + character.columns > width {
        if !line.isEmpty { endLine() }
        lines.append(word)
        (word, wordWidth) = ("", 0)
      }
      word.append(character)
      wordWidth += character.columns
    }
    endLine()
    return lines
  }
}

extension Character {
  fileprivate var columns: Int { isEmoji ? 2 : unicodeScalars.reduce(0) { $0 + $1.columns } }

  /// The character, or its scalars if it has more than `width` columns. A sender may add any number of vowel
  /// signs to a character.
  fileprivate func parts(in width: Int) -> [Character] {
    columns <= width ? [self] : unicodeScalars.map { Character($0) }
  }

  /// Whether the character is an emoji, of one or more scalars. A digit or a sign is an emoji only if the
  /// variation selector of emoji follows.
  private var isEmoji: Bool {
    unicodeScalars.contains { $0.properties.isEmojiPresentation || $0 == "\u{FE0F}" }
      && unicodeScalars.allSatisfy { $0.properties.isEmoji || $0.columns == 0 }
  }
}

extension Unicode.Scalar {
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: 0
    // Terminals draw a soft hyphen.
    case .format: self == "\u{AD}" ? 1 : 0
    default: isJoiningJamo ? 0 : isWide || properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// Whether the scalar is a vowel or a final of Korean, which is drawn in the columns of the initial.
  private var isJoiningJamo: Bool { (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) }

  /// Whether the scalar is in one of the common blocks that Unicode's East Asian Width calls wide or
  /// full-width. Rare blocks, such as Tangut, are not included.
  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
