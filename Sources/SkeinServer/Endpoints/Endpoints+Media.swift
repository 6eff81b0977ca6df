import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `POST /v1/media`
  @Sendable func uploadMedia(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let limit = options.limits.media
    guard let type = call.request.headers["Content-Type"], MediaType.isValid(type) else {
      throw Refusal.unsupportedType("A file needs a `Content-Type` such as `image/jpeg`.")
    }
    if let length = call.request.body.length, length > limit { throw Refusal.tooLarge("A file", limit) }

    let (id, size) = try await mediaFolder.store(call.request.body, limit: limit)
    let row = try await database.write(.powerCut) { transaction in
      try transaction.uploaded(id, size: size, type: type, by: asker.user)
    }
    return .json(201, Wire.Media(row))
  }

  /// `GET /v1/media/{}`
  @Sendable func media(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let id = Wire.MediaID(rawValue: call.parameters.first ?? "")
    guard id.isValid else { throw Refusal.notFound }
    let row = try await database.read { transaction in
      try transaction.mayRead(id, asker.user) ? try transaction.find(StoredMedia.self, id) : nil
    }
    guard let row else { throw Refusal.notFound }
    let headers: HTTPHeaders = [
      "Content-Type": row.type, "Cache-Control": "private, max-age=31536000, immutable",
      // A page that somebody uploaded must not run as one of this server's.
      "Content-Security-Policy": "sandbox",
    ]
    return .file(mediaFolder.file(id), size: row.size, for: call.request, headers: headers)
  }
}

/// A media type as it stands in a header.
enum MediaType {
  /// Whether it is `type/subtype`, parameters or not, in at most 255 printable ASCII characters.
  static func isValid(_ text: String) -> Bool {
    let names = text.prefix { $0 != ";" }.split(separator: "/", omittingEmptySubsequences: false)
    return text.utf8.count <= 255 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && names.count == 2
      && names.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isNameByte) }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$&-^_.+".utf8.contains(byte)
    }
  }
}

extension ReadTransaction {
  /// Whether a user uploaded a file, or is in a conversation where it was sent.
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
