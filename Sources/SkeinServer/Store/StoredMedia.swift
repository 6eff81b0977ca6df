import SkeinStorage
import SkeinWire

extension Wire.MediaID {
  private static let digits = 64

  /// Whether the id has the form of a content address.
  var isValid: Bool {
    rawValue.utf8.count == Self.digits && rawValue.utf8.allSatisfy(Hexadecimal.isLowerDigit)
  }

  /// Returns the distinct content addresses in a text: runs of exactly 64 lower-case hexadecimal digits. A message of the
  /// largest size has some thousands.
  static func found(in text: [UInt8]) -> [Wire.MediaID] {
    var known: Set<Wire.MediaID> = []
    return text.split(whereSeparator: { !Hexadecimal.isLowerDigit($0) }).compactMap { run in
      guard run.count == digits else { return nil }
      let id = Wire.MediaID(rawValue: String(decoding: run, as: UTF8.self))
      return known.insert(id).inserted ? id : nil
    }
  }
}

/// A stored file.
struct StoredMedia: Mapped {
  let id: Wire.MediaID
  let size: Int64
  let type: String

  static let table = Table(
    "media", key: ["id"], clusteredBy: ["id"], Self.init,
    Column("id", \.id), Column("size", \.size), Column("type", \.type))
}

/// A user who has uploaded or copied a file, and may therefore read the file.
struct StoredMediaUpload: Mapped {
  let media: Wire.MediaID
  let user: Wire.UserID

  static let table = Table(
    "media_upload", key: ["media", "user"], clusteredBy: ["media", "user"], Self.init,
    Column("media", \.media), Column("user", \.user))
}

/// A conversation whose members may read a file.
struct StoredMediaReference: Mapped {
  let media: Wire.MediaID
  let conversation: ConversationID

  static let table = Table(
    "media_reference", key: ["media", "conversation"], clusteredBy: ["media", "conversation"], Self.init,
    Column("media", \.media), Column("conversation", \.conversation))
}

extension ReadTransaction {
  /// Returns whether a user may read a file. The user must have uploaded or copied the file, or must be a
  /// member of a conversation with a ``StoredMediaReference`` to the file.
  func mayRead(_ media: Wire.MediaID, _ user: Wire.UserID) throws -> Bool {
    if try find(StoredMediaUpload.self, media, user) != nil { return true }
    return try scalar(
      Int64.self,
      """
      SELECT 1 FROM media_reference JOIN member ON member.conversation = media_reference.conversation
      WHERE media_reference.media = ? AND member.user = ? LIMIT 1
      """, media, user) != nil
  }
}
