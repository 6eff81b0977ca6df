/// Replaces control characters in untrusted text, so that the text can't move the cursor, set colours or write other
/// lines.
///
/// Line breaks separate lines. A tab becomes a space. Every other control character of ASCII becomes its Unicode
/// picture; for example, ESC becomes ␛. All other control characters become U+FFFD. So do tags, annotation
/// marks, and bidirectional controls (embeddings, overrides and isolates).
package enum SafeText {
  /// Returns the text in one line; line breaks become spaces.
  package static func line(_ text: String) -> String {
    lines(text).joined(separator: " ")
  }

  /// Splits the text at its line breaks; returns at least one line.
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
    // Bidirectional embeddings, overrides and isolates, which can make one name look like another.
    case 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    // Tags and interlinear annotations, which are invisible.
    case 0xE0000...0xE007F, 0xFFF9...0xFFFB: "\u{FFFD}"
    default: scalar
    }
  }
}
