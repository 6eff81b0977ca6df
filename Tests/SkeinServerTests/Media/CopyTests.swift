import Foundation
import SkeinSockets
import SkeinWire
import Synchronization
import Testing

@testable import SkeinServer

@Suite("Copies of third parties' files", .timeLimit(.minutes(3)))
struct CopyTests {
  @Test(
    "A picture, even behind redirects, is copied for the requesting user alone and gets the type of its bytes"
  )
  func copies() async throws {
    try await Stranger.run { stranger in
      try await TestServer.run({ $0.allowsLoopbackCopies = true }) { server in
        let ann = try await server.user("ann"), eve = try await server.user("eve")
        for path in ["picture", "to/picture", "to/to/to/picture"] {
          let media: Wire.Media = try await ann.copy(stranger.url(path)).expect(201).decoded()
          #expect(media.type == "image/png" && media.size == Int64(Stranger.picture.count))
          #expect(try await ann.get("media/\(media.id)").expect(200).body == Stranger.picture)
          try await eve.get("media/\(media.id)").expect(404, .notFound)
        }
        try await server.stranger().copy(stranger.url("picture")).expect(401, .unauthorized)
      }
    }
  }

  @Test("A copy that fails is refused with the same answer, whatever the reason")
  func refused() async throws {
    try await Stranger.run { stranger in
      try await TestServer.run({
        $0.allowsLoopbackCopies = true
        $0.limits.media = 1000
        $0.limits.copySeconds = 2
      }) { server in
        let ann = try await server.user("ann")
        var urls = [
          "page", "large", "missing", "empty", "to/to/to/to/picture", "elsewhere/file:///etc/passwd",
          "elsewhere/ftp://127.0.0.1/x", "elsewhere/http://user:secret@127.0.0.1/x",
          "elsewhere/http://10.0.0.1/x",
          "elsewhere/http://169.254.169.254/latest", "slow",
        ].map(stranger.url)
        // A closed port, an unknown name, and addresses that are not allowed.
        urls += [
          "http://127.0.0.1:1/x", "http://nowhere.invalid/x", "http://10.0.0.1/x", "http://[fe80::1]/x",
          "http://[::ffff:127.0.0.1]:\(stranger.port)/picture", "http://0.0.0.0:\(stranger.port)/picture",
        ]
        for url in urls {
          let refusal = try await ann.copy(url).expect(422, .notCopied)
          #expect(refusal.error.message == Refusal.notCopied.message, Comment(rawValue: url))
        }
        #expect(
          try FileManager.default.subpathsOfDirectory(atPath: server.folder.appending(path: "media").path)
            .sorted()
            == ["incoming", "uploads"])
      }
    }
  }

  @Test(
    "A URL that can't lead to a public file is refused before any request is made",
    arguments: [
      "", "x", "http://", "file:///etc/passwd", "ftp://example.org/x", "gopher://127.0.0.1/x",
      "javascript:alert(1)",
      "http://user@example.org/", "http://user:secret@example.org/", "http://example.org:22/",
      "https://example.org:8080/",
      "http://127.0.0.1:6379/", "http://example.org/\r\nX: y", "http://example.org/ x",
      "http://example.org/é",
      "http://example.org/" + String(repeating: "x", count: 2048),
    ])
  func shapes(_ url: String) async throws {
    try await TestServer.run { server in
      try await server.user("ann").copy(url).expect(400, .badRequest)
    }
  }

  @Test(
    "Loopback addresses are refused in every notation",
    arguments: [
      "127.0.0.1", "localhost", "127.1", "0x7f.1", "2130706433", "017700000001", "0", "[::1]", "[::]",
      "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    ])
  func loopback(_ host: String) async throws {
    try await Stranger.run { stranger in
      let asked = Mutex<[InternetAddress]>([])
      let fetch = MediaFetch(
        allows: { address in
          asked.withLock { $0.append(address) }
          return address.isPublic
        }, limit: 1000, seconds: 5)
      try expectRefusal(fetch, "http://\(host):\(stranger.port)/picture")
      #expect(stranger.requests == 0)
      #expect(asked.withLock { $0.allSatisfy { !$0.isPublic } })
    }
  }

  @Test("The target of a redirect is also checked before connecting")
  func redirection() async throws {
    try await Stranger.run { inside in
      try await Stranger.run { outside in
        let fetch = MediaFetch(allows: { Int($0.port) == outside.port }, limit: 1000, seconds: 5)
        try expectRefusal(fetch, outside.url("elsewhere/\(inside.url("picture"))"))
        #expect(outside.requests == 1 && inside.requests == 0)
      }
    }
  }

  private func expectRefusal(_ fetch: MediaFetch, _ url: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "skein-copy-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    #expect {
      _ = try fetch.fetch(url, to: file.path)
    } throws: { error in
      (error as? Refusal)?.code == .notCopied
    }
  }
}

extension TestClient {
  fileprivate func copy(_ url: String) async throws -> Answer {
    try await post("media/copies", Wire.CopyRequest(url: url))
  }
}

/// A third party's server.
private final class Stranger: SocketServerHandler {
  static let picture: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 3, count: 500)

  private struct State {
    var port = 0
    var requests = 0
  }
  private let state = Mutex(State())

  var port: Int { state.withLock { $0.port } }
  var requests: Int { state.withLock { $0.requests } }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)/\(path)" }

  static func run(_ body: (Stranger) async throws -> Void) async throws {
    let stranger = Stranger()
    let server = try await SocketServer.start(handler: stranger)
    stranger.state.withLock { $0.port = server.port }
    do {
      try await body(stranger)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    state.withLock { $0.requests += 1 }
    let path = request.path.dropFirst()
    switch path {
    case "picture": return answer(Self.picture)
    case "page": return answer(Array("<!DOCTYPE html><p>Not a picture, whatever I say.".utf8))
    case "large": return answer(Self.picture + Self.picture)
    case "empty": return answer([])
    case "slow":
      // Waits until the client disconnects or the server stops.
      for await _ in AsyncStream.makeStream(of: Never.self).stream {}
      return answer(Self.picture)
    default: break
    }
    for (word, base) in [("to/", "/"), ("elsewhere/", "")] where path.hasPrefix(word) {
      return HTTPResponse(
        status: 302, headers: ["Location": base + path.dropFirst(word.count)], content: .bytes([]))
    }
    return HTTPResponse(status: 404, content: .bytes(Self.picture))
  }

  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {}

  private func answer(_ bytes: [UInt8]) -> HTTPResponse {
    HTTPResponse(status: 200, headers: ["Content-Type": "image/png"], content: .bytes(bytes))
  }
}
