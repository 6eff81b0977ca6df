import Foundation
import Skein
import SkeinSimulation
import SkeinStorage
import Testing

@Suite("Several accounts, and erasing one from a device")
struct EraseTests {
  @Test(
    "Unsent messages prevent an erase unless it is forced; an erase leaves only the files of the app itself",
    .simulated)
  func erase() async throws {
    let folder = stage.folder.appending(path: "alice")
    let client = try await stage.client("alice", on: "alice")
    client.start()
    let chat = try await client.open(.direct("bob"))
    _ = try await client.send(TextContent("sent"), to: chat).result
    stage.server.setReachable(false)
    let picture = stage.folder.appending(path: "picture.png")
    try Data("picture".utf8).write(to: picture)
    let waiting = try await client.send(ImageContent(.file(picture, type: "image/png")), to: chat)
    let error = await #expect(throws: ChatError.self) { try await client.erase() }
    #expect(error?.code == .unsentMessages)
    #expect(error?.message == "1 message or change was not sent and would be lost.")
    stage.server.setReachable(true)
    _ = try await waiting.result
    #expect(stage.server.posts.count == 2)
    stage.server.setReachable(false)
    _ = try await client.send(TextContent("never"), to: chat)
    let own = folder.appending(path: "the app's own.txt")
    try Data().write(to: own)
    try await client.erase(evenUnsent: true)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left == ["the app's own.txt"])
    await #expect(throws: StorageError.self) { try await client.waitingMessageCount() }
  }

  @Test("A closed client is erased only if forced, since its unsent messages are unknown", .simulated)
  func closed() async throws {
    let client = try await stage.client("alice", on: "alice")
    _ = try await client.send(TextContent("waiting"), to: try await client.open(.direct("bob")))
    await client.close()
    let error = await #expect(throws: StorageError.self) { try await client.erase() }
    #expect(error?.code == .closed)
    let again = try await stage.client("alice", on: "alice")
    #expect(try await again.waitingMessageCount() == 1)
    await again.close()
    try await again.erase(evenUnsent: true)
  }

  @Test("An erased account that signs in again has the server's messages", .simulated)
  func again() async throws {
    for number in 1...2 {
      let client = try await stage.client("alice", on: "alice")
      client.start()
      let chat = try await client.open(.direct("bob"))
      _ = try await client.send(TextContent("\(number)"), to: chat).result
      try await client.context(for: chat).list { $0.texts == (1...number).map(String.init) }
      try await client.erase()
    }
    #expect(stage.server.posts.count == 2)
  }

  @Test("A new client removes what an interrupted erasure has left after it removed the database", .simulated)
  func interrupted() async throws {
    let folder = stage.folder.appending(path: "alice")
    let files = FileManager.default
    await (try await stage.client("alice", on: "alice")).close()
    for name in ["media", "outgoing"] {
      let folder = folder.appending(path: name)
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("secret".utf8).write(to: folder.appending(path: "left"))
    }
    try Data("own".utf8).write(to: folder.appending(path: "the app's own.txt"))
    try files.removeItem(at: folder.appending(path: "chat.sqlite"))
    let client = try await stage.client("alice", on: "alice")
    let left = ["media/left", "outgoing/left", "the app's own.txt"].filter { name in
      files.fileExists(atPath: folder.appending(path: name).path)
    }
    #expect(left == ["the app's own.txt"])
    await client.close()
  }

  @Test("Erasing one account neither disconnects another nor deletes the other's messages", .simulated)
  func sideBySide() async throws {
    for round in 1...2 {
      let alice = try await stage.client("alice", on: "alice")
      let bob = try await stage.client("bob", on: "bob")
      alice.start()
      bob.start()
      let chat = try await alice.open(.direct("bob"))
      _ = try await alice.send(TextContent("\(round)"), to: chat).result
      let received = try await bob.conversations.first {
        $0.lastMessage?.content.displayedText == "\(round)"
      }
      #expect(received.unreadCount == round)
      try await alice.erase()
      #expect(bob.connectionState == .online)
      await bob.close()
    }
  }

  @Test(
    "Opening a client with a database key fails and creates no file if the linked SQLite can't encrypt",
    .simulated)
  func key() async throws {
    var options = ChatOptions()
    options.databaseKey = try DatabaseKey([UInt8](repeating: 7, count: 32))
    let error = await #expect(throws: StorageError.self) {
      try await stage.client("alice", on: "alice", options: options)
    }
    #expect(error?.code == .encryptionUnavailable)
    let file = stage.folder.appending(path: "alice").appending(path: "chat.sqlite")
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect("\(options)".contains("(key)"))
    #expect(!"\(options)".contains("0707"))
    #expect(throws: StorageError.self) { try DatabaseKey([1, 2, 3]) }
  }

  @Test(
    "An erase in one process closes the client of another, which can store nothing any more",
    .simulated(seeds: 1...20))
  func otherProcess() async throws {
    let app = try await stage.client("alice", on: "alice")
    app.start()
    let chat = try await app.open(.direct("bob"))
    _ = try await app.send(TextContent("one"), to: chat).result
    let share = try await stage.client("alice", on: "alice")
    share.start()
    let idle = try await stage.client("alice", on: "alice")
    try await share.reach { $0 == .elsewhere }
    try await app.erase()
    for client in [share, idle] {
      await #expect(throws: (any Error).self) { try await client.send(TextContent("lost"), to: chat) }
    }
    try await share.reach { $0 == .stopped }
    try await stage.runtime(named: "stage").sleep(for: .seconds(10))
    await idle.close()
    let folder = stage.folder.appending(path: "alice")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    let again = try await stage.client("alice", on: "alice")
    again.start()
    _ = try await again.conversations.first { $0.lastMessage?.content.displayedText == "one" }
    #expect(stage.server.posts.count == 1)
    await again.close()
  }
}
