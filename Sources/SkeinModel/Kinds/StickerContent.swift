/// A message with one sticker.
public struct StickerContent: MessageContent {
  /// `sticker`.
  public static let kind: MessageKind = "sticker"
  /// The attachments: the picture.
  public static let attachments = [AttachmentPath(\StickerContent.image)]
  /// The picture's file.
  public var image: MessageAttachment
  /// The app's name for the sticker set.
  public var set: String?
  /// The sticker's meaning as an emoji or a word, for people who can't see the picture.
  public var meaning: String?

  /// Creates a message with a sticker on this device, on the media server or on another server.
  public init(_ image: MessageAttachment, set: String? = nil, meaning: String? = nil) {
    self.image = image
    self.set = set
    self.meaning = meaning
  }

  /// The sticker's meaning, or a placeholder.
  public var displayedText: String { meaning ?? "[sticker]" }
}
