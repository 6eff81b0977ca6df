public import Skein

/// Leads from a message to the topic that it points to.
public final class TopicPlugin: MessageCardPlugin {
  /// `topics`.
  public static let business = "topics"
  /// References to topics.
  public static let kinds: [MessageKind] = [TopicContent.kind]
  /// Opens the page ``page``.
  public static let read: CardAction.Name = "read"
  /// The topic that its parameter `topic` names.
  public static let page: CardPage.Name = "topic"

  private let context: MessageCardContext

  /// Begins its work in one chat.
  public init(_ context: MessageCardContext) { self.context = context }

  /// The topic.
  public func components(of message: ChatMessage) -> [any CardComponent] {
    message.content.as(TopicContent.self).map { [TopicComponent($0)] } ?? []
  }

  /// Has the list's delegate open the topic.
  public func perform(_ action: CardAction.Name, _ value: String?, on message: ChatMessage) {
    guard let content = message.content.as(TopicContent.self) else { return }
    context.open(CardPage(Self.page, about: message.id, parameters: ["topic": content.topic.rawValue]))
  }
}
