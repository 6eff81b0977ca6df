/// A message with audio: a voice note or a piece of music.
public struct AudioContent: MessageContent {
  /// `audio`.
  public static let kind: MessageKind = "audio"
  /// The attachments: the recording.
  public static let attachments = [AttachmentPath(\AudioContent.audio)]
  /// True, so that a voice note can play as soon as it is opened; ``MessageContent/isFetchedOnReceipt`` states the
  /// limits.
  public static let isFetchedOnReceipt = true
  /// The recording's file.
  public var audio: MessageAttachment
  /// The length in seconds, if known.
  public var duration: Double?
  /// The text below the recording; nil if there is none.
  public var caption: String?

  /// Creates a message with a recording on this device, on the media server or on another server.
  public init(_ audio: MessageAttachment, duration: Double? = nil, caption: String? = nil) {
    self.caption = caption
    self.audio = audio
    self.duration = duration
  }

  /// The caption, or a placeholder for audio.
  public var displayedText: String { caption ?? "[audio]" }
  /// The caption.
  public var searchableText: String? { caption }
}
