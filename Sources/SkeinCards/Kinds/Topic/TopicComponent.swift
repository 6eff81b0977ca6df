/// A topic, with an action that opens the topic's page.
public struct TopicComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID
  /// The topic's identifier.
  public let topic: TopicContent.ID
  /// The topic's subject.
  public let title: String
  /// The beginning of the discussion; nil if not given.
  public let summary: String?

  /// Makes the component of a topic.
  public init(_ content: TopicContent, id: ComponentID = "topic") {
    (self.id, topic, title, summary) = (id, content.topic, content.title, content.summary)
  }

  /// The title, marked as a topic.
  public var displayedText: String { "# \(title)" }
  /// Opens the topic's page.
  public var actions: [CardAction] {
    [
      CardAction(
        "read", title: "Read the topic", opening: Self.page, parameters: ["topic": topic.rawValue])
    ]
  }

  /// The page of a topic. The page's parameter `topic` is the topic's identifier.
  public static let page: CardPage.Name = "topic"
}
