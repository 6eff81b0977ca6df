import Foundation
import Skein
import SkeinStorage
import Testing

@Suite("Databases of earlier versions")
struct OldDatabaseTests {
  @Test("A database of version 1 opens with its messages, and what waited in its outbox still waits")
  func version1() async {
    let failures = await SimulatedRun.play(seeds: 1...1) { stage in
      try await Self.write(OldDatabases.version1, as: 1, to: stage.folder.appending(path: "old"))
      let alice = try await stage.client("alice", on: "old")
      let conversation = try await alice.conversations.first { $0.lastMessage != nil }
      let context = alice.context(for: conversation.id)
      let list = try await context.list { $0.count == 3 }
      try expect(list.texts == ["hello", "old times", "written offline"], "\(list.texts)")
      try expect(list.statuses == [.sent, .sent, .queued], "\(list.statuses)")
      try expect(try await alice.waitingMessageCount() == 1, "the outbox is empty")
      await alice.close()

      let fresh = try await stage.client("alice", on: "new")
      await fresh.close()
      let schemas = try await [Self.schema(in: stage, "old"), Self.schema(in: stage, "new")]
      try expect(schemas[0] == schemas[1], "migrated:\n\(schemas[0])\nnew:\n\(schemas[1])")
    }
    #expect(failures == [])
  }

  /// Writes a database as a program of that time would have.
  private static func write(_ sql: String, as version: Int, to folder: URL) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let database = try await Database.open(
      at: folder.appending(path: "chat.sqlite"), schema: Schema(version: version, tables: []))
    try await database.write { transaction in
      for statement in sql.split(separator: ";\n") { try transaction.execute(String(statement)) }
    }
    await database.close()
  }

  private static func schema(in stage: SimulatedStage, _ device: String) async throws -> StoredSchema {
    let file = stage.folder.appending(path: device).appending(path: "chat.sqlite")
    let database = try await Database.open(at: file, schema: Schema(version: 3, tables: []))
    let schema = try await database.read { try StoredSchema($0) }
    await database.close()
    return schema
  }
}
