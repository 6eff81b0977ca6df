#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A message that hands over a file of any type.
public struct FileContent: MessageContent {
  /// `file`.
  public static let kind: MessageKind = "file"
  /// The file.
  public static let attachments = [AttachmentPath(\FileContent.file)]
  /// The file itself.
  public var file: MessageAttachment
  /// What its sender called it; whoever saves it checks the name first, as it may hold anything.
  public var name: String
  /// In bytes, where known; on the media server ``RemoteMedia/size`` says it for certain.
  public var size: Int64?

  /// Hands over a file that is on this device or already on the media server.
  public init(_ file: MessageAttachment, name: String, size: Int64? = nil) {
    self.file = file
    self.name = name
    self.size = size ?? file.media?.size
  }

  /// Hands over a file of this device under the name it has there.
  public init(file: URL, type: String = "application/octet-stream") {
    self.init(.file(file, type: type), name: file.lastPathComponent)
  }

  /// The file's name.
  public var displayedText: String { name }
  /// The file's name.
  public var searchableText: String? { name }
}
