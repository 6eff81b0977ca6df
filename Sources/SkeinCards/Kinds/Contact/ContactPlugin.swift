public import Skein

/// Lets people write to whom they were introduced to.
public final class ContactPlugin: MessageCardPlugin {
  /// `contacts`.
  public static let business = "contacts"
  /// Introductions.
  public static let kinds: [MessageKind] = [ContactContent.kind]
  /// Opens the page ``page``.
  public static let write: CardAction.Name = "write"
  /// A chat; ``user(of:)`` says with whom.
  public static let page: CardPage.Name = "chat"

  /// With whom a page is a chat; nil where it is another page.
  public static func user(of page: CardPage) -> UserID? {
    page.name == Self.page ? page.parameters["user"].map(UserID.init(rawValue:)) : nil
  }

  private let context: MessageCardContext

  /// Begins its work in one chat.
  public init(_ context: MessageCardContext) { self.context = context }

  /// Who was introduced.
  public func components(of message: ChatMessage) -> [any CardComponent] {
    message.content.as(ContactContent.self).map { [ContactComponent($0)] } ?? []
  }

  /// Has the list's delegate open the chat.
  public func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) {
    guard let contact = message.content.as(ContactContent.self) else { return }
    context.open(CardPage(Self.page, about: message.id, parameters: ["user": contact.user.rawValue]))
  }
}
