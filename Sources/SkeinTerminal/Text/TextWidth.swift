extension String {
  /// The width in terminal columns. A Chinese, Japanese or Korean character and an emoji have 2 columns, a
  /// lone nonspacing mark and a format character have 0, and any other character has 1.
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
  /// possible. Returns at least one line.
  package func wrapped(to width: Int) -> [String] {
    let width = Swift.max(width, 2)
    var lines: [String] = []
    var line = "", word = ""
    var (lineWidth, wordWidth) = (0, 0)
    func endLine() {
      lines.append(line.last == " " ? String(line.dropLast()) : line)
      (line, lineWidth) = ("", 0)
    }
    for character in self + " " {
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
  fileprivate var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
    if isEmoji || Character.isWide(first.value) { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }

  /// Whether the scalar is in one of the common blocks that Unicode's East Asian Width calls wide or
  /// full-width. Rare blocks, such as Tangut, are not included.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
