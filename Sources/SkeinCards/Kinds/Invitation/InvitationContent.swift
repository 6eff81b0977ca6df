public import Skein

/// A message that invites to a meeting or a group.
public struct InvitationContent: MessageContent {
  /// `invitation`.
  public static let kind: MessageKind = "invitation"
  /// The event or group.
  public var title: String
  /// The place in words; nil if not given.
  public var place: String?
  /// The beginning, by the server's clock; nil if not given.
  public var begins: Timestamp?

  /// Makes an invitation.
  public init(_ title: String, place: String? = nil, begins: Timestamp? = nil) {
    (self.title, self.place, self.begins) = (title, place, begins)
  }

  /// The title, marked as an invitation.
  public var displayedText: String { "[invitation] \(title)" }
  /// Title and place.
  public var searchableText: String? { [title, place].compactMap(\.self).joined(separator: " ") }
}
