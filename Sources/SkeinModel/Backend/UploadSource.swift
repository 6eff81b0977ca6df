#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A file that is to be brought to the media server, and what it is known by.
public struct UploadSource: Sendable, Hashable {
  /// Where the bytes are; they stay as they are while the upload goes on.
  public let file: URL
  /// The media type, such as `image/png`.
  public let type: String
  /// In bytes.
  public let size: Int64
  /// SHA-256 of the bytes, in 64 lower-case hexadecimal digits.
  public let hash: String

  /// Describes a file whose size and hash are known.
  public init(file: URL, type: String, size: Int64, hash: String) {
    self.file = file
    self.type = type
    self.size = size
    self.hash = hash
  }

  /// Describes a file that holds these bytes.
  public init(file: URL, type: String, contents: Data) {
    var hash = ContentHash()
    hash.update(Array(contents))
    self.init(file: file, type: type, size: Int64(contents.count), hash: hash.finish())
  }
}

/// How far an upload has come.
public struct UploadProgress: Sendable, Hashable {
  /// What it can be taken up with later, where the server can do that.
  public let token: UploadToken?
  /// Bytes that the server has; it may fall when an upload starts anew.
  public let sent: Int64
  /// Bytes in all.
  public let total: Int64

  /// States how far an upload has come.
  public init(token: UploadToken?, sent: Int64, total: Int64) {
    self.token = token
    self.sent = sent
    self.total = total
  }
}

/// Takes what an upload reports; throws to end it. A type of its own, so that a backend may be written in a module with any
/// concurrency settings.
public typealias UploadReporter = @concurrent @Sendable (UploadProgress) async throws -> Void
