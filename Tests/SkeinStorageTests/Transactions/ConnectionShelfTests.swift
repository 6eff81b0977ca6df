import Foundation
import SkeinStorage
import Synchronization
import Testing

@Suite("Connections that outlive a database")
struct ConnectionShelfTests {
  @Test("The next database uses the connections of the closed database, with its own gate")
  func taken() async throws {
    try await withShelf { shelf, open in
      let first = try await open(nil)
      // A temporary table exists only on its connection.
      try await first.write { try $0.execute("CREATE TEMP TABLE own (id INTEGER)") }
      shelf.open()
      await first.close()
      let gated = Mutex<[String]>([])
      let next = try await open { sql in gated.withLock { $0.append(sql) } }
      #expect(try await next.write { try $0.scalar(Int.self, "SELECT count(*) FROM own") } == 0)
      try await next.write(.powerCut) { try $0.insert(Note(1)) }
      #expect(try await next.read { try $0.find(Note.self, NoteID(rawValue: 1)) } == Note(1))
      // The gate is also called for the settings that are still in effect.
      let statements = gated.withLock { $0 }
      #expect(
        statements.contains("PRAGMA foreign_keys = ON") && statements.contains("PRAGMA query_only = ON"))
      #expect(statements.contains("PRAGMA synchronous = FULL"))
      await expectStorage(.closed) { try await first.read { try $0.select(Note.self) } }
      await next.close()
    }
  }

  @Test("A closed shelf keeps no connection")
  func closed() async throws {
    try await withShelf { shelf, open in
      let first = try await open(nil)
      try await first.write { try $0.execute("CREATE TEMP TABLE own (id INTEGER)") }
      await first.close()
      let next = try await open(nil)
      await expectStorage(.other) {
        try await next.write { try $0.scalar(Int.self, "SELECT count(*) FROM own") }
      }
      await next.close()
    }
  }

  @Test("Emptying the log leaves the file as closing the last connection would")
  func log() async throws {
    try await withTemporaryFolder { folder in
      let (file, shelf) = (folder.appending(path: "db"), ConnectionShelf())
      var options = DatabaseOptions()
      options.shelf = shelf
      let database = try await Database.open(at: file, schema: notes, options: options)
      try await database.write { try $0.insert(Note(1)) }
      shelf.open()
      await database.close()
      let log = folder.appending(path: "db-wal")
      #expect(try Data(contentsOf: log).isEmpty == false)
      try shelf.emptyLog()
      #expect(try Data(contentsOf: log).isEmpty)
      shelf.clear()
      #expect(!FileManager.default.fileExists(atPath: log.path))
    }
  }

  private func withShelf(
    _ body: (ConnectionShelf, (_ gate: (@Sendable (String) throws -> Void)?) async throws -> Database)
      async throws
      -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let shelf = ConnectionShelf()
      try await body(shelf) { gate in
        var options = DatabaseOptions(gate: gate)
        options.shelf = shelf
        return try await Database.open(at: folder.appending(path: "db"), schema: notes, options: options)
      }
    }
  }
}
