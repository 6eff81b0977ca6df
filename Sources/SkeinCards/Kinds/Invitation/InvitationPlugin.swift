public import Skein

/// Has the app open the page on which an invitation is answered.
public final class InvitationPlugin: MessageCardPlugin {
  /// `invitations`.
  public static let business = "invitations"
  /// Invitations.
  public static let kinds: [MessageKind] = [InvitationContent.kind]
  /// Opens the page ``page``.
  public static let answer: CardAction.Name = "answer"
  /// The invitation of the message that it is about.
  public static let page: CardPage.Name = "invitation"

  private let context: MessageCardContext

  /// Begins its work in one chat.
  public init(_ context: MessageCardContext) { self.context = context }

  /// The invitation.
  public func components(of message: ChatMessage) -> [any CardComponent] {
    message.content.as(InvitationContent.self).map { [InvitationComponent($0)] } ?? []
  }

  /// Has the list's delegate open the page.
  public func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) {
    context.open(CardPage(Self.page, about: message.id))
  }
}
