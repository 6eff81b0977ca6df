import SkeinStorage
import Testing

@Suite struct DiskFullTests {
  private let large = String(repeating: "x", count: 100_000)

  @Test("A full disk rolls the transaction back, and the database works again once there is space")
  func fullAndFreed() async throws {
    try await withNotes(DatabaseOptions(maximumPages: 50)) { database in
      try await database.write { try $0.insert(Note(1, "kept")) }
      await expectStorage(.full) {
        try await database.write { transaction in
          for id in 2...10 { try transaction.insert(Note(Int64(id), large)) }
        }
      }
      let kept = try await database.read { try $0.select(Note.self) }
      #expect(kept == [Note(1, "kept")])
      try await database.write { try $0.insert(Note(2, "small")) }
      try await database.write { try $0.execute("PRAGMA max_page_count = 1000") }
      try await database.write { transaction in
        for id in 3...10 { try transaction.insert(Note(Int64(id), large)) }
      }
      let count = try await database.read { try $0.scalar(Int.self, "SELECT count(*) FROM note") }
      #expect(count == 10)
    }
  }

  @Test("A transaction that ignores the error of a full disk commits none of its writes")
  func swallowedError() async throws {
    try await withNotes(DatabaseOptions(maximumPages: 50)) { database in
      await expectStorage(.full) {
        try await database.write { transaction in
          try transaction.insert(Note(1))
          do {
            for id in 2...10 { try transaction.insert(Note(Int64(id), large)) }
          } catch {}
          try? transaction.insert(Note(11))
        }
      }
      let ids = try await database.read { try $0.rows(Int.self, "SELECT id FROM note") }
      #expect(ids == [])
      try await database.write { try $0.insert(Note(12)) }
    }
  }
}
