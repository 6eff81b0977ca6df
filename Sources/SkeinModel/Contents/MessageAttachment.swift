#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A file that belongs to a message: on this device, on the media server, or on somebody else's.
public enum MessageAttachment: Codable, Hashable, Sendable {
  /// A file of this device; it becomes ``remote(_:)`` before the message is posted.
  case local(LocalFile)
  /// A file on somebody else's server; it becomes ``remote(_:)`` before the message is posted, as the media server takes a
  /// copy, where ``BackendCapabilities/rehosting`` says that it can.
  case thirdParty(URL)
  /// A file that the backend's media server holds.
  case remote(RemoteMedia)

  /// A file of this device, with its media type.
  public static func file(_ url: URL, type: String) -> MessageAttachment {
    .local(LocalFile(url: url, type: type))
  }

  /// What the media server holds, once it does.
  public var media: RemoteMedia? {
    if case .remote(let media) = self { media } else { nil }
  }
}

/// A file of this device that is to be uploaded.
public struct LocalFile: Codable, Hashable, Sendable {
  /// Where the file is.
  public var url: URL
  /// The media type, such as `image/png`.
  public var type: String
  /// Names a file; nothing is read yet.
  public init(url: URL, type: String) {
    self.url = url
    self.type = type
  }
}

/// A file on the media server.
public struct RemoteMedia: Codable, Hashable, Sendable {
  /// The backend's own name or address for it.
  public var id: String
  /// Its length in bytes.
  public var size: Int64
  /// The media type, such as `image/png`.
  public var type: String
  /// Describes a file that an upload has brought to the server.
  public init(id: String, size: Int64, type: String) {
    self.id = id
    self.size = size
    self.type = type
  }
}

/// One place in a content where attachments stand, named by key path.
///
/// ```swift
/// static let attachments = [AttachmentPath(\Self.image), AttachmentPath(\Self.thumbnail)]
/// ```
public struct AttachmentPath<Content>: Sendable {
  let get: @Sendable (Content) -> [MessageAttachment]
  /// Takes as many attachments as `get` gave.
  let set: @Sendable (inout Content, [MessageAttachment]) -> Void

  /// A place that always holds one attachment.
  public init(_ path: any WritableKeyPath<Content, MessageAttachment> & Sendable) {
    get = { [$0[keyPath: path]] }
    set = { content, new in if let first = new.first { content[keyPath: path] = first } }
  }

  /// A place that may hold an attachment.
  public init(_ path: any WritableKeyPath<Content, MessageAttachment?> & Sendable) {
    get = { $0[keyPath: path].map { [$0] } ?? [] }
    set = { content, new in content[keyPath: path] = new.first }
  }

  /// A place that holds any number of attachments.
  public init(_ path: any WritableKeyPath<Content, [MessageAttachment]> & Sendable) {
    get = { $0[keyPath: path] }
    set = { content, new in content[keyPath: path] = new }
  }

  /// Contents within the content, such as the messages of a merged forward, each with attachments of its own.
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
