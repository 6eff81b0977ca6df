public import Skein

/// Somebody who was introduced, and a way to write to them.
public struct ContactComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID
  /// Who it is.
  public let user: UserID
  /// What they are called; their name on the server where nobody said more.
  public let name: String

  /// Shows somebody.
  public init(_ content: ContactContent, id: ComponentID = "contact") {
    (self.id, user, name) = (id, content.user, content.name ?? content.user.rawValue)
  }

  /// What they are called.
  public var displayedText: String { name }
  /// To write to them.
  public var actions: [CardAction] {
    [
      CardAction(
        "write", title: "Write to \(name)", opening: Self.page, parameters: ["user": user.rawValue])
    ]
  }

  /// A chat; ``user(of:)`` says with whom.
  public static let page: CardPage.Name = "chat"

  /// With whom a page is a chat; nil where it is another page.
  public static func user(of page: CardPage) -> UserID? {
    page.name == Self.page ? page.parameters["user"].map(UserID.init(rawValue:)) : nil
  }
}
