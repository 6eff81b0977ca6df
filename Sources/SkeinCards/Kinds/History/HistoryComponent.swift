public import Skein

/// A piece of chat history: a title, and the first of its messages in a line each.
public struct HistoryComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID
  /// What stands above the messages.
  public let title: String
  /// The first messages.
  public let lines: [CardText]
  /// The title, and that it stands for chat history.
  public let displayedText: String
  /// How many messages there are in all.
  public let count: Int
  /// The most lines that a card shows.
  public static let mostLines = 4

  /// Shows a piece of chat history.
  ///
  /// - Parameter kinds: reads what the messages hold.
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

  /// The messages that are shown.
  public var components: [any CardComponent] { lines }
}
