import Foundation
import SkeinServer
import SkeinWire
import Testing

struct MediaTests {
  /// Every file below the media folder.
  private func files(of server: TestServer) throws -> [String] {
    let folder = server.folder.appending(path: "media")
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      !["incoming", "uploads"].contains($0)
    }
  }

  @Test("A file is returned unchanged, its id is its hash, and its type is that of the first upload")
  func roundTrip() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let media: Wire.Media = try await ann.send("POST", "media", type: "image/png", body: bytes)
        .expect(201).decoded()
      #expect(media.size == 300_000)
      #expect(media.type == "image/png")
      let answer = try await ann.get("media/\(media.id)").expect(200)
      #expect(answer.body == bytes)
      #expect(answer.header("Content-Type") == "image/png")
      #expect(answer.header("X-Content-Type-Options") == "nosniff")
      let again: Wire.Media = try await ann.send("POST", "media", type: "text/html", body: bytes).decoded()
      #expect(again == media)
      #expect(try files(of: server) == [media.id.rawValue])
      let known = try await ann.send("POST", "media", type: "text/plain", body: Array("abc".utf8))
        .decoded(Wire.Media.self)
      #expect(known.id == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
  }

  @Test("A large file is uploaded and downloaded unchanged, and HEAD returns its size without the content")
  func large() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann")
      let bytes = [UInt8](repeating: 7, count: 20 << 20)
      let media: Wire.Media = try await ann.send("POST", "media", type: "video/mp4", body: bytes).decoded()
      let head = try await ann.send("HEAD", "media/\(media.id)").expect(200)
      #expect(head.body.isEmpty)
      #expect(head.header("Content-Length") == String(20 << 20))
      #expect(try await ann.get("media/\(media.id)").body == bytes)
    }
  }

  @Test("An upload that is too large or has an invalid type stores nothing; a restart removes a partial file")
  func refused() async throws {
    try await TestServer.run({ $0.limits.media = 1000 }) { server in
      let ann = try await server.user("ann")
      let bytes = [UInt8](repeating: 7, count: 1001)
      try await ann.send("POST", "media", type: "image/png", body: bytes).expect(413, .tooLarge)
      let huge = [UInt8](repeating: 7, count: 5 << 20)
      try await ann.send("POST", "media", type: "image/png", body: huge).expect(413, .tooLarge)
      try await ann.send("POST", "media", type: "image", body: [1]).expect(415, .unsupportedType)
      #expect(try files(of: server).isEmpty)
      try await ann.send("POST", "media", type: "image/png", body: Array(bytes.dropLast())).expect(201)

      try Data([1]).write(to: server.folder.appending(path: "media/incoming/cut-off"))
      try await server.restart()
      #expect(try files(of: server).count == 1)
    }
  }

  @Test("A file is readable by its uploader and its recipients, and a hash alone gives no access")
  func access() async throws {
    try await TestServer.run { server in
      let ann = try await server.user("ann"), bo = try await server.user("bo")
      let cy = try await server.user("cy"), eve = try await server.user("eve")
      let media: Wire.Media = try await ann.send("POST", "media", type: "image/png", body: [1, 2, 3])
        .decoded()
      let content = "{\"image\":\"\(media.id)\"}"
      try await bo.get("media/\(media.id)").expect(404, .notFound)

      // A user without access can't grant access either.
      let eves = try await eve.group("g", ["bo"]).id
      try await eve.message("1", content, to: eves).expect(201)
      try await eve.get("media/\(media.id)").expect(404, .notFound)
      try await bo.get("media/\(media.id)").expect(404, .notFound)

      let id = try await ann.direct("bo").id
      try await ann.message("1", content, to: id).expect(201)
      try await bo.get("media/\(media.id)").expect(200)
      // A recipient may forward the file.
      let next = try await bo.direct("cy").id
      try await bo.message("1", content, to: next).expect(201)
      try await cy.get("media/\(media.id)").expect(200)
      try await eve.get("media/\(media.id)").expect(404, .notFound)

      for path in ["media/x", "media/..%2F..%2Fserver.sqlite", "media/\(String(repeating: "0", count: 64))"] {
        try await ann.get(path).expect(404, .notFound)
      }
    }
  }
}
