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
      try transaction.insertMedia(id, size: size, type: type, by: asker.user)
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
      // An uploaded web page must not run with this server's origin.
      "Content-Security-Policy": "sandbox",
    ]
    return .file(mediaFolder.file(id), size: row.size, for: call.request, headers: headers)
  }
}
