/// A message of plain text.
public struct TextContent: MessageContent {
  /// `text`.
  public static let kind: MessageKind = "text"
  /// The text as its sender wrote it.
  public var text: String
  /// Makes a message of plain text.
  public init(_ text: String) { self.text = text }
  /// The text itself.
  public var displayedText: String { text }
}
