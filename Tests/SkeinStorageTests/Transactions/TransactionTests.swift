import Foundation
import SkeinStorage
import Testing

private struct Refusal: Error {}

@Suite struct TransactionTests {
  @Test("A body that throws is rolled back")
  func rollback() async throws {
    try await withNotes { database in
      await #expect(throws: Refusal.self) {
        try await database.write { transaction in
          try transaction.insert(Note(1))
          throw Refusal()
        }
      }
      try await database.write { try $0.insert(Note(2)) }
      #expect(try await database.read { try $0.select(Note.self) } == [Note(2)])
    }
  }

  @Test("An error that the body catches rolls back the failed statement only")
  func caughtError() async throws {
    try await withNotes { database in
      try await database.write { transaction in
        try transaction.insert(Note(1))
        #expect(throws: StorageError.self) { try transaction.insert([Note(2), Note(1), Note(3)]) }
        try transaction.insert(Note(4))
      }
      let ids = try await database.read { try $0.rows(Int.self, "SELECT id FROM note ORDER BY id") }
      #expect(ids == [1, 2, 4])
    }
  }

  @Test(
    "A body that ends the transaction itself is an error, and its later writes are not stored",
    arguments: [
      "COMMIT", "ROLLBACK",
    ])
  func endedInside(sql: String) async throws {
    try await withNotes { database in
      await expectStorage(.misuse) {
        try await database.write { transaction in
          try transaction.execute(sql)
          try transaction.insert(Note(1))
        }
      }
      #expect(try await database.read { try $0.select(Note.self) } == [])
      try await database.write { try $0.insert(Note(2)) }
    }
  }

  @Test("`committed` is called in the order of the commits, with any number of writers")
  func commitOrder() async throws {
    try await withNotes { database in
      let published = Log<Int>()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for id in 1...200 {
          group.addTask {
            _ = try await database.write {
              try $0.insert(Note(Int64(id)))
              return try $0.scalar(Int.self, "SELECT count(*) FROM note") ?? 0
            } committed: { count in
              published.add(count)
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(published.entries == Array(1...200))
    }
  }

  @Test("`committed` is not called after a rollback")
  func notCommitted() async throws {
    try await withNotes { database in
      let called = Log<Int>()
      await #expect(throws: Refusal.self) {
        try await database.write { _ in
          throw Refusal()
        } committed: {
          called.add(1)
        }
      }
      #expect(called.entries.isEmpty)
    }
  }

  @Test("Each transaction has its own durability, independent of the previous one")
  func durability() async throws {
    try await withNotes { database in
      for (durability, expected) in [(Durability.kill, 1), (.powerCut, 2), (.powerCut, 2), (.kill, 1)] {
        let level = try await database.write(durability) { try $0.scalar(Int.self, "PRAGMA synchronous") }
        #expect(level == expected)
      }
    }
  }

  @Test("Foreign keys are enforced")
  func foreignKeys() async throws {
    try await withNotes { database in
      let value = try await database.write { try $0.scalar(Bool.self, "PRAGMA foreign_keys") }
      #expect(value == true)
    }
  }

  @Test("A read can't write")
  func readOnly() async throws {
    try await withNotes { database in
      await expectStorage(.readOnly) {
        try await database.read {
          try $0.scalar(Int.self, "INSERT INTO 'table' VALUES ('a', 'b') RETURNING 1")
        }
      }
      let value = try await database.read { try $0.select(Membership.self) }
      #expect(value == [])
    }
  }

  @Test("Closing waits for the running transaction, and later calls throw `closed`")
  func close() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let database = try await Database.open(at: file, schema: notes)
      let begun = Signal(), proceed = Signal()
      let log = Log<String>()
      async let write: Void = Task(executorPreference: ThreadExecutor()) {
        try await database.write { transaction in
          begun.send()
          proceed.block()
          try transaction.insert(Note(1))
          log.add("written")
        }
      }.value
      await begun.wait()
      async let close: Void = {
        await database.close()
        log.add("closed")
      }()
      proceed.send()
      try await write
      await close
      #expect(log.entries == ["written", "closed"])
      await expectStorage(.closed) { try await database.write { _ in } }
      await expectStorage(.closed) { try await database.read { _ in } }
      await database.close()
      let again = try await Database.open(at: file, schema: notes)
      #expect(try await again.read { try $0.select(Note.self) } == [Note(1)])
      await again.close()
    }
  }
}
