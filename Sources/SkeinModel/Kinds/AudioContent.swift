/// A message that is heard: a voice note or a piece of music.
public struct AudioContent: MessageContent {
  /// `audio`.
  public static let kind: MessageKind = "audio"
  /// The recording.
  public static let attachments = [AttachmentPath(\AudioContent.audio)]
  /// A voice note is to be heard when it is opened: it is fetched unasked, as far as
  /// ``MessageContent/isFetchedOnReceipt`` goes.
  public static let isFetchedOnReceipt = true
  /// The recording's file.
  public var audio: MessageAttachment
  /// In seconds, where known.
  public var duration: Double?

  /// Plays a recording that is a file or already on the media server.
  public init(_ audio: MessageAttachment, duration: Double? = nil) {
    self.audio = audio
    self.duration = duration
  }

  /// That it is audio.
  public var displayedText: String { "[audio]" }
}
