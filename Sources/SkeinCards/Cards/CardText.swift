/// Plain text, the fallback of every card.
public struct CardText: CardComponent {
  /// Unique within the card.
  public let id: ComponentID
  /// The text, of one or more lines.
  public let text: String

  /// Makes a component of plain text.
  public init(_ text: String, id: ComponentID = "text") {
    self.id = id
    self.text = text
  }

  /// The text itself.
  public var displayedText: String { text }
}
