import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Uploads of attachments")
struct AttachmentUploadTests {
  @Test(
    "A photo sent to two conversations at once, and again after a restart, is uploaded once", .simulated)
  func reuse() async throws {
    let file = try stage.photo("photo")
    let other = try stage.photo("same photo under another name")
    var client = try await stage.client("alice", on: "phone")
    client.start()
    let chats = [try await client.open(.direct("bob")), try await client.open(.direct("carol"))]
    let first = try await client.send(ImageContent(file: file), to: chats[0])
    let second = try await client.send(ImageContent(file: other), to: chats[1])
    let media = (try await first.result, try await second.result)
    #expect(media.0.media != nil)
    #expect(media.0.media == media.1.media)
    await client.close()

    client = try await stage.client("alice", on: "phone")
    client.start()
    let third = try await client.send(ImageContent(file: file), to: chats[0]).result
    #expect(third.media == media.0.media)
    #expect(stage.server.uploads == 1)
    await client.close()
  }

  @Test(
    "The same bytes are uploaded again if their type or the account differs",
    .simulated(seeds: 1...2))
  func noReuse() async throws {
    let file = try stage.photo("photo")
    let alice = try await stage.client("alice", on: "phone")
    alice.start()
    let chat = try await alice.open(.direct("bob"))
    _ = try await alice.send(ImageContent(file: file, type: "image/png"), to: chat).result
    _ = try await alice.send(ImageContent(file: file, type: "image/jpeg"), to: chat).result
    #expect(stage.server.uploads == 2)
    await alice.close()
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    let back = try await bob.open(.direct("alice"))
    _ = try await bob.send(ImageContent(file: file), to: back).result
    #expect(stage.server.uploads == 3)
    await bob.close()
  }

  @Test("An interrupted upload continues with its token, after a failure and after a restart", .simulated)
  func resuming() async throws {
    let file = try stage.photo("photo")
    let ledger = Ledger()
    var client = try await stage.client("alice", on: "phone") { $0.onUpload = ledger.upload }
    client.start()
    let chat = try await client.open(.direct("bob"))
    try await client.send(ImageContent(file: file), to: chat)
    // The first attempt is interrupted, the second hangs until the client is closed.
    await ledger.attempts.reach(2)
    await client.close()

    client = try await stage.client("alice", on: "phone") { $0.onUpload = ledger.upload }
    client.start()
    try await client.context(for: chat).list { $0.first?.message?.status == .sent }
    let tokens = ledger.tokens.withLock { $0.map { $0?.rawValue } }
    #expect(tokens == [nil, "one", "two"])
    await client.close()
  }

  @Test(
    "Progress is reported as bytes arrive, and a cancelled upload stops between two parts",
    .simulated(seeds: 1...2))
  func progress() async throws {
    let file = LocalFile(url: try stage.photo("photo"), type: "image/png")
    let runtime = stage.runtime(named: "phone")
    var backend = AlteredBackend(inner: MemoryBackend(user: "alice", server: stage.server, runtime: runtime))
    let parts = Mutex(0)
    backend.onUpload = { source, _, report in
      for part in 1...4 {
        parts.withLock { $0 = part }
        try await report(
          UploadProgress(token: UploadToken(rawValue: "t"), sent: Int64(part) * 25_000, total: source.size))
      }
      return RemoteMedia(id: "m", size: source.size, type: source.type)
    }
    let store = try await ChatStore.open(
      account: "alice", kinds: .standard, capabilities: backend.capabilities.abilities, runtime: runtime,
      derivations: Derivations.all)
    let uploads = AttachmentUploads(store: store, backend: backend)
    let heard = Mutex<[Double]>([])
    let running = runtime.spawn {
      try await uploads.bring(file) { part in
        heard.withLock { $0.append(part) }
        if part == 0.5 { withUnsafeCurrentTask { $0?.cancel() } }
      } save: { _, _ in
        throw Unexpected(what: "saved after it was cancelled")
      }
    }
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(heard.withLock { $0 } == [0.25, 0.5])
    #expect(parts.withLock { $0 } == 3)

    // The next upload runs to its end, and its token is removed.
    let isUploaded = try await uploads.bring(file) { part in
      heard.withLock { $0.append(part) }
    } save: { media, row in
      #expect(media.id == "m")
      #expect(row.token == nil)
    }
    #expect(isUploaded)
    #expect(heard.withLock { $0.suffix(5) } == [0.25, 0.5, 0.75, 1, 1], "\(heard.withLock { $0 })")
    await store.database.close()
  }

  @Test(
    "If the server no longer has a file, the message that reuses it fails and the next one uploads it again",
    .simulated(seeds: 1...2))
  func deletedMedia() async throws {
    let deleted = Mutex(false)
    let uploads = Mutex(0)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onUpload = { source, _, _ in
        let count = uploads.withLock { count in
          count += 1
          return count
        }
        return RemoteMedia(id: "media-\(count)", size: source.size, type: source.type)
      }
      backend.onSend = { [inner = backend.inner] message in
        let isOld = String(decoding: message.payload, as: UTF8.self).contains("media-1\"")
        if isOld, deleted.withLock({ $0 }) { throw BackendError(.permanent, "There is no such file.") }
        return try await inner.send(message)
      }
    }
    client.start()
    let photo = try stage.photo("photo.png")
    let messenger = client.messenger(for: try await client.open(.direct("bob")))
    _ = try await messenger.send(ImageContent(file: photo)).result
    deleted.withLock { $0 = true }
    let refused = try await messenger.send(ImageContent(file: photo))
    for await state in refused.progress where state.isEnd { break }
    guard case .failed = try await refused.state else { throw Unexpected(what: "it was not refused") }
    let sent = try await messenger.send(ImageContent(file: photo)).result
    #expect(sent.media?.id == "media-2")
    #expect(uploads.withLock { $0 } == 2)
    await client.close()
  }

  @Test(
    "The server copies a third party's file before the message is posted; a refused copy fails the message",
    .simulated(seeds: 1...2))
  func thirdParty() async throws {
    let url = try #require(URL(string: "https://example.org/cat.png"))
    let copy = RemoteMedia(id: "copy", size: 5, type: "image/png")
    let asked = Mutex<[URL]>([])
    let client = try await stage.client("alice", on: "phone") {
      $0.inner.abilities.rehosting = true
      $0.onRehost = { url in
        if asked.withLock({
          $0.append(url); return $0.count
        }) == 2 {
          throw BackendError(.permanent, "There is nothing to copy.")
        }
        return copy
      }
    }
    client.start()
    let chat = try await client.open(.direct("bob"))
    let sent = try await client.send(ImageContent(.thirdParty(url)), to: chat).result
    #expect(sent.media == copy, "\(sent.content)")
    let refused = try await client.send(ImageContent(.thirdParty(url)), to: chat)
    await #expect(throws: SendFailure(.refused, "There is nothing to copy.")) {
      _ = try await refused.result
    }
    #expect(asked.withLock { $0 } == [url, url])
    #expect(stage.server.uploads == 0)
    await client.close()
  }

  @Test(
    "A file to upload is identified by the SHA-256 of its bytes",
    arguments: [0, 1, 3, 1 << 20, (1 << 20) + 1])
  func hash(size: Int) async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(repeating: UInt8(ascii: "a"), count: size).write(to: file)
    let source = try await UploadSource.reading(LocalFile(url: file, type: "image/png"))
    #expect(source.size == Int64(size))
    #expect(source.hash.utf8.count == 64)
    let known = [
      0: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      1: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
      3: "9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0",
      1 << 20: "9bc1b2a288b26af7257a36277ae3816a7d4f16e89c1e7e77d0a5c48bad62b360",
    ]
    if let hash = known[size] { #expect(source.hash == hash) }
  }

  @Test("A folder or a missing file can't be read")
  func unreadable() async {
    let folder = FileManager.default.temporaryDirectory
    for url in [folder, folder.appending(path: UUID().uuidString)] {
      await #expect(throws: ChatError.self) {
        _ = try await UploadSource.reading(LocalFile(url: url, type: "image/png"))
      }
    }
  }

  @Test(
    "A picture of a kind that the app no longer knows is not posted without its file, also after a retry",
    .simulated)
  func forgottenKind() async throws {
    let file = try stage.photo("photo")
    let runtime = stage.runtime(named: "phone")
    let backend = MemoryBackend(user: "alice", server: stage.server, runtime: runtime)
    var kinds = KindRegistry.standard
    kinds.register(Postcard.self)
    var client = try await ChatClient.open(account: "alice", backend: backend, kinds: kinds, runtime: runtime)
    let chat = try await client.open(.direct("bob"))
    let sent = try await client.send(Postcard(image: .file(file, type: "image/png")), to: chat)
    await client.close()

    client = try await ChatClient.open(account: "alice", backend: backend, runtime: runtime)
    client.start()
    let context = client.context(for: chat)
    for _ in 1...2 {
      let list = try await context.list { $0.statuses == [.failed] }
      #expect(list.first?.message?.failure?.code == .kindUnknown)
      try await context.messenger.retry(sent.id)
    }
    try await context.list { $0.statuses == [.failed] }
    await client.close()
    #expect(stage.server.posts.isEmpty)

    client = try await ChatClient.open(account: "alice", backend: backend, kinds: kinds, runtime: runtime)
    client.start()
    try await client.context(for: chat).messenger.retry(sent.id)
    let arrived = try await client.context(for: chat).list { $0.statuses == [.sent] }
    #expect(arrived.first?.message?.content.as(Postcard.self)?.image.media != nil)
    await client.close()
  }

  @Test(
    "The progress of a message with two files does not fall after a break, and it is not parked", .simulated)
  func progressOfTwoFiles() async throws {
    let (video, poster) = (try stage.photo("video"), try stage.photo("poster"))
    try Data("poster".utf8).write(to: poster)
    let reached = Mutex(0)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onUpload = { [inner = backend.inner] source, token, report in
        guard source.type == "image/png", reached.withLock({ $0 }) < 5 else {
          return try await inner.upload(source, resuming: nil) { _ in }
        }
        let step = reached.withLock { step in
          step += 1
          return step
        }
        try await report(
          UploadProgress(
            token: UploadToken(rawValue: "\(step)"), sent: Int64(step) * source.size / 10, total: source.size)
        )
        throw BackendError(.unreachable, "The connection was lost.")
      }
    }
    client.start()
    let chat = try await client.open(.direct("bob"))
    let content = VideoContent(
      .file(video, type: "video/mp4"), poster: .file(poster, type: "image/png"))
    let sent = try await client.send(content, to: chat)
    let fractions = Mutex<[Double]>([])
    let watching = stage.runtime(named: "reader").spawn {
      for await state in sent.progress {
        if case .parked = state { Issue.record("\(state)") }
        if case .preparing(let fraction) = state, fraction > 0 { fractions.withLock { $0.append(fraction) } }
      }
    }
    _ = try await sent.result
    try await watching.value
    let seen = fractions.withLock { $0 }
    #expect(seen == seen.sorted())
    await client.close()
  }
}

/// A media server that interrupts the first attempt, hangs in the second and accepts the third.
private final class Ledger: Sendable {
  let tokens = Mutex<[UploadToken?]>([])
  let attempts = Counter()

  @Sendable func upload(_ source: UploadSource, _ token: UploadToken?, _ report: UploadReporter) async throws
    -> RemoteMedia
  {
    let attempt = tokens.withLock { tokens in
      tokens.append(token)
      return tokens.count
    }
    switch attempt {
    case 1:
      for sent in [Int64(0), source.size * 6 / 10] {
        try await report(UploadProgress(token: UploadToken(rawValue: "one"), sent: sent, total: source.size))
      }
      throw BackendError(.transient, "The connection was lost.", outcomeIsUnknown: true)
    case 2:
      try await report(UploadProgress(token: UploadToken(rawValue: "two"), sent: 0, total: source.size))
      attempts.set(2)
      await attempts.reach(.max)
      throw CancellationError()
    default:
      return RemoteMedia(id: "m", size: source.size, type: source.type)
    }
  }
}

/// A number, and tasks that wait until the number reaches a value. A cancelled task stops waiting.
private final class Counter: Sendable {
  private struct State {
    var count = 0
    var waiting: [AsyncStream<Never>.Continuation] = []
  }
  private let state = Mutex(State())

  func set(_ count: Int) {
    let waiting = state.withLock { state in
      state.count = count
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiter in waiting { waiter.finish() }
  }

  func reach(_ count: Int) async {
    while !Task.isCancelled {
      let (stream, waiter) = AsyncStream.makeStream(of: Never.self)
      let isThere = state.withLock { state in
        if state.count < count { state.waiting.append(waiter) }
        return state.count >= count
      }
      if isThere { return }
      for await _ in stream {}
    }
  }
}

extension SimulatedStage {
  /// A file of 100,000 bytes, the same under each name.
  func photo(_ name: String) throws -> URL {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: name)
    try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: file)
    return file
  }
}

extension ChatMessage {
  fileprivate var media: RemoteMedia? { content.as(ImageContent.self)?.image.media }
}

/// A kind of an app, with a file.
private struct Postcard: MessageContent {
  static let kind: MessageKind = "com.example.postcard"
  static let attachments = [AttachmentPath(\Postcard.image)]
  var image: MessageAttachment
}
