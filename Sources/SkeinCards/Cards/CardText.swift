/// A component of plain text: what every card falls back to.
public struct CardText: CardComponent {
  /// Names it within its card.
  public let id: ComponentID
  /// The text, of one line or several.
  public let text: String

  /// Shows a text.
  public init(_ text: String, id: ComponentID = "text") {
    self.id = id
    self.text = text
  }

  /// The text itself.
  public var displayedText: String { text }
}
