import Foundation
import SkeinStorage
import Testing

private struct Person: Mapped, Equatable {
  let id: Int, name: String, city: String?

  static let table = Table(
    "person", key: ["id"],
    indexes: [Index(["city", "name"]), Index(["name"], unique: true, where: "city IS NOT NULL")],
    Self.init, Column("id", \.id), Column("name", \.name), Column("city", \.city))
}

/// The row at version 1 of the schema.
private struct OldPerson: Mapped, Equatable {
  let id: Int, name: String

  static let table = Table("person", key: ["id"], Self.init, Column("id", \.id), Column("name", \.name))
}

private struct Refusal: Error {}

private let old = Schema(version: 1, tables: [OldPerson.table])
private let addCity = Migration(to: 2, "people have a city") {
  try $0.execute("ALTER TABLE person ADD COLUMN city TEXT")
  try $0.execute("UPDATE person SET city = 'Ulm' WHERE id = 1")
}
private let addIndexes = Migration(to: 3, "people are found by city") {
  try $0.execute("CREATE INDEX person_city_name ON person (city, name)")
  try $0.execute("CREATE UNIQUE INDEX person_name_partial ON person (name) WHERE   city IS NOT NULL")
}

@Suite struct MigrationTests {
  /// Runs `body` on a database of version 1 with two people.
  private func withOldDatabase(_ body: (URL) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let database = try await Database.open(at: file, schema: old)
      try await database.write {
        try $0.insert([OldPerson(id: 1, name: "Ann"), OldPerson(id: 2, name: "Bo")])
      }
      await database.close()
      try await body(file)
    }
  }

  @Test(
    "A database of version 1 migrates through each version, keeps its rows and gets the schema of a new one")
  func migratedEqualsFresh() async throws {
    try await withOldDatabase { file in
      let schema = Schema(version: 3, tables: [Person.table], migrations: [addIndexes, addCity])
      let migrated = try await Database.open(at: file, schema: schema)
      let fresh = try await Database.open(at: URL(filePath: file.path + "2"), schema: schema)
      let found = try await migrated.read { try StoredSchema($0) }
      let expected = try await fresh.read { try StoredSchema($0) }
      #expect(found == expected)
      let people = try await migrated.read { try $0.select(Person.self, "ORDER BY id") }
      #expect(people == [Person(id: 1, name: "Ann", city: "Ulm"), Person(id: 2, name: "Bo", city: nil)])
      await migrated.close()
      await fresh.close()
    }
  }

  @Test(
    "A migrated schema that differs from a new one is detected",
    arguments: [
      "DROP INDEX person_city_name", "CREATE INDEX extra ON person (name)",
      "ALTER TABLE person ADD COLUMN extra TEXT",
      "CREATE TABLE extra (id INTEGER)", "CREATE TRIGGER extra AFTER DELETE ON person BEGIN SELECT 1; END",
      "CREATE VIEW extra AS SELECT 1", "CREATE VIRTUAL TABLE extra USING fts5(words)",
    ])
  func difference(sql: String) async throws {
    try await withTemporaryFolder { folder in
      let database = try await Database.open(
        at: folder.appending(path: "db"), schema: Schema(version: 1, tables: [Person.table]))
      let before = try await database.read { try StoredSchema($0) }
      try await database.write { try $0.execute(sql) }
      let after = try await database.read { try StoredSchema($0) }
      #expect(before != after)
      await database.close()
    }
  }

  @Test("Partial indexes are compared by their condition, ignoring spaces")
  func partialIndex() async throws {
    try await withTemporaryFolder { folder in
      let database = try await Database.open(
        at: folder.appending(path: "db"), schema: Schema(version: 1, tables: [Person.table]))
      let before = try await database.read { try StoredSchema($0) }
      let variants = ["city  IS\nNOT NULL", "city IS NULL"]
      let found = try await database.write { transaction in
        try variants.map { condition in
          try transaction.execute("DROP INDEX person_name_partial")
          try transaction.execute(
            "CREATE UNIQUE INDEX person_name_partial ON person (name) WHERE \(condition)")
          return try StoredSchema(transaction)
        }
      }
      #expect(found.map { $0 == before } == [true, false])
      await database.close()
    }
  }

  @Test("If a migration fails, the database stays at the version before it, and the next try continues there")
  func failsHalfWay() async throws {
    try await withOldDatabase { file in
      let failing = Migration(to: 3, "fails") { transaction in
        try transaction.execute("CREATE INDEX half ON person (city)")
        try transaction.execute("DELETE FROM person")
        throw Refusal()
      }
      await #expect(throws: Refusal.self) {
        let schema = Schema(version: 3, tables: [Person.table], migrations: [addCity, failing])
        _ = try await Database.open(at: file, schema: schema)
      }
      let second = Schema(version: 2, tables: [Person.table], migrations: [addCity])
      let database = try await Database.open(at: file, schema: second)
      let (version, count, half) = try await database.read { transaction in
        (
          try transaction.scalar(Int.self, "PRAGMA user_version"),
          try transaction.scalar(Int.self, "SELECT count(*) FROM person"),
          try transaction.scalar(Int.self, "SELECT count(*) FROM sqlite_schema WHERE name = 'half'")
        )
      }
      #expect(version == 2)
      #expect(count == 2)
      #expect(half == 0)
      await database.close()
      let third = Schema(version: 3, tables: [Person.table], migrations: [addCity, addIndexes])
      let repaired = try await Database.open(at: file, schema: third)
      await repaired.close()
    }
  }

  @Test("The error of a failed migration names the migration")
  func namesMigration() async throws {
    try await withOldDatabase { file in
      let failing = Migration(to: 2, "people have a city") {
        try $0.execute("ALTER TABLE persona ADD COLUMN city")
      }
      let error = await storageError {
        let schema = Schema(version: 2, tables: [Person.table], migrations: [failing])
        return try await Database.open(at: file, schema: schema)
      }
      #expect(error?.message == "Migration to 2, people have a city: no such table: persona")
    }
  }

  @Test("A missing or duplicate migration is an error and changes nothing")
  func missingMigration() async throws {
    try await withOldDatabase { file in
      for migrations in [[addIndexes], [addCity, addCity, addIndexes]] {
        await expectStorage(.schemaMismatch) {
          let schema = Schema(version: 3, tables: [Person.table], migrations: migrations)
          return try await Database.open(at: file, schema: schema)
        }
      }
      let database = try await Database.open(at: file, schema: old)
      let people = try await database.read { try $0.select(OldPerson.self) }
      #expect(people.count == 2)
      await database.close()
    }
  }
}
