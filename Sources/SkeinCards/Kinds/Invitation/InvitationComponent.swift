public import Skein

/// An invitation, and a way to the page where it is answered.
public struct InvitationComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID = "invitation"
  /// To what.
  public let title: String
  /// Where; nil where nobody said so.
  public let place: String?
  /// When; nil where nobody said so.
  public let begins: Timestamp?

  /// Shows an invitation.
  public init(_ content: InvitationContent) {
    (title, place, begins) = (content.title, content.place, content.begins)
  }

  /// To what.
  public var displayedText: String { title }
  /// To answer it.
  public var actions: [CardAction] { [CardAction("answer", title: "Answer", opening: Self.page)] }

  /// The invitation of the message that it is about.
  public static let page: CardPage.Name = "invitation"
}
