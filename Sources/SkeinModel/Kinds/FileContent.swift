#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message with a file of any type.
public struct FileContent: MessageContent {
  /// `file`.
  public static let kind: MessageKind = "file"
  /// The attachments: the file.
  public static let attachments = [AttachmentPath(\FileContent.file)]
  /// The file itself.
  public var file: MessageAttachment
  /// The file's name as given by the sender. Check the name before saving the file: it may contain any characters.
  public var name: String
  /// The size in bytes, if known. For a file on the media server, ``RemoteMedia/size`` is authoritative.
  public var size: Int64?
  /// The text below the file; nil if there is none.
  public var caption: String?

  /// Creates a message with a file on this device, on the media server or on another server.
  public init(_ file: MessageAttachment, name: String, size: Int64? = nil, caption: String? = nil) {
    self.caption = caption
    self.file = file
    self.name = name
    self.size = size ?? file.media?.size
  }

  /// Creates a message with a file on this device, under its current name.
  public init(file: URL, type: String = "application/octet-stream") {
    self.init(.file(file, type: type), name: file.lastPathComponent)
  }

  /// The caption, or the file's name.
  public var displayedText: String { caption ?? name }
  /// The file's name and the caption.
  public var searchableText: String? { caption.map { "\(name) \($0)" } ?? name }
}
