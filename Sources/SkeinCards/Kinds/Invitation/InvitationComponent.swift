public import Skein

/// An invitation, with an action that opens the page to answer it.
public struct InvitationComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID = "invitation"
  /// The event or group.
  public let title: String
  /// The place in words; nil if not given.
  public let place: String?
  /// The beginning, by the server's clock; nil if not given.
  public let begins: Timestamp?

  /// Makes the component of an invitation.
  public init(_ content: InvitationContent) {
    (title, place, begins) = (content.title, content.place, content.begins)
  }

  /// The title.
  public var displayedText: String { title }
  /// Opens the page to answer the invitation.
  public var actions: [CardAction] { [CardAction("answer", title: "Answer", opening: Self.page)] }

  /// The page on which the user answers; ``CardPage/message`` is the invitation.
  public static let page: CardPage.Name = "invitation"
}
