#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A file of a message: on this device, on the media server, or on another server.
public enum MessageAttachment: Codable, Hashable, Sendable {
  /// A file on this device; the attachment becomes ``remote(_:)`` before the message is posted.
  case local(LocalFile)
  /// A file on another server. The media server copies the file, and the attachment becomes ``remote(_:)``
  /// before the message is posted. Without ``BackendCapabilities/rehosting``, the message fails.
  case thirdParty(URL)
  /// A file on the backend's media server.
  case remote(RemoteMedia)

  /// Creates an attachment from a file on this device and its media type.
  public static func file(_ url: URL, type: String) -> MessageAttachment {
    .local(LocalFile(url: url, type: type))
  }

  /// The file on the media server; nil if the attachment is not on the media server.
  public var media: RemoteMedia? {
    if case .remote(let media) = self { media } else { nil }
  }
}

/// A file on this device to upload.
public struct LocalFile: Codable, Hashable, Sendable {
  /// The file's URL.
  public var url: URL
  /// The media type, such as `image/png`.
  public var type: String
  /// Describes a file on this device; does not open the file.
  public init(url: URL, type: String) {
    self.url = url
    self.type = type
  }
}

/// A file on the media server.
public struct RemoteMedia: Codable, Hashable, Sendable {
  /// The backend's id or address of the file.
  public var id: String
  /// The file's length in bytes.
  public var size: Int64
  /// The media type, such as `image/png`.
  public var type: String
  /// Describes an uploaded file.
  public init(id: String, size: Int64, type: String) {
    self.id = id
    self.size = size
    self.type = type
  }
}

/// A property that contains attachments, given by its key path.
///
/// ```swift
/// static let attachments = [AttachmentPath(\Self.image), AttachmentPath(\Self.thumbnail)]
/// ```
public struct AttachmentPath<Content>: Sendable {
  let get: @Sendable (Content) -> [MessageAttachment]
  /// Requires as many attachments as `get` returned.
  let set: @Sendable (inout Content, [MessageAttachment]) -> Void

  /// Describes a property with exactly one attachment.
  public init(_ path: any WritableKeyPath<Content, MessageAttachment> & Sendable) {
    get = { [$0[keyPath: path]] }
    set = { content, new in if let first = new.first { content[keyPath: path] = first } }
  }

  /// Describes a property with an optional attachment.
  public init(_ path: any WritableKeyPath<Content, MessageAttachment?> & Sendable) {
    get = { $0[keyPath: path].map { [$0] } ?? [] }
    set = { content, new in content[keyPath: path] = new.first }
  }

  /// Describes a property with any number of attachments.
  public init(_ path: any WritableKeyPath<Content, [MessageAttachment]> & Sendable) {
    get = { $0[keyPath: path] }
    set = { content, new in content[keyPath: path] = new }
  }

  /// Describes a property with any number of contents, each of which may have attachments.
  public init<Inner: MessageContent>(each path: any WritableKeyPath<Content, [Inner]> & Sendable) {
    get = { $0[keyPath: path].flatMap(\.allAttachments) }
    set = { content, new in
      var rest = new[...]
      for index in content[keyPath: path].indices {
        let count = content[keyPath: path][index].allAttachments.count
        content[keyPath: path][index].replaceAttachments(Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
      }
    }
  }
}
