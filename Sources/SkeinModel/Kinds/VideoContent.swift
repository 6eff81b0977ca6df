/// A message with a video. The message is posted once the video and the poster are on the media server.
public struct VideoContent: MessageContent {
  /// `video`.
  public static let kind: MessageKind = "video"
  /// The attachments: the video and its poster.
  public static let attachments = [AttachmentPath(\VideoContent.video), AttachmentPath(\VideoContent.poster)]
  /// The video's file.
  public var video: MessageAttachment
  /// The picture to show before the video plays.
  public var poster: MessageAttachment?
  /// The length in seconds, if known.
  public var duration: Double?
  /// The width in pixels, if known.
  public var width: Int?
  /// The height in pixels, if known.
  public var height: Int?
  /// The text below the video; nil if there is none.
  public var caption: String?

  /// Creates a message with a video on this device, on the media server or on another server.
  public init(
    _ video: MessageAttachment, poster: MessageAttachment? = nil, duration: Double? = nil, width: Int? = nil,
    height: Int? = nil, caption: String? = nil
  ) {
    self.caption = caption
    self.video = video
    self.poster = poster
    self.duration = duration
    self.width = width
    self.height = height
  }

  /// The caption, or a placeholder for a video.
  public var displayedText: String { caption ?? "[video]" }
  /// The caption.
  public var searchableText: String? { caption }
}
