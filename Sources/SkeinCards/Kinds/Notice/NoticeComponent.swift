/// A line of the system, shown apart from the users' messages.
public struct NoticeComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID
  /// The line.
  public let displayedText: String

  /// Makes a notice.
  public init(_ text: String, id: ComponentID = "notice") {
    self.id = id
    displayedText = text
  }
}
