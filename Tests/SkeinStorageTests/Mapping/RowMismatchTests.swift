import Foundation
import SkeinStorage
import Testing

/// A row of a table whose columns accept any type.
private struct Loose: Mapped, Equatable {
  var id: Int
  var text: String
  var mood: Mood
  var flag: Bool

  static let table = Table(
    "loose", key: ["id"], Self.init, Column("id", \.id), Column("text", \.text), Column("mood", \.mood),
    Column("flag", \.flag))
}

private struct LooseTable: TableDescription {
  let name = "loose"
  let columnNames = ["id", "text", "mood", "flag"]
  let creation = ["CREATE TABLE loose (id INTEGER PRIMARY KEY, text, mood, flag)"]
}

@Suite struct RowMismatchTests {
  @Test(
    "A value that does not fit its property is an error that names the column, not the value",
    arguments: [
      ("NULL, 'calm', 1", "loose.text"), ("x'736563726574', 'calm', 1", "loose.text"),
      ("31337, 'calm', 1", "loose.text"), ("'a', 'secret', 1", "loose.mood"), ("'a', NULL, 1", "loose.mood"),
      ("'a', 'calm', 31337", "loose.flag"), ("'a', 'calm', 'secret'", "loose.flag"),
      ("'a', 'calm', 0.5", "loose.flag"),
    ])
  func mismatch(values: String, column: String) async throws {
    try await withTemporaryFolder { folder in
      let schema = Schema(version: 1, tables: [LooseTable()])
      let database = try await Database.open(at: folder.appending(path: "db"), schema: schema)
      try await database.write { transaction in
        try transaction.execute("INSERT INTO loose VALUES (1, \(values)), (2, 'b', 'cross', 0)")
      }
      let error = await storageError {
        try await database.read { try $0.select(Loose.self, "ORDER BY id") }
      }
      #expect(error?.code == .rowMismatch)
      let message = error?.message ?? ""
      #expect(message.hasPrefix(column))
      #expect(!message.contains("secret") && !message.contains("31337"))
      // The connection can be used again.
      let next = try await database.read { try $0.select(Loose.self, "WHERE id > 1 ORDER BY id") }
      #expect(next == [Loose(id: 2, text: "b", mood: .cross, flag: false)])
      await database.close()
    }
  }

  @Test("Hand-written SQL can't store a type other than the column's")
  func strict() async throws {
    try await withNotes { database in
      try await database.write { try $0.insert(Note(1)) }
      await expectStorage(.constraint) {
        try await database.write { try $0.execute("UPDATE note SET number = 'text'") }
      }
    }
  }
}
