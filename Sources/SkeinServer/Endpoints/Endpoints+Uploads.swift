import SkeinSockets
import SkeinStorage
import SkeinWire

extension Endpoints {
  /// `POST /v1/uploads`
  @Sendable func startUpload(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let request = try await call.json(Wire.UploadRequest.self)
    try Refusal.require(request.hash.isValid, "A hash is a SHA-256 in 64 lower-case hexadecimal digits.")
    try Refusal.require(request.size >= 0, "A size is not negative.")
    guard MediaType.isValid(request.type) else {
      throw Refusal.unsupportedType("A file needs a type such as `image/jpeg`.")
    }
    guard request.size <= options.limits.media else { throw Refusal.tooLarge("A file", options.limits.media) }

    // A hash alone gives no access to a file. A user who has not uploaded the file must upload it, even if
    // other users have uploaded it.
    let known = try await database.read { transaction in
      try transaction.find(StoredMediaUpload.self, request.hash, asker.user) == nil
        ? nil : try transaction.find(StoredMedia.self, request.hash)
    }
    if let known { return .json(200, Wire.Upload(media: Wire.Media(known))) }
    let new = StoredUpload(
      id: Wire.UploadID(rawValue: Hexadecimal.text(Digest.random(16))), user: asker.user, hash: request.hash,
      size: request.size, type: request.type, created: now)
    return .json(201, try await resumeOrStart(new))
  }

  private func resumeOrStart(_ new: StoredUpload) async throws -> Wire.Upload {
    let (row, removed) = try await database.write(.powerCut) { [options, uploads] in
      try $0.findOrInsert(new, limit: options.limits.uploads, isBusy: uploads.isBusy)
    }
    for id in removed { uploads.remove(id) }
    do {
      return try await uploads.withExclusiveAccess(to: row.id) { try await progress(row) }
    } catch let refusal as Refusal where refusal.code == .hashMismatch && row.id != new.id {
      // The bytes of an earlier attempt were damaged and have been removed.
      return try await resumeOrStart(new)
    }
  }

  /// `GET /v1/uploads/{}`
  @Sendable func upload(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let id = Wire.UploadID(rawValue: call.parameters.first ?? "")
    return try await uploads.withExclusiveAccess(to: id) {
      .json(200, try await progress(try await findUpload(id, of: asker)))
    }
  }

  /// `PATCH /v1/uploads/{}`
  @Sendable func continueUpload(_ call: Call, _ asker: Asker) async throws -> HTTPResponse {
    let id = Wire.UploadID(rawValue: call.parameters.first ?? "")
    guard let offset = try call.number("offset", in: 0 ... .max) else {
      throw Refusal(
        status: 400, code: .badRequest, message: "The query needs `offset`, the position of the first byte.")
    }
    return try await uploads.withExclusiveAccess(to: id) {
      let row = try await findUpload(id, of: asker)
      try await uploads.append(call.request.body, to: id, at: offset, size: row.size)
      return .json(200, try await progress(row))
    }
  }

  private func findUpload(_ id: Wire.UploadID, of asker: Asker) async throws -> StoredUpload {
    guard let row = try await database.read({ try $0.find(StoredUpload.self, id) }), row.user == asker.user
    else {
      throw Refusal.notFound
    }
    return row
  }

  /// Returns the state of an upload. A complete upload becomes a file if its bytes have the announced hash.
  /// If the bytes have another hash, the upload is removed and a 422 is thrown.
  private func progress(_ row: StoredUpload) async throws -> Wire.Upload {
    let length = try await uploads.length(of: row.id)
    guard length >= row.size else { return Wire.Upload(upload: row.id, offset: length) }
    guard try await uploads.hash(of: row.id) == row.hash else {
      try await database.write(.powerCut) { _ = try $0.delete(StoredUpload.self, row.id) }
      uploads.remove(row.id)
      throw Refusal.hashMismatch
    }
    // Until the commit, a repeated request must find the complete upload: the server may be killed in between.
    try await mediaFolder.link(uploads.file(row.id), as: row.hash)
    let media = try await database.write(.powerCut) { transaction in
      _ = try transaction.delete(StoredUpload.self, row.id)
      return try transaction.insertMedia(row.hash, size: row.size, type: row.type, by: row.user)
    }
    uploads.remove(row.id)
    return Wire.Upload(media: Wire.Media(media))
  }
}

extension Wire.Media {
  init(_ row: StoredMedia) { self.init(id: row.id, size: row.size, type: row.type) }
}
