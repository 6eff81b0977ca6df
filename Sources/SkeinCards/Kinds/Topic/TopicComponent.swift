/// A topic, and a way to go there.
public struct TopicComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID
  /// What it is about.
  public let title: String
  /// How it begins; nil where nobody said so.
  public let summary: String?

  /// Shows a topic.
  public init(_ content: TopicContent, id: ComponentID = "topic") {
    (self.id, title, summary) = (id, content.title, content.summary)
  }

  /// What it is about.
  public var displayedText: String { "# \(title)" }
  /// To read it.
  public var actions: [CardAction] { [CardAction(TopicPlugin.read, title: "Read the topic")] }
}
