public import Skein

/// A file of any type, to be saved.
public struct FileComponent: CardComponent {
  /// Names it within its card.
  public let id: ComponentID
  /// The file: `ChatClient.file(for:)` fetches one that the server has.
  public let file: MessageAttachment
  /// What its sender called it.
  public let name: String
  /// In bytes, where known.
  public let size: Int64?

  /// Shows a file.
  public init(_ content: FileContent, id: ComponentID = "file") {
    self.id = id
    file = content.file
    name = content.name
    size = content.file.media?.size ?? content.size
  }

  /// The file's name.
  public var displayedText: String { name }
}
