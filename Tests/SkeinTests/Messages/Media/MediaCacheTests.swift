import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Fetched media")
struct MediaCacheTests {
  /// A media server whose files contain their own ids, repeated.
  private final class Shelf: Sendable {
    private let fetched = Mutex<[String]>([])
    let isAway = Mutex(false)

    var names: [String] { fetched.withLock { $0 } }
    static func media(_ name: String, size: Int64 = 1000) -> RemoteMedia {
      RemoteMedia(id: "https://media.example/\(name)", size: size, type: "audio/ogg")
    }
    static func bytes(_ media: RemoteMedia) -> Data {
      Data((0..<Int(media.size)).map { Array(media.id.utf8)[$0 % media.id.utf8.count] })
    }
    func fetch(_ media: RemoteMedia, _ file: URL, _ runtime: Runtime) async throws {
      try await runtime.sleep(for: .seconds(1))
      if isAway.withLock({ $0 }) { throw BackendError(.unreachable, "Away.") }
      fetched.withLock { $0.append(String(media.id.split(separator: "/").last ?? "")) }
      try Self.bytes(media).write(to: file, options: .atomic)
    }
  }

  private func client(_ user: UserID, _ stage: SimulatedStage, _ shelf: Shelf, size: Int64 = 1 << 30)
    async throws -> ChatClient
  {
    var options = ChatOptions()
    options.mediaCacheSize = size
    return try await stage.client(user, on: user.rawValue, options: options) { backend in
      let runtime = backend.inner.runtime
      backend.onDownload = { try await shelf.fetch($0, $1, runtime) }
    }
  }

  @Test("Concurrent requests fetch a file once, and a missing or damaged file is fetched again", .simulated)
  func once() async throws {
    let shelf = Shelf()
    let media = Shelf.media("a")
    for name in ["first", "after a restart"] {
      let client = try await client("alice", stage, shelf)
      async let one = client.file(for: media)
      async let two = client.file(for: media)
      let files = try await [one, two]
      #expect(files[0] == files[1])
      #expect(try Data(contentsOf: files[0]) == Shelf.bytes(media), "another content \(name)")
      #expect(client.fetchedFile(for: media) == files[0], "it is not known \(name)")
      await client.close()
    }
    #expect(shelf.names == ["a"])
    let client = try await client("alice", stage, shelf)
    let file = try await client.file(for: media)
    try FileManager.default.removeItem(at: file)
    #expect(client.fetchedFile(for: media) == nil)
    _ = try await client.file(for: media)
    try Data("half".utf8).write(to: file)
    #expect(try Data(contentsOf: await client.file(for: media)) == Shelf.bytes(media))
    #expect(shelf.names == ["a", "a", "a"])
    await client.close()
  }

  @Test("The least recently used file is evicted first, and never the one that was just fetched", .simulated)
  func room() async throws {
    let shelf = Shelf()
    let client = try await client("alice", stage, shelf, size: 2500)
    let runtime = stage.runtime(named: "stage")
    for name in ["a", "b", "a", "c"] {
      _ = try await client.file(for: Shelf.media(name))
      try await runtime.sleep(for: .seconds(2))
    }
    let kept = ["a", "b", "c"].filter { client.fetchedFile(for: Shelf.media($0)) != nil }
    #expect(kept == ["a", "c"])
    let large = Shelf.media("large", size: 9000)
    let file = try await client.file(for: large)
    #expect(FileManager.default.fileExists(atPath: file.path))
    #expect(client.fetchedFile(for: Shelf.media("c")) == nil)
    await client.close()
  }

  @Test(
    "A file can be fetched after a failed fetch, and a fetched file of the wrong length is not kept",
    .simulated)
  func failure() async throws {
    let shelf = Shelf()
    let client = try await client("alice", stage, shelf)
    shelf.isAway.withLock { $0 = true }
    await #expect(throws: BackendError.self) { try await client.file(for: Shelf.media("a")) }
    shelf.isAway.withLock { $0 = false }
    _ = try await client.file(for: Shelf.media("a"))
    await client.close()
    let liar = try await stage.client("alice", on: "liar") { backend in
      backend.onDownload = { try Data("short".utf8).write(to: $1) }
    }
    await #expect(throws: BackendError.self) { try await liar.file(for: Shelf.media("a")) }
    #expect(liar.fetchedFile(for: Shelf.media("a")) == nil)
    await liar.close()
  }

  @Test(
    "Voice notes up to a size limit are fetched when they arrive; larger ones and pictures are not",
    .simulated)
  func voice() async throws {
    let shelf = Shelf()
    let alice = try await stage.client("alice", on: "alice")
    let bob = try await client("bob", stage, shelf)
    alice.start()
    bob.start()
    for await state in bob.catchUpStates where state == .caughtUp { break }
    let chat = try await alice.open(.direct("bob"))
    let (voice, concert) = (Shelf.media("voice"), Shelf.media("concert", size: 50 << 20))
    let contents: [any MessageContent] = [
      AudioContent(.remote(concert)),
      ImageContent(.remote(Shelf.media("picture"))),
      AudioContent(.remote(voice)),
    ]
    for content in contents { _ = try await alice.send(content, to: chat).result }
    _ = try await bob.conversations.first { $0.unreadCount == 3 }
    try await stage.runtime(named: "stage").sleep(for: .seconds(10))
    #expect(shelf.names == ["voice"])
    #expect(bob.fetchedFile(for: voice) != nil)
    await alice.close()
    await bob.close()
  }
}
