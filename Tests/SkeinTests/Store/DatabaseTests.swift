import Foundation
import Skein
import SkeinSimulation
import SkeinStorage
import Testing

@Suite("An account's database")
struct DatabaseTests {
  @Test("A full disk is an error for whoever sends, loses nothing, and passes")
  func fullDisk() async {
    let failures = await SimulatedRun.play(seeds: 1...2) { stage in
      var options = ChatOptions()
      options.maximumDatabasePages = 60
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
        try expect(error.code == .full, "\(error)")
      }
      try expect(stored > 10, "only \(stored) were stored")
      await alice.close()

      alice = try await stage.client("alice", on: "alice")
      try await alice.send(TextContent("room again"), to: chat)
      alice.start()
      let ref = try await alice.conversations.list { $0.first?.ref != nil }.first?.ref
      let context = alice.context(for: chat)
      try await context.list { $0.last?.message?.status == .sent }
      await alice.close()
      let onServer = stage.server.messages(in: try #require(ref))
      try expect(onServer.count == stored + 1, "\(onServer.count) of \(stored + 1) on the server")
    }
    #expect(failures == [])
  }

  @Test("A file that is no database is refused and left as it is")
  func notADatabase() async {
    let failures = await SimulatedRun.play(seeds: 1...1) { stage in
      let folder = stage.folder.appending(path: "alice")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "chat.sqlite")
      let letters = Data(String(repeating: "Dear diary, ", count: 1_000).utf8)
      try letters.write(to: file)
      do {
        _ = try await stage.client("alice", on: "alice")
        throw Unexpected(what: "a letter was opened as a database")
      } catch let error as StorageError {
        try expect(error.code == .notADatabase, "\(error)")
      }
      try expect(try Data(contentsOf: file) == letters, "the file was touched")
    }
    #expect(failures == [])
  }

  @Test("The database of another account is refused")
  func foreignAccount() async {
    let failures = await SimulatedRun.play(seeds: 1...1) { stage in
      let alice = try await stage.client("alice", on: "shared")
      await alice.close()
      do {
        _ = try await stage.client("bob", on: "shared")
        throw Unexpected(what: "bob opened alice's database")
      } catch let error as ChatError {
        try expect(error.code == .foreignDatabase, "\(error)")
      }
    }
    #expect(failures == [])
  }
}
