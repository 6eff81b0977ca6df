import Foundation
import SkeinStorage
import Testing

@Suite struct OpeningTests {
  @Test(
    "A file that is no database is rejected and stays unchanged", arguments: [2, 20, 100, 511, 4096, 100_000])
  func notADatabase(size: Int) async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) })
      try bytes.write(to: file)
      await expectStorage(.notADatabase) { try await Database.open(at: file, schema: notes) }
      #expect(try Data(contentsOf: file) == bytes)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["db"])
    }
  }

  @Test("A database of a newer schema is rejected unchanged, and the newer program still opens it")
  func newerSchema() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let newer = Schema(version: 3, tables: [Note.table])
      let database = try await Database.open(at: file, schema: newer)
      try await database.write { try $0.insert(Note(1)) }
      await database.close()
      let before = try Data(contentsOf: file)
      await expectStorage(.newerSchema) { try await Database.open(at: file, schema: notes) }
      #expect(try Data(contentsOf: file) == before)
      let again = try await Database.open(at: file, schema: newer)
      let stored = try await again.read { try $0.select(Note.self) }
      #expect(stored == [Note(1)])
      await again.close()
    }
  }

  @Test("Another program's database is rejected")
  func foreign() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let database = try await Database.open(at: file, schema: notes)
      try await database.write { try $0.execute("PRAGMA user_version = 0") }
      await database.close()
      await expectStorage(.schemaMismatch) { try await Database.open(at: file, schema: notes) }
    }
  }

  @Test("A database without a mapped column is rejected")
  func missingColumn() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let database = try await Database.open(at: file, schema: notes)
      try await database.write { try $0.execute("ALTER TABLE note DROP COLUMN flag") }
      await database.close()
      let error = await storageError { try await Database.open(at: file, schema: notes) }
      #expect(error?.code == .schemaMismatch)
      #expect(error?.message.contains("note.flag") == true)
    }
  }

  @Test("A missing folder, or a folder in place of the file, is an error")
  func cannotOpen() async throws {
    try await withTemporaryFolder { folder in
      await expectStorage(.cannotOpen) {
        try await Database.open(at: folder.appending(path: "none/db"), schema: notes)
      }
      await expectStorage(.cannotOpen) { try await Database.open(at: folder, schema: notes) }
    }
  }

  @Test(
    "A schema version that is not between 1 and 2³¹-1 is an error", arguments: [0, -1, Int(Int32.max) + 1])
  func badVersion(version: Int) async throws {
    try await withTemporaryFolder { folder in
      await expectStorage(.schemaMismatch) {
        try await Database.open(
          at: folder.appending(path: "db"), schema: Schema(version: version, tables: []))
      }
    }
  }

  @Test("An index on a missing column is an error and leaves no partial database")
  func misspeltKey() async throws {
    struct Misspelt: Mapped {
      let id: Int
      static let table = Table(
        "misspelt", key: ["id"], indexes: [Index(["idd"])], Self.init, Column("id", \.id))
    }
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let error = await storageError {
        try await Database.open(at: file, schema: Schema(version: 1, tables: [Misspelt.table]))
      }
      #expect(error != nil)
      let database = try await Database.open(at: file, schema: notes)
      await database.close()
    }
  }

  @Test("Concurrent opens of a new file all get the same database")
  func openedTogether() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let options = DatabaseOptions(busyTimeout: .seconds(1_000_000)) { _ in await Task.yield() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 1...8 {
          group.addTask {
            let database = try await Database.open(at: file, schema: notes, options: options)
            try await database.write { try $0.insert(Note(Int64(id))) }
            await database.close()
          }
        }
        try await group.waitForAll()
      }
      let database = try await Database.open(at: file, schema: notes, options: options)
      let count = try await database.read { try $0.scalar(Int.self, "SELECT count(*) FROM note") }
      #expect(count == 8)
      await database.close()
    }
  }

  @Test("A copy of a database's file and log that is made while the database is open has every commit")
  func copyWithLog() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let copy = folder.appending(path: "copy")
      let database = try await Database.open(at: file, schema: notes)
      for id in 1...50 { try await database.write { try $0.insert(Note(Int64(id))) } }
      for suffix in ["", "-wal"] {
        try DurableFile.copy(
          from: URL(filePath: file.path + suffix), to: URL(filePath: copy.path + suffix))
      }
      let copied = try await Database.open(at: copy, schema: notes)
      let stored = try await copied.read { try $0.select(Note.self, "ORDER BY id") }
      #expect(stored == (1...50).map { Note($0) })
      await copied.close()
      await database.close()
    }
  }
}
