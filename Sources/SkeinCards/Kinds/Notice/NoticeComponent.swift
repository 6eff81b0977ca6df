/// A line that nobody has written: surfaces show it beside what people say.
public struct NoticeComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID
  /// The line.
  public let displayedText: String

  /// Says something.
  public init(_ text: String, id: ComponentID = "notice") {
    self.id = id
    displayedText = text
  }
}
