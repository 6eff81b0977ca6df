#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Finds links in texts.
extension LinkPreview {
  /// Finds the link to preview: the first link that starts with `http://` or `https://`, in upper or lower case.
  ///
  /// - Returns: nil if the text has no link or is longer than 32 KiB. Also nil if the first link is not a
  ///   valid URL, has no host, contains a user, a password or control characters, or is longer than 2 KiB.
  ///   The limits keep a preview from making a message too large.
  public static func firstLink(in text: String) -> URL? {
    guard text.utf8.count <= longestText else { return nil }
    return addresses(in: text[...]).first { _ in true }?.url
  }

  /// Finds all links of a text and their ranges, by the rules of ``firstLink(in:)``; empty if the text is longer than
  /// 32 KiB.
  public static func links(in text: Substring) -> [(place: Range<String.Index>, url: URL)] {
    guard text.utf8.count <= longestText else { return [] }
    return addresses(in: text).compactMap { address in address.url.map { (address.place, $0) } }
  }

  /// Finds all parts of a text that begin like a link; the URL is nil if a part breaks the rules of
  /// ``firstLink(in:)``.
  private static func addresses(in text: Substring) -> some Sequence<(place: Range<String.Index>, url: URL?)>
  {
    text.split { $0.isWhitespace || separators.contains($0) }.lazy.compactMap { piece in
      // Chinese text has no space before a link, so all characters before the first ASCII letter are dropped.
      // ASCII parentheses do not separate links, since a link may contain them.
      let candidate = piece.drop { !($0.isASCII && $0.isLetter) }
      let start = candidate.prefix(8).lowercased()
      guard start.hasPrefix("http://") || start.hasPrefix("https://") else { return nil }
      let link = withoutPunctuation(candidate)
      return (link.startIndex..<link.endIndex, webAddress(link))
    }
  }

  private static let longestText = 32 << 10
  private static let longestLink = 2 << 10
  private static let separators = Set<Character>("<>[]{}\"`“”„‘’«»‹›「」『』《》〈〉【】〔〕（）［］｛｝，。！？、；：…")
  private static let punctuation = Set<Character>(".,;:!?'")

  /// Drops the punctuation at the end, and the closing parentheses at the end that have no opening
  /// parenthesis.
  private static func withoutPunctuation(_ piece: Substring) -> Substring {
    var piece = piece
    var unopened = piece.count { $0 == ")" } - piece.count { $0 == "(" }
    while let last = piece.last {
      if last == ")", unopened > 0 {
        unopened -= 1
      } else if !punctuation.contains(last) {
        break
      }
      piece.removeLast()
    }
    return piece
  }

  private static func webAddress(_ piece: Substring) -> URL? {
    guard piece.utf8.count <= longestLink,
      !piece.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
      let url = URL(string: String(piece)), url.isWebAddress
    else { return nil }
    return url
  }
}
