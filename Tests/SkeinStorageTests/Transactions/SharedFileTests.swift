import Foundation
import SkeinStorage
import Synchronization
import Testing

@Suite("Two databases on one file")
struct SharedFileTests {
  @Test("The count of foreign commits changes with the other database's commits, not with own commits")
  func foreignCommits() async throws {
    try await withTwo { one, other in
      let before = try await one.foreignCommits()
      try await one.write { try $0.insert(Note(1)) }
      #expect(try await one.foreignCommits() == before)
      try await other.write { try $0.insert(Note(2)) }
      let after = try await one.foreignCommits()
      #expect(after != before)
      #expect(try await one.foreignCommits() == after)
    }
  }

  @Test("`readInOrder` reports a read before all writes that the read does not see")
  func order() async throws {
    try await withTwo { one, other in
      let told = Told()
      for number in 1...20 {
        try await other.write { try $0.insert(Note(Int64(number))) }
        async let read: Void = one.readInOrder {
          try $0.scalar(Int.self, "SELECT count(*) FROM note WHERE id < 1000") ?? 0
        } then: { count in
          told.add(count)
        }
        async let written = one.write {
          try $0.insert(Note(Int64(1000 + number)))
          return try $0.scalar(Int.self, "SELECT count(*) FROM note WHERE id < 1000") ?? 0
        } committed: { count in
          told.add(count)
        }
        _ = try await (read, written)
      }
      let counts = told.counts
      #expect(counts == counts.sorted() && counts.count == 40)
    }
  }

  @Test("Concurrent writes of both databases succeed")
  func bothWrite() async throws {
    try await withTwo { one, other in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (database, base) in [(one, Int64(0)), (other, Int64(1000))] {
          group.addTask {
            for id in 1...200 {
              let durability: Durability = id % 2 == 0 ? .kill : .powerCut
              try await database.write(durability) { try $0.insert(Note(base + Int64(id))) }
            }
          }
        }
        try await group.waitForAll()
      }
      let count = try await one.read { try $0.scalar(Int.self, "SELECT count(*) FROM note") }
      #expect(count == 400)
    }
  }

  private func withTwo(_ body: (Database, Database) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let one = try await Database.open(at: file, schema: notes)
      let other = try await Database.open(at: file, schema: notes)
      try await body(one, other)
      await one.close()
      await other.close()
    }
  }
}

private final class Told: Sendable {
  private let state = Mutex<[Int]>([])
  var counts: [Int] { state.withLock { $0 } }
  func add(_ count: Int) { state.withLock { $0.append(count) } }
}
