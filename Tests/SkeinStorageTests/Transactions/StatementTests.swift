import Foundation
import SkeinStorage
import Testing

@Suite struct StatementTests {
  @Test("A failed statement is reusable and keeps no values of the failed call")
  func reuse() async throws {
    try await withNotes { database in
      try await database.write { transaction in
        try transaction.insert(Note(1, "first"))
        #expect(throws: StorageError.self) { try transaction.insert(Note(1, "again")) }
        try transaction.insert(Note(2, "second"))
        #expect(throws: StorageError.self) { try transaction.find(Note.self, 1, 2) }
        #expect(try transaction.find(Note.self, 2)?.text == "second")
      }
      let texts = try await database.read { try $0.rows(String.self, "SELECT text FROM note ORDER BY id") }
      #expect(texts == ["first", "second"])
    }
  }

  @Test("A thousand different statements run in one transaction")
  func manyStatements() async throws {
    try await withNotes { database in
      let sum = try await database.read { transaction in
        try (1...1000).reduce(0) { sum, n in try sum + (transaction.scalar(Int.self, "SELECT \(n)") ?? 0) }
      }
      #expect(sum == 500_500)
    }
  }

  @Test(
    "SQL with a missing argument, with two statements or without any statement is an error",
    arguments: ["SELECT ?", "SELECT 1; SELECT 2", "", "-- nothing"])
  func misuse(sql: String) async throws {
    try await withNotes { database in
      await expectStorage(.misuse) { try await database.read { try $0.scalar(Int.self, sql) } }
      let value = try await database.read { try $0.scalar(Int.self, "SELECT 1; ") }
      #expect(value == 1)
    }
  }

  @Test("An error quotes SQL and names, never a bound value")
  func secrets() async throws {
    try await withTemporaryFolder { folder in
      let search = VirtualTable("words", columns: ["body"], using: "fts5(body)")
      let database = try await Database.open(
        at: folder.appending(path: "db"), schema: Schema(version: 1, tables: [Note.table, search]))
      let bodies: [@Sendable (WriteTransaction) throws -> Void] = [
        { _ = try $0.scalar(Int.self, "SELECT count(*) FROM words WHERE words MATCH ?", "\"secret") },
        { _ = try $0.scalar(Int.self, "SELECT json_extract(?, '$.a')", "{secret") },
        { try $0.insert([Note(1, "secret"), Note(1, "secret")]) },
        { _ = try $0.scalar(Int.self, "SELECT missing FROM note WHERE text = ?", "secret") },
        { _ = try $0.scalar(Int.self, "SELECT ?", "secret") },
      ]
      for body in bodies {
        let error = await storageError { try await database.write { try body($0) } }
        #expect(error.map { !$0.description.contains("secret") } == true)
      }
      await database.close()
    }
  }

  @Test("The count of changed rows includes only the rows that the statement itself has changed")
  func changes() async throws {
    try await withNotes { database in
      try await database.write { transaction in
        try transaction.insert((1...5).map { Note($0) })
        #expect(try transaction.execute("UPDATE note SET rank = rank + ? WHERE id > ?", 10, 2) == 3)
        #expect(try transaction.execute("CREATE TABLE other (id INTEGER)") == 0)
        #expect(try transaction.execute("SELECT * FROM note") == 0)
        #expect(try transaction.execute("DELETE FROM note") == 5)
      }
    }
  }
}
