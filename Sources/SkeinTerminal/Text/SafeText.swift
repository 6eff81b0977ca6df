/// Text from elsewhere, made harmless for a terminal: it can move no cursor, set no colour and write no other line.
///
/// What is taken out stays visible: ESC becomes ␛, other control characters their pictures, and what reverses or
/// hides the direction of writing a replacement character.
package enum SafeText {
  /// The text on one line; line breaks become spaces.
  package static func line(_ text: String) -> String {
    lines(text).joined(separator: " ")
  }

  /// The text's own lines, at least one.
  package static func lines(_ text: String) -> [String] {
    var lines = [String.UnicodeScalarView()]
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where last == "\r": break
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": lines.append(String.UnicodeScalarView())
      default: lines[lines.count - 1].append(visible(scalar))
      }
      last = scalar
    }
    return lines.map { String($0) }
  }

  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x09: " "
    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0x80..<0xA0: "\u{FFFD}"
    // Overrides and isolates of the writing direction: a name could pass for another with them.
    case 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    // Tags and other invisible scalars outside of the text's plane of meaning.
    case 0xE0000...0xE007F, 0xFFF9...0xFFFB: "\u{FFFD}"
    default: scalar
    }
  }
}
