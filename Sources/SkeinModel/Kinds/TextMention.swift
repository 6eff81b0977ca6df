/// A place in a text where a user is mentioned.
///
/// Places are counted in UTF-16 code units, as in web pages and most chat protocols. If a received place is outside
/// its text, the place is ignored, but the user is still mentioned.
public struct TextMention: Sendable, Hashable, Codable {
  /// The mentioned user; nil means everyone in the conversation.
  public var user: UserID?
  /// The number of UTF-16 code units before the mention.
  public var start: Int
  /// The number of UTF-16 code units of the mention.
  public var length: Int

  /// Creates a mention at a place of a text.
  public init(_ user: UserID?, start: Int, length: Int) {
    self.user = user
    self.start = start
    self.length = length
  }

  /// Creates a mention from a part of a text.
  public init(_ user: UserID?, at part: Range<String.Index>, of text: String) {
    self.init(
      user, start: text.utf16.distance(from: text.startIndex, to: part.lowerBound),
      length: text.utf16.distance(from: part.lowerBound, to: part.upperBound))
  }

  /// Returns the part of the text; nil if the place is empty, is outside the text or splits a character.
  public func part(of text: String) -> Range<String.Index>? {
    let units = text.utf16
    guard start >= 0, length > 0, start < units.count, length <= units.count - start else { return nil }
    let first = units.index(units.startIndex, offsetBy: start)
    let end = units.index(first, offsetBy: length)
    guard let lower = first.samePosition(in: text), let upper = end.samePosition(in: text) else {
      return nil
    }
    return lower..<upper
  }
}
