#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import SkeinStorage

/// What is known of the upload of one content: the same bytes are not brought to the media server twice.
struct UploadRow: Mapped, Equatable {
  /// SHA-256 of the content, in hexadecimal digits.
  let hash: String
  /// The media type it is uploaded as.
  let type: String
  /// Where the media server has it, as JSON; nil while it is on its way.
  var media: Data?
  /// The backend's name for the upload that was begun.
  var token: UploadToken?
  /// When the row last changed.
  var updated: Timestamp

  static let table = Table(
    "upload", key: ["hash", "type"], clusteredBy: ["hash", "type"],
    Self.init, Column("hash", \.hash), Column("type", \.type), Column("media", \.media),
    Column("token", \.token), Column("updated", \.updated))
}
