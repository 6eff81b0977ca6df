import Foundation
import Skein
import SkeinSimulation
import SkeinStorage
import Testing

@Suite("An account's database")
struct DatabaseTests {
  @Test(
    "If the disk is full, sending fails, no stored message is lost, and sending works again when there is space",
    .simulated(seeds: 1...2))
  func fullDisk() async throws {
    var options = ChatOptions()
    options.maximumDatabasePages = 64
    var alice = try await stage.client("alice", on: "alice", options: options)
    let chat = try await alice.open(.direct("bob"))
    var stored = 0
    do {
      while stored < 1_000 {
        try await alice.send(TextContent(String(repeating: "\(stored) ", count: 500)), to: chat)
        stored += 1
      }
      throw Unexpected(what: "the disk was never full")
    } catch let error as StorageError {
      #expect(error.code == .full)
    }
    #expect(stored > 10)
    await alice.close()

    alice = try await stage.client("alice", on: "alice")
    try await alice.send(TextContent("room again"), to: chat)
    alice.start()
    let ref = try await alice.conversations.list { $0.first?.ref != nil }.first?.ref
    let context = alice.context(for: chat)
    try await context.list { $0.last?.message?.status == .sent }
    await alice.close()
    let onServer = stage.server.messages(in: try #require(ref))
    #expect(onServer.count == stored + 1)
  }

  @Test("A file that is not a database is refused and left unchanged", .simulated(seeds: 1...1))
  func notADatabase() async throws {
    let folder = stage.folder.appending(path: "alice")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "chat.sqlite")
    let letters = Data(String(repeating: "Dear diary, ", count: 1_000).utf8)
    try letters.write(to: file)
    let error = try await #require(throws: StorageError.self) {
      try await stage.client("alice", on: "alice")
    }
    #expect(error.code == .notADatabase)
    #expect(try Data(contentsOf: file) == letters)
  }

  @Test("The database of another account is refused", .simulated(seeds: 1...1))
  func foreignAccount() async throws {
    let alice = try await stage.client("alice", on: "shared")
    await alice.close()
    let error = try await #require(throws: ChatError.self) { try await stage.client("bob", on: "shared") }
    #expect(error.code == .foreignDatabase)
  }
}
