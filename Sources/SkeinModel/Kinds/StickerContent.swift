/// A message that is one small picture of a set.
public struct StickerContent: MessageContent {
  /// `sticker`.
  public static let kind: MessageKind = "sticker"
  /// The picture.
  public static let attachments = [AttachmentPath(\StickerContent.image)]
  /// The picture's file.
  public var image: MessageAttachment
  /// The set it belongs to, by the name its app gives it.
  public var set: String?
  /// What it says in an emoji or a word, for who can't see it.
  public var meaning: String?

  /// Shows a sticker that is a file or already on the media server.
  public init(_ image: MessageAttachment, set: String? = nil, meaning: String? = nil) {
    self.image = image
    self.set = set
    self.meaning = meaning
  }

  /// What the sticker says, or that it is one.
  public var displayedText: String { meaning ?? "[sticker]" }
}
