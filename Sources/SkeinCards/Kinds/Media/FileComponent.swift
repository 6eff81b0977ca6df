public import Skein

/// A file of any type that the user can save.
public struct FileComponent: CardComponent {
  /// Unique within the card.
  public let id: ComponentID
  /// The file; `ChatClient.file(for:)` downloads it.
  public let file: MessageAttachment
  /// The file's name as the sender gave it.
  public let name: String
  /// The file's size in bytes; nil if unknown.
  public let size: Int64?

  /// Makes the component of a file.
  public init(_ content: FileContent, id: ComponentID = "file") {
    self.id = id
    file = content.file
    name = content.name
    size = content.file.media?.size ?? content.size
  }

  /// The size in decimal units, such as `3.2 MB`; nil if unknown.
  public var sizeText: String? {
    guard let size else { return nil }
    var (number, unit) = (Double(max(size, 0)), 0)
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    // From 999.95 on, the number is rounded to 1000.
    while number >= 999.95, unit < units.count - 1 {
      (number, unit) = (number / 1000, unit + 1)
    }
    if size == 1 { return "1 byte" }
    let tenths = (number * 10).rounded() / 10
    let isWhole = unit == 0 || tenths == tenths.rounded()
    return "\(isWhole ? String(Int64(tenths)) : String(tenths)) \(units[unit])"
  }

  /// The file's name.
  public var displayedText: String { name }
}
