public import Skein

/// A picture, a video or a sticker.
public struct MediaComponent: CardComponent {
  /// The type of media.
  public enum Form: Sendable, Hashable {
    /// A picture.
    case image
    /// A video.
    case video
    /// A small picture without a frame.
    case sticker
  }
  /// Unique within the card.
  public let id: ComponentID
  /// The type of media.
  public let form: Form
  /// The file; `ChatClient.file(for:)` downloads it.
  public let file: MessageAttachment
  /// The picture shown before a video plays; nil if there is none.
  public let poster: MessageAttachment?
  /// In pixels; nil if unknown.
  public let size: Size?
  /// The duration of a video in seconds; nil if unknown.
  public let duration: Double?
  /// A textual description.
  public let displayedText: String

  /// Width and height in pixels, each at least 1.
  public struct Size: Sendable, Hashable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int

    /// Makes a size; nil if a value is missing, zero or negative.
    public init?(width: Int?, height: Int?) {
      guard let width, let height, width > 0, height > 0 else { return nil }
      (self.width, self.height) = (width, height)
    }
  }

  /// Makes the component of a picture.
  public init(_ content: ImageContent, id: ComponentID = "image") {
    (self.id, form, file, poster, duration) = (id, .image, content.image, nil, nil)
    size = Size(width: content.width, height: content.height)
    displayedText = content.displayedText
  }

  /// Makes the component of a video.
  public init(_ content: VideoContent, id: ComponentID = "video") {
    (self.id, form, file, poster) = (id, .video, content.video, content.poster)
    duration = content.duration
    size = Size(width: content.width, height: content.height)
    displayedText = content.displayedText
  }

  /// Makes the component of a sticker.
  public init(_ content: StickerContent, id: ComponentID = "sticker") {
    (self.id, form, file, poster, duration, size) = (id, .sticker, content.image, nil, nil, nil)
    displayedText = content.displayedText
  }
}
