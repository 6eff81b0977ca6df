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

  /// The size as people are told it, in thousands: `3.2 MB`; nil where it is not known.
  public var sizeText: String? {
    guard let size else { return nil }
    var (number, unit) = (Double(max(size, 0)), 0)
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    while number >= 1000, unit < units.count - 1 { (number, unit) = (number / 1000, unit + 1) }
    let tenths = (number * 10).rounded() / 10
    let isWhole = unit == 0 || tenths == tenths.rounded()
    return "\(isWhole ? String(Int64(tenths)) : String(tenths)) \(units[unit])"
  }

  /// The file's name.
  public var displayedText: String { name }
}
