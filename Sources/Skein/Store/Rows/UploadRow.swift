#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// An upload, stored so that the same bytes are not uploaded twice.
struct UploadRow: Mapped, Equatable {
  /// SHA-256 of the bytes, in hexadecimal digits.
  let hash: String
  /// The media type under which the bytes are uploaded.
  let type: String
  /// The uploaded media, as JSON; nil until the upload is complete.
  var media: Data?
  /// The backend's token for the unfinished upload.
  var token: UploadToken?
  /// The time of the row's last change.
  var updated: Timestamp

  static let table = Table(
    "upload", key: ["hash", "type"], clusteredBy: ["hash", "type"],
    Self.init, Column("hash", \.hash), Column("type", \.type), Column("media", \.media),
    Column("token", \.token), Column("updated", \.updated))
}
