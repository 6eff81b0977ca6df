public import Skein

/// A picture, a film or a sticker.
public struct MediaComponent: CardComponent {
  /// What there is to see.
  public enum Form: Sendable, Hashable {
    /// A picture.
    case image
    /// A film.
    case video
    /// A small picture without a frame.
    case sticker
  }
  /// Names it within its card.
  public let id: ComponentID
  /// What there is to see.
  public let form: Form
  /// The file: `ChatClient.file(for:)` fetches one that the server has.
  public let file: MessageAttachment
  /// What is shown before a film plays; nil where there is none.
  public let poster: MessageAttachment?
  /// In pixels, where known.
  public let size: Size?
  /// In seconds, of a film, where known.
  public let duration: Double?
  /// What it is, for who can't see it.
  public let displayedText: String

  /// Width and height in pixels, each at least 1.
  public struct Size: Sendable, Hashable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int

    /// Nil unless both are known and can be.
    public init?(width: Int?, height: Int?) {
      guard let width, let height, width > 0, height > 0 else { return nil }
      (self.width, self.height) = (width, height)
    }
  }

  /// Shows a picture.
  public init(_ content: ImageContent, id: ComponentID = "image") {
    (self.id, form, file, poster, duration) = (id, .image, content.image, nil, nil)
    size = Size(width: content.width, height: content.height)
    displayedText = content.displayedText
  }

  /// Shows a film.
  public init(_ content: VideoContent, id: ComponentID = "video") {
    (self.id, form, file, poster) = (id, .video, content.video, content.poster)
    duration = content.duration
    size = Size(width: content.width, height: content.height)
    displayedText = content.displayedText
  }

  /// Shows a sticker.
  public init(_ content: StickerContent, id: ComponentID = "sticker") {
    (self.id, form, file, poster, duration, size) = (id, .sticker, content.image, nil, nil, nil)
    displayedText = content.displayedText
  }
}
