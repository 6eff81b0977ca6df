public import Skein

/// A message that asks people to come, to a meeting or a group.
public struct InvitationContent: MessageContent {
  /// `invitation`.
  public static let kind: MessageKind = "invitation"
  /// To what.
  public var title: String
  /// Where, in words; nil where that goes without saying.
  public var place: String?
  /// When it begins, by the server's clock; nil where that is open.
  public var begins: Timestamp?

  /// Asks people to come.
  public init(_ title: String, place: String? = nil, begins: Timestamp? = nil) {
    (self.title, self.place, self.begins) = (title, place, begins)
  }

  /// To what.
  public var displayedText: String { "[invitation] \(title)" }
  /// To what, and where.
  public var searchableText: String? { [title, place].compactMap(\.self).joined(separator: " ") }
}
