#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message with a picture. The message is posted once the picture is on the media server.
public struct ImageContent: MessageContent {
  /// `image`.
  public static let kind: MessageKind = "image"
  /// The attachments: the picture.
  public static let attachments = [AttachmentPath(\ImageContent.image)]
  /// The picture's file.
  public var image: MessageAttachment
  /// The width in pixels, if known.
  public var width: Int?
  /// The height in pixels, if known.
  public var height: Int?
  /// The text below the picture; nil if there is none.
  public var caption: String?

  /// Creates a message with a picture on this device, on the media server or on another server.
  public init(
    _ image: MessageAttachment, width: Int? = nil, height: Int? = nil, caption: String? = nil
  ) {
    self.caption = caption
    self.image = image
    self.width = width
    self.height = height
  }

  /// Creates a message with a file on this device.
  public init(file: URL, type: String = "image/png") {
    self.init(.file(file, type: type))
  }

  /// The caption, or a placeholder for an image.
  public var displayedText: String { caption ?? "[image]" }
  /// The caption.
  public var searchableText: String? { caption }
}
