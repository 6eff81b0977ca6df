/// A message that shows a film; it is posted once film and poster are on the media server.
public struct VideoContent: MessageContent {
  /// `video`.
  public static let kind: MessageKind = "video"
  /// The film, and the picture that stands for it.
  public static let attachments = [AttachmentPath(\VideoContent.video), AttachmentPath(\VideoContent.poster)]
  /// The film's file.
  public var video: MessageAttachment
  /// A picture to show before it plays.
  public var poster: MessageAttachment?
  /// In seconds, where known.
  public var duration: Double?
  /// In pixels, where known.
  public var width: Int?
  /// In pixels, where known.
  public var height: Int?

  /// Shows a film that is a file or already on the media server.
  public init(
    _ video: MessageAttachment, poster: MessageAttachment? = nil, duration: Double? = nil, width: Int? = nil,
    height: Int? = nil
  ) {
    self.video = video
    self.poster = poster
    self.duration = duration
    self.width = width
    self.height = height
  }

  /// That it is a video.
  public var displayedText: String { "[video]" }
}
