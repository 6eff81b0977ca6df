import Foundation
import SkeinServer
import SkeinStorage
import SkeinWire
import Testing

@Suite("Resumable uploads")
struct UploadTests {
  private let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
  private let hash: Wire.MediaID = "457acfc64cae0a33bfe696c36395673bab10c056a8a153c3694fd832479ac4c4"

  @Test("An interrupted upload resumes after a restart, and becomes a file when complete")
  func parts() async throws {
    try await TestServer.run { server in
      var ann = try await server.user("ann")
      let begun = try await ann.begin(hash, size: 100_000)
      let id = try #require(begun.upload)
      #expect(begun.offset == 0)
      let next: Wire.Upload = try await ann.append(bytes[..<60_000], to: id, at: 0).expect(200).decoded()
      #expect(next == Wire.Upload(upload: id, offset: 60_000))

      // A crash in the middle of a part leaves some of it.
      await server.stop()
      let file = try FileHandle(forWritingTo: server.folder.appending(path: "media/uploads/\(id)"))
      try file.seekToEnd()
      try file.write(contentsOf: Data(bytes[60_000..<70_000]))
      try file.close()
      try await server.start()
      ann.port = await server.port

      #expect(try await ann.get("uploads/\(id)").decoded() == Wire.Upload(upload: id, offset: 70_000))
      // A client that lost the upload's id gets the id again by the hash.
      #expect(try await ann.begin(hash, size: 100_000) == Wire.Upload(upload: id, offset: 70_000))
      let end: Wire.Upload = try await ann.append(bytes[70_000...], to: id, at: 70_000).expect(200).decoded()
      #expect(end.media == Wire.Media(id: hash, size: 100_000, type: "image/png"))
      #expect(try await ann.get("media/\(hash)").expect(200).body == bytes)
      try await ann.get("uploads/\(id)").expect(404, .notFound)
    }
  }

  @Test("A complete upload whose record is lost becomes a file at the next request, without its bytes")
  func unrecorded() async throws {
    try await TestServer.run({ $0.report = { _ in } }) { server in
      var ann = try await server.user("ann")
      let id = try #require(try await ann.begin(hash, size: 100_000).upload)
      // As if the server were killed before the commit.
      try await server.changeDatabase(
        "CREATE TRIGGER lost BEFORE INSERT ON media BEGIN SELECT RAISE(ABORT, 'The record is lost.'); END")
      ann.port = await server.port
      try await ann.append(bytes[...], to: id, at: 0).expect(500, .serverFailed)
      try await server.changeDatabase("DROP TRIGGER lost")
      ann.port = await server.port

      let state: Wire.Upload = try await ann.get("uploads/\(id)").expect(200).decoded()
      #expect(state.media?.id == hash)
      #expect(try await ann.get("media/\(hash)").expect(200).body == bytes)
      #expect(try server.uploads().isEmpty)
      let incoming = server.folder.appending(path: "media/incoming").path
      #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty)
    }
  }

  @Test("A user's own file needs no second upload, and the hash of another user's file gives no access")
  func reuse() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), eve = try await server.user("eve")
      let id = try #require(try await ann.begin(hash, size: 100_000).upload)
      for path in ["uploads/\(id)", "uploads/..%2F..%2Fserver.sqlite"] {
        try await eve.get(path).expect(404, .notFound)
      }
      try await eve.append([1], to: id, at: 0).expect(404, .notFound)
      try await ann.append(bytes[...], to: id, at: 0).expect(200)
      let again = try await ann.post(
        "uploads", Wire.UploadRequest(hash: hash, size: 100_000, type: "image/png")
      )
      .expect(200).decoded(Wire.Upload.self)
      #expect(again.media?.id == hash)

      let begun = try await eve.begin(hash, size: 100_000)
      let other = try #require(begun.upload)
      #expect(begun.media == nil && begun.offset == 0 && other != id)
      try await eve.get("media/\(hash)").expect(404, .notFound)
      try await eve.append(bytes[...], to: other, at: 0).expect(200)
      try await eve.get("media/\(hash)").expect(200)
    }
  }

  @Test("A wrong offset is answered with the right one and changes nothing")
  func wrongOffset() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try #require(try await ann.begin(hash, size: 100_000).upload)
      try await ann.append(bytes[..<10], to: id, at: 0).expect(200)
      for offset in [0, 9, 11, 100_000, Int64.max] {
        let refusal = try await ann.append(bytes[..<10], to: id, at: offset).expect(409, .wrongOffset)
        #expect(refusal.offset == 10)
      }
      for query in ["", "?offset=-1", "?offset=x"] {
        try await ann.send("PATCH", "uploads/\(id)\(query)", body: [1]).expect(400, .badRequest)
      }
      let end: Wire.Upload = try await ann.append(bytes[10...], to: id, at: 10).expect(200).decoded()
      #expect(end.media?.id == hash)
    }
  }

  @Test("Bytes that do not have the announced hash are refused and removed")
  func mismatch() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let id = try #require(try await ann.begin(hash, size: 3).upload)
      try await ann.append([1, 2, 3], to: id, at: 0).expect(422, .hashMismatch)
      try await ann.get("uploads/\(id)").expect(404, .notFound)
      try await ann.get("media/\(hash)").expect(404, .notFound)
      #expect(try server.uploads().isEmpty)
      // An empty file has a hash too.
      try await ann.post("uploads", Wire.UploadRequest(hash: hash, size: 0, type: "image/png"))
        .expect(422, .hashMismatch)
      let nothing: Wire.MediaID = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      #expect(try await ann.begin(nothing, size: 0).media?.size == 0)
    }
  }

  @Test("An upload that is too large, invalid or longer than announced is refused")
  func refused() async throws {
    try await TestServer.run({ $0.limits.media = 1000 }) { server in
      let ann = try await server.user("ann")
      func begin(_ hash: Wire.MediaID, _ size: Int64, _ type: String = "image/png") async throws -> Answer {
        try await ann.post("uploads", Wire.UploadRequest(hash: hash, size: size, type: type))
      }
      try await begin(hash, 1001).expect(413, .tooLarge)
      try await begin(hash, -1).expect(400, .badRequest)
      try await begin("../../etc/passwd", 1).expect(400, .badRequest)
      try await begin(hash, 1, "image").expect(415, .unsupportedType)
      let id = try #require(try await ann.begin(hash, size: 1000).upload)
      try await ann.append(bytes[..<1001], to: id, at: 0).expect(413, .tooLarge)
      #expect(try await ann.get("uploads/\(id)").decoded() == Wire.Upload(upload: id, offset: 0))
      try await server.stranger().get("uploads/\(id)").expect(401, .unauthorized)
    }
  }

  @Test(
    "An upload beyond the allowed number replaces the user's oldest; a restart removes uploads older than a day"
  )
  func limits() async throws {
    try await TestServer.run({
      ($0.limits.uploads, $0.tokenLifetime) = (2, .seconds(7 * 86_400))
    }) { server in
      var ann = try await server.user("ann"), bo = try await server.user("bo")
      let kept = try #require(try await bo.begin(hash, size: 9).upload)
      var ids: [Wire.UploadID] = []
      for size in 1...3 {
        ids.append(try #require(try await ann.begin(hash, size: Int64(size + 1)).upload))
        server.clock.advance(by: 1000)
      }
      try await ann.get("uploads/\(ids[0])").expect(404, .notFound)
      for id in ids[1...] { try await ann.get("uploads/\(id)").expect(200) }
      try await bo.get("uploads/\(kept)").expect(200)
      #expect(try server.uploads().count == 3)

      server.clock.advance(by: 24 * 3_600_000 - 2500)
      try await server.restart()
      ann.port = await server.port
      bo.port = ann.port
      #expect(try server.uploads() == [ids[1], ids[2]].map(\.rawValue).sorted())
      try await bo.get("uploads/\(kept)").expect(404, .notFound)
    }
  }

  @Test("An upload that a request is working on is not removed for a further one")
  func busy() async throws {
    try await TestServer.run({ $0.limits.uploads = 1 }) { server in
      let ann = try await server.user("ann")
      let id = try #require(try await ann.begin(hash, size: 100_000).upload)
      let request = try SlowRequest(ann, "PATCH", "uploads/\(id)?offset=0", bodySize: 100_000)
      request.send(bytes[..<60_000])
      while try await ann.get("uploads/\(id)").status != 503 {}
      let other = try #require(try await ann.begin(hash, size: 9).upload)
      request.send(bytes[60_000...])
      #expect(request.answer().hasPrefix("HTTP/1.1 200 "))
      try await ann.get("media/\(hash)").expect(200)
      try await ann.get("uploads/\(other)").expect(200)
    }
  }

  @Test(
    "A database of version 1 gets a table of uploads, and its existing messages have no parameters")
  func migration() async throws {
    try await TestServer.run { server in
      var ann = try await server.user("ann")
      let id = try await ann.group("g").id
      try await ann.message("m1", to: id).expect(201)
      await server.stop()
      let file = server.folder.appending(path: "server.sqlite")
      let first = Schema(version: 9, tables: [], migrations: [])
      let database = try await Database.open(at: file, schema: first)
      try await database.write { rows in
        try rows.dropRevisions()
        _ = try rows.execute("DROP TABLE upload")
        _ = try rows.execute("DROP TABLE contact")
        _ = try rows.execute("ALTER TABLE message DROP COLUMN parameters")
        _ = try rows.execute("PRAGMA user_version = 1")
      }
      await database.close()
      try await server.start()
      ann.port = await server.port
      #expect(try await ann.begin(hash, size: 5).offset == 0)
      try await ann.message("m1", to: id).expect(200)
      try await ann.message("m2", parameters: ["a": "1"], to: id).expect(201)
      #expect(try await ann.history(id).messages.map(\.parameters) == [nil, ["a": "1"]])
    }
  }
}

extension TestClient {
  fileprivate func begin(_ hash: Wire.MediaID, size: Int64) async throws -> Wire.Upload {
    try await post("uploads", Wire.UploadRequest(hash: hash, size: size, type: "image/png")).expect(201)
      .decoded()
  }

  fileprivate func append(_ bytes: ArraySlice<UInt8>, to id: Wire.UploadID, at offset: Int64) async throws
    -> Answer
  {
    try await send(
      "PATCH", "uploads/\(id)?offset=\(offset)", type: "application/octet-stream", body: Array(bytes))
  }
}

extension TestServer {
  /// Stops the server, changes its database by a statement, and starts it again.
  fileprivate func changeDatabase(_ statement: String) async throws {
    await stop()
    let file = folder.appending(path: "server.sqlite")
    let database = try await Database.open(at: file, schema: Schema(version: 9, tables: [], migrations: []))
    try await database.write { try $0.execute(statement) }
    await database.close()
    try await start()
  }

  /// The file names of incomplete uploads.
  fileprivate nonisolated func uploads() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "media/uploads").path).sorted()
  }
}
