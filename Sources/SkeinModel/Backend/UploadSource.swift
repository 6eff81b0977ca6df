#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A file to upload to the media server, with its type, size and hash.
public struct UploadSource: Sendable, Hashable {
  /// The file; it does not change during the upload.
  public let file: URL
  /// The media type, such as `image/png`.
  public let type: String
  /// The size in bytes.
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
    self.init(file: file, type: type, size: Int64(contents.count), hash: ContentHash.hash(of: contents))
  }
}

/// The progress of an upload.
public struct UploadProgress: Sendable, Hashable {
  /// The token that continues the upload later, if the server supports that.
  public let token: UploadToken?
  /// The number of bytes that the server has. This number falls if the upload starts again from the beginning.
  public let sent: Int64
  /// The number of bytes in total.
  public let total: Int64

  /// Creates a progress report.
  public init(token: UploadToken?, sent: Int64, total: Int64) {
    self.token = token
    self.sent = sent
    self.total = total
  }
}

/// Receives the progress of an upload; throws to end the upload. The alias states `@concurrent`, so the type
/// is the same under all concurrency settings.
public typealias UploadReporter = @concurrent @Sendable (UploadProgress) async throws -> Void
