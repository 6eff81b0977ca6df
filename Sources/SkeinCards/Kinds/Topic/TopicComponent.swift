/// A topic, and a way to go there.
public struct TopicComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID
  /// Which topic it is.
  public let topic: TopicContent.ID
  /// What it is about.
  public let title: String
  /// How it begins; nil where nobody said so.
  public let summary: String?

  /// Shows a topic.
  public init(_ content: TopicContent, id: ComponentID = "topic") {
    (self.id, topic, title, summary) = (id, content.topic, content.title, content.summary)
  }

  /// What it is about.
  public var displayedText: String { "# \(title)" }
  /// To read it.
  public var actions: [CardAction] {
    [
      CardAction(
        "read", title: "Read the topic", opening: Self.page, parameters: ["topic": topic.rawValue])
    ]
  }

  /// The topic that its parameter `topic` names.
  public static let page: CardPage.Name = "topic"
}
