import Foundation
import Skein
import SkeinHTTP
import SkeinServer
import SkeinSockets
import Synchronization
import Testing

@Suite("Uploads in parts", .timeLimit(.minutes(3)))
struct UploadTests {
  private let part = "PATCH /v1/uploads/{} 200"

  @Test("An upload that is interrupted at 60 % continues from there, and each byte is sent once")
  func resuming() async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .parts)
      let source = try await world.source("photo", size: 100_000)
      let token = try await cut(source, through: alice)
      #expect(world.requests.count(part) == 6)

      let seen = Mutex<[Int64]>([])
      let media = try await alice.upload(source, resuming: token) { progress in
        seen.withLock { $0.append(progress.sent) }
      }
      #expect(seen.withLock { $0 } == [60_000, 70_000, 80_000, 90_000, 100_000])
      #expect(world.requests.count(part) == 10)
      #expect(media == RemoteMedia(id: source.hash, size: 100_000, type: "image/png"))
      #expect(try await world.bytes(of: media, through: alice) == Data(contentsOf: source.file))
    }
  }

  @Test("After a restart of the server, an interrupted upload continues even without an upload token")
  func restart() async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .parts)
      let source = try await world.source("photo", size: 100_000)
      let report: UploadReporter = { if $0.sent == 60_000 { await world.stopServer() } }
      let error = await backendError { _ = try await alice.upload(source, resuming: nil, report: report) }
      #expect(error?.code == .unreachable)
      try await world.startServer()
      _ = try await alice.upload(source, resuming: nil) { _ in }
      #expect(world.requests.count(part) == 10)
    }
  }

  @Test("An upload whose token the server does not know starts from the beginning")
  func unknownToken() async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .parts)
      let source = try await world.source("photo", size: 30_000)
      for (token, parts) in [("nothing", 3), ("../media", 3)] {
        _ = try await alice.upload(source, resuming: UploadToken(rawValue: token)) { _ in }
        #expect(world.requests.count(part) == parts)
      }
    }
  }

  @Test("An upload that the server removes twice in one attempt fails temporarily")
  func removedTwice() async throws {
    let answer: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
      request.method == "POST"
        ? .json(#"{"upload":"u","offset":0}"#, status: 201) : .failure(404, "notFound")
    }
    try await ScriptedServer.run(answering: answer) { backend in
      let file = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      try Data("photo".utf8).write(to: file)
      let error = await backendError { _ = try await backend.upload(file, type: "image/png") }
      #expect(error?.code == .transient)
    }
  }

  @Test("With a limit of one incomplete upload, three pictures sent at once are uploaded")
  func lowLimit() async throws {
    try await TestWorld.run({ $0.limits.uploads = 1 }) { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .parts)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for size in [9_997, 9_998, 9_999] {
          let source = try await world.source("photo-\(size)", size: size)
          group.addTask {
            while true {
              do {
                _ = try await alice.upload(source, resuming: nil) { _ in }
                return
              } catch let error as BackendError where error.code == .transient {}
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("A file that has changed since it was hashed is refused permanently")
  func changed() async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .parts)
      let source = try await world.source("photo", size: 30_000)
      for bytes in [Data(repeating: 1, count: 30_000), Data(repeating: 1, count: 29_999)] {
        try bytes.write(to: source.file)
        let error = await backendError { _ = try await alice.upload(source, resuming: nil) { _ in } }
        #expect(error?.code == .permanent)
      }
    }
  }

  @Test("A photo sent in two messages is uploaded once, and both recipients can see it")
  func photoTwice() async throws {
    try await TestWorld.run { world in
      let alice = try await world.client(try await world.user("alice"))
      let sessions = [try await world.user("bob"), try await world.user("carol")]
      let source = try await world.source("photo", size: 3_000_000)
      for session in sessions {
        let chat = try await alice.open(.direct(session.user))
        _ = try await alice.send(ImageContent(file: source.file), to: chat).result
      }
      #expect(world.requests.count("POST /v1/uploads 201") == 1)
      #expect(world.requests.count(part) == 3)
      let media = RemoteMedia(id: source.hash, size: source.size, type: source.type)
      for session in sessions {
        let bytes = try await world.bytes(of: media, through: HTTPBackend(session, options: .patient))
        #expect(try bytes == Data(contentsOf: source.file))
      }
    }
  }

  @Test("The server copies a third party's file, and a refusal to copy is a permanent error")
  func rehosting() async throws {
    let url = try #require(URL(string: "https://example.org/a%20b.png?c=d"))
    let answer: @Sendable (HTTPRequest) async -> HTTPResponse = { request in
      let body = (try? await request.body.collect(upTo: 1000)) ?? []
      guard request.path == "/v1/media/copies", body == Array(#"{"url":"\#(url.absoluteString)"}"#.utf8)
      else {
        return .failure(422, "notCopied")
      }
      return .json(#"{"id":"abc","size":7,"type":"image/png"}"#, status: 201)
    }
    try await ScriptedServer.run(answering: answer) { backend in
      let copy = try await backend.rehost(url)
      #expect(copy == RemoteMedia(id: "abc", size: 7, type: "image/png"))
      let other = url.appending(path: "other")
      let error = await backendError { _ = try await backend.rehost(other) }
      #expect(error?.code == .permanent)
    }
  }

  /// Stops an upload when the server has 60 % of it, and returns its token.
  private func cut(_ source: UploadSource, through backend: HTTPBackend) async throws -> UploadToken? {
    let token = Mutex<UploadToken?>(nil)
    await #expect(throws: CancellationError.self) {
      _ = try await backend.upload(source, resuming: nil) { progress in
        token.withLock { $0 = progress.token }
        if progress.sent >= progress.total * 6 / 10 { throw CancellationError() }
      }
    }
    return token.withLock { $0 }
  }
}

extension HTTPOptions {
  /// Options for uploads in parts of ten thousand bytes.
  fileprivate static let parts = {
    var options = HTTPOptions.patient
    options.uploadChunkSize = 10_000
    return options
  }()
}

extension TestWorld {
  fileprivate nonisolated func source(_ name: String, size: Int) async throws -> UploadSource {
    try await .reading(LocalFile(url: try file(name, size: size), type: "image/png"))
  }

  /// Downloads a file through a backend, and returns its bytes.
  fileprivate nonisolated func bytes(of media: RemoteMedia, through backend: HTTPBackend) async throws -> Data
  {
    let target = try file(UUID().uuidString, size: 0)
    try await backend.download(media, to: target)
    return try Data(contentsOf: target)
  }
}
