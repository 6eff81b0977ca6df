import Foundation
import Skein
import SkeinHTTP
import Testing

@Suite("The backend on the real server")
struct HTTPBackendTests {
  private func message(_ id: String, _ payload: String, in info: ConversationInfo) -> OutgoingMessage {
    OutgoingMessage(
      id: MessageID(rawValue: id), conversation: info.ref, kind: "text", payload: Data(payload.utf8))
  }

  @Test("A message posted again has the same receipt and is stored once")
  func idempotency() async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .patient)
      _ = try await world.user("bob")
      let chat = try await alice.open(.direct("bob"))
      #expect(chat.peer == "bob" && chat.type == .direct && chat.members == ["alice", "bob"])
      let first = try await alice.send(message("m1", "{}", in: chat))
      #expect(first.position == Position(rawValue: 1))
      let again = try await alice.send(message("m1", "{}", in: chat))
      #expect(again == first)
      let other = await backendError { _ = try await alice.send(message("m1", "[]", in: chat)) }
      #expect(other?.code == .idInUse)
      #expect(other?.stored?.payload == Data("{}".utf8))
      #expect(other?.stored?.serverID == first.serverID)
      #expect(try await alice.history(of: chat.ref, at: .newest, limit: 50).messages.count == 1)
    }
  }

  @Test(
    "Content is returned byte for byte or refused",
    arguments: [
      #"{"b":1,"a":1.50,"text":"\u00e9é \/ / 🧑‍🚀"}"#, "  [ ]\n", "\"\u{FEFF}\u{2028}\"", #""\u0000\ud83d""#,
      "1e400",
    ])
  func bytes(payload: String) async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .patient)
      _ = try await world.user("bob")
      let chat = try await alice.open(.direct("bob"))
      do {
        _ = try await alice.send(message("m1", payload, in: chat))
      } catch let error as BackendError where error.code == .permanent {
        return  // Not JSON to this server: refused, not altered.
      }
      let page = try await alice.history(of: chat.ref, at: .newest, limit: 50)
      #expect(page.messages.map(\.payload) == [Data(payload.utf8)])
    }
  }

  @Test("Content that is not text is refused without a request")
  func notText() async throws {
    let backend = try HTTPBackend.local(port: 1)
    let error = await backendError {
      _ = try await backend.send(
        OutgoingMessage(
          id: MessageID(rawValue: "m"), conversation: ConversationRef(rawValue: "c"), kind: "text",
          payload: Data([0x22, 0xFF, 0x22])))
    }
    #expect(error?.code == .permanent)
  }

  @Test("A group created twice with one id is one group")
  func group() async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .patient)
      _ = try await world.user("bob")
      let request = ConversationRequest.group(id: "g", title: "Friends", members: ["bob"])
      let group = try await alice.open(request)
      #expect(group.type == .group && group.title == "Friends")
      #expect(try await alice.open(request).ref == group.ref)
      let unknown = await backendError { _ = try await alice.open(.direct("nobody")) }
      #expect(unknown?.code == .permanent)
    }
  }

  @Test("A sync returns the newest messages, the number of all new messages, and the next cursor")
  func sync() async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .patient)
      let bob = HTTPBackend(try await world.user("bob"), options: .patient)
      let chat = try await alice.open(.direct("bob"))
      for number in 1...5 { _ = try await alice.send(message("m\(number)", "\(number)", in: chat)) }

      let batch = try await bob.sync(since: nil, limit: 2)
      let delta = try #require(batch.conversations.first)
      #expect(batch.from == nil && !batch.hasMore && batch.epoch != nil)
      #expect(delta.count == 5 && delta.unread == 5)
      #expect(delta.messages.map(\.position) == [Position(rawValue: 4), Position(rawValue: 5)])
      #expect(delta.messages.map(\.messageID) == [MessageID(rawValue: "m4"), MessageID(rawValue: "m5")])
      #expect(delta.info.peer == "alice" && delta.info.readMark == nil)

      try await bob.markRead(chat.ref, upTo: MessageMark(position: Position(rawValue: 4)), in: nil)
      let next = try await bob.sync(since: batch.next, limit: 2)
      #expect(next.from == batch.next)
      #expect(next.conversations.map(\.count) == [0])
      #expect(next.conversations.first?.info.readMark?.position == Position(rawValue: 4))
      #expect(try await bob.sync(since: next.next, limit: 2).conversations.isEmpty)
    }
  }

  @Test(
    "A message sent as not countable, by HTTP or over the socket, is returned with isCountable false")
  func countable() async throws {
    try await TestWorld.run { world in
      var options = HTTPOptions.patient
      options.sending = .socket
      let alice = HTTPBackend(try await world.user("alice"), options: options)
      let bob = HTTPBackend(try await world.user("bob"), options: .patient)
      let chat = try await alice.open(.direct("bob"))
      func send(_ id: String, isCountable: Bool) async throws {
        let text = message(id, "{}", in: chat)
        _ = try await alice.send(
          OutgoingMessage(
            id: text.id, conversation: chat.ref, kind: text.kind, payload: text.payload,
            isCountable: isCountable))
      }
      try await send("m1", isCountable: true)
      try await send("m2", isCountable: false)
      try await alice.whileConnected { try await send("m3", isCountable: false) }
      #expect(world.posts.value == 2)

      let delta = try #require(try await bob.sync(since: nil, limit: 1).conversations.first)
      #expect(delta.unread == 1)
      let page = try await bob.history(of: chat.ref, at: .newest, limit: 10)
      #expect(page.messages.map(\.isCountable) == [true, false, false])
    }
  }

  @Test(
    "A cursor that the server did not make is rejected", arguments: ["", "nonsense", "1-00", "a&limit=1"])
  func cursor(text: String) async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .patient)
      let error = await backendError {
        _ = try await alice.sync(since: SyncCursor(rawValue: text), limit: 10)
      }
      #expect(error?.code == .cursorRejected)
    }
  }

  @Test("A page of history can be requested at every kind of anchor except a token")
  func history() async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .patient)
      _ = try await world.user("bob")
      let chat = try await alice.open(.direct("bob"))
      var times: [Timestamp] = []
      for number in 1...9 {
        let receipt = try await alice.send(message("m\(number)", "\(number)", in: chat))
        times.append(try #require(receipt.time))
      }
      func page(_ anchor: HistoryAnchor) async throws -> (positions: [Int64], start: Bool, end: Bool) {
        let page = try await alice.history(of: chat.ref, at: anchor, limit: 3)
        return (page.messages.compactMap(\.position?.rawValue), page.reachesStart, page.reachesEnd)
      }
      #expect(try await page(.newest) == ([7, 8, 9], false, true))
      #expect(try await page(.before(Position(rawValue: 4))) == ([1, 2, 3], true, false))
      #expect(try await page(.after(Position(rawValue: 3))) == ([4, 5, 6], false, false))
      #expect(try await page(.around(Position(rawValue: 5))).positions.contains(5))
      #expect(try await page(.time(Timestamp(milliseconds: times[0].rawValue - 1))).positions.contains(1))
      let newest = try await alice.history(of: chat.ref, at: .newest, limit: 1).messages
      #expect(try await page(.message(try #require(newest.first?.serverID))) == ([7, 8, 9], false, true))
      let nobody = await backendError { _ = try await page(.message(ServerMessageID(rawValue: "nobody"))) }
      #expect(nobody?.code == .permanent)
      let token = await backendError { _ = try await page(.token(HistoryToken(rawValue: "t"))) }
      #expect(token?.code == .unsupported)
    }
  }

  @Test(
    "An uploaded file is downloaded unchanged and replaces an existing file", arguments: [0, 1, 3_000_000])
  func media(size: Int) async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .patient)
      let source = try world.file("picture", size: size)
      let media = try await alice.upload(source, type: "image/png")
      #expect(media.size == Int64(size) && media.type == "image/png")
      #expect(try await alice.upload(source, type: "image/png") == media)

      let folder = source.deletingLastPathComponent().appending(path: "downloads")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let target = folder.appending(path: "copy")
      try Data("old".utf8).write(to: target)
      try await alice.download(media, to: target)
      #expect(try Data(contentsOf: target) == Data(contentsOf: source))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["copy"])
    }
  }

  @Test(
    "The next attempt continues an interrupted download, even if another file was downloaded in between")
  func cutMedia() async throws {
    try await TestWorld.run { world in
      let session = try await world.user("alice")
      let alice = HTTPBackend(session, options: .patient)
      let source = try world.file("film", size: 2_000_000)
      let handle = try FileHandle(forWritingTo: source)
      try handle.seek(toOffset: 1_500_000)
      try handle.write(contentsOf: Data("the word before which it is cut".utf8))
      try handle.close()
      let media = try await alice.upload(source, type: "video/mp4")
      let other = try await alice.upload(try world.file("other", size: 2_000_000), type: "video/mp4")

      let folder = source.deletingLastPathComponent().appending(path: "downloads")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let target = folder.appending(path: "copy")
      let port = try #require(world.address.port)
      let server = try RawServer(.cut(port: port, before: "the word before which it is cut"))
      let address = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
      let cut = HTTPBackend(server: address, token: session.token, options: .patient)
      let error = await backendError { try await cut.download(media, to: target) }
      #expect(error?.code == .unreachable)
      #expect(!FileManager.default.fileExists(atPath: target.path))

      try await alice.download(other, to: target)
      #expect(world.requests.count("GET /v1/media/{} 206") == 0)
      try await alice.download(media, to: target)
      #expect(world.requests.count("GET /v1/media/{} 206") == 1)
      #expect(try Data(contentsOf: target) == Data(contentsOf: source))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["copy"])
    }
  }

  @Test("A download of a wrong length, or of a file that the server lacks, leaves the target file unchanged")
  func wrongMedia() async throws {
    try await TestWorld.run { world in
      let alice = HTTPBackend(try await world.user("alice"), options: .patient)
      var media = try await alice.upload(try world.file("picture", size: 5000), type: "image/png")
      let folder = try world.file("x", size: 1).deletingLastPathComponent().appending(path: "downloads")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let target = folder.appending(path: "copy")
      try Data("old".utf8).write(to: target)
      for size in [Int64(4999), 5001, -1] {
        media.size = size
        let error = await backendError { [media] in try await alice.download(media, to: target) }
        #expect(error?.code == .transient)
      }
      media.id = String(repeating: "0", count: 64)
      let missing = await backendError { [media] in try await alice.download(media, to: target) }
      #expect(missing?.code == .permanent)
      #expect(try Data(contentsOf: target) == Data("old".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["copy"])
    }
  }

  @Test("The upload of a missing file or of a folder is refused permanently")
  func unreadable() async throws {
    let backend = try HTTPBackend.local(port: 1)
    let folder = FileManager.default.temporaryDirectory
    for url in [folder, folder.appending(path: UUID().uuidString)] {
      let source = UploadSource(
        file: url, type: "image/png", size: 1, hash: String(repeating: "0", count: 64))
      let error = await backendError { _ = try await backend.upload(source, resuming: nil) { _ in } }
      #expect(error?.code == .permanent)
    }
  }
}
