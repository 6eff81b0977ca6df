public import Skein

/// Forwarded chat history: a title and the first messages, one line each.
public struct HistoryComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID
  /// The heading.
  public let title: String
  /// The first messages, at most ``mostLines``.
  public let lines: [CardText]
  /// The title, marked as chat history.
  public let displayedText: String
  /// The number of messages in all.
  public let count: Int
  /// The maximum number of lines of a card.
  public static let mostLines = 4

  /// Makes the component of a merged forward.
  ///
  /// - Parameter kinds: decodes the messages.
  public init(_ content: MergedForwardContent, kinds: KindRegistry = .withCards, id: ComponentID = "history")
  {
    self.id = id
    title = content.title
    displayedText = content.displayedText
    count = content.messages.count
    lines = content.messages.prefix(Self.mostLines).enumerated().map { index, message in
      CardText(
        "\(message.sender): \(kinds.content(of: message).displayedText)",
        id: ComponentID(rawValue: "line \(index)"))
    }
  }

  /// The lines.
  public var components: [any CardComponent] { lines }
}
