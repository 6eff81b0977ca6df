public import Skein

/// An introduced user, with an action that opens a chat.
public struct ContactComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID
  /// The introduced user.
  public let user: UserID
  /// The name that the sender gave, or the user's id if the sender gave none.
  public let name: String

  /// Makes the component of an introduction.
  public init(_ content: ContactContent, id: ComponentID = "contact") {
    (self.id, user, name) = (id, content.user, content.name ?? content.user.rawValue)
  }

  /// The user's name or id.
  public var displayedText: String { name }
  /// Opens a chat with the user.
  public var actions: [CardAction] {
    [
      CardAction(
        "write", title: "Write to \(name)", opening: Self.page, parameters: ["user": user.rawValue])
    ]
  }

  /// The page of the chat with a user; ``user(of:)`` returns that user.
  public static let page: CardPage.Name = "chat"

  /// Returns the user of a chat page; nil for any other page.
  public static func user(of page: CardPage) -> UserID? {
    page.name == Self.page ? page.parameters["user"].map(UserID.init(rawValue:)) : nil
  }
}
