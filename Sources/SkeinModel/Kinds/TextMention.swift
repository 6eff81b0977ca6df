/// One place in a text where somebody is called.
///
/// Places are counted in UTF-16 code units, as web pages and most chat protocols do; one that is not in its text, as a
/// stranger may send, stands for no part of it.
public struct TextMention: Sendable, Hashable, Codable {
  /// Who is called; nil is everyone in the conversation.
  public var user: UserID?
  /// How many UTF-16 code units of the text come before it.
  public var start: Int
  /// How many UTF-16 code units it has.
  public var length: Int

  /// Calls somebody at a place of a text.
  public init(_ user: UserID?, start: Int, length: Int) {
    self.user = user
    self.start = start
    self.length = length
  }

  /// Calls somebody with a part of a text.
  public init(_ user: UserID?, at part: Range<String.Index>, of text: String) {
    self.init(
      user, start: text.utf16.distance(from: text.startIndex, to: part.lowerBound),
      length: text.utf16.distance(from: part.lowerBound, to: part.upperBound))
  }

  /// The part of the text; nil where the text has no such place, or only half of a character stands there.
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
