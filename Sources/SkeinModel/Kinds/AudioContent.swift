/// A message with audio: a voice note or a piece of music.
public struct AudioContent: MessageContent {
  /// `audio`.
  public static let kind: MessageKind = "audio"
  /// The recording.
  public static let attachments = [AttachmentPath(\AudioContent.audio)]
  /// A voice note should play as soon as it is opened, so it is fetched on receipt, within the limits of
  /// ``MessageContent/isFetchedOnReceipt``.
  public static let isFetchedOnReceipt = true
  /// The recording's file.
  public var audio: MessageAttachment
  /// The length in seconds, if known.
  public var duration: Double?

  /// Creates a message with a recording that is a file on this device or already on the media server.
  public init(_ audio: MessageAttachment, duration: Double? = nil) {
    self.audio = audio
    self.duration = duration
  }

  /// A placeholder for audio.
  public var displayedText: String { "[audio]" }
}
