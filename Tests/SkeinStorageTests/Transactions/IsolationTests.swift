import Foundation
import SkeinStorage
import Testing

@Suite struct IsolationTests {
  @Test("During a write, a read sees the latest commit and does not wait")
  func snapshot() async throws {
    try await withNotes { database in
      try await database.write { try $0.insert(Note(1)) }
      let begun = Signal(), proceed = Signal()
      async let write: Void = Task(executorPreference: ThreadExecutor()) {
        try await database.write { transaction in
          try transaction.insert(Note(2))
          begun.send()
          proceed.block()
        }
      }.value
      await begun.wait()
      let during = try await database.read { try $0.select(Note.self) }
      proceed.send()
      try await write
      let after = try await database.read { try $0.select(Note.self) }
      #expect(during == [Note(1)])
      #expect(after == [Note(1), Note(2)])
    }
  }

  @Test("A read sees one snapshot, whatever is committed while it runs")
  func repeatableRead() async throws {
    try await withNotes { database in
      let begun = Signal(), proceed = Signal()
      async let counts: [Int?] = Task(executorPreference: ThreadExecutor()) {
        try await database.read { transaction in
          begun.send()
          proceed.block()
          return try (1...2).map { _ in try transaction.scalar(Int.self, "SELECT count(*) FROM note") }
        }
      }.value
      await begun.wait()
      try await database.write { try $0.insert(Note(1)) }
      proceed.send()
      let seen = try await counts
      #expect(seen == [0, 0])
    }
  }

  @Test("If another connection has locked the file, a write waits and then succeeds")
  func busy() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let begun = Signal(), proceed = Signal(), ended = Signal()
      let waits = Log<Duration>()
      let options = DatabaseOptions { duration in
        waits.add(duration)
        if waits.entries.count == 3 {
          proceed.send()
          await ended.wait()
        }
      }
      let first = try await Database.open(at: file, schema: notes)
      let second = try await Database.open(at: file, schema: notes, options: options)
      async let write: Void = Task(executorPreference: ThreadExecutor()) {
        try await first.write { transaction in
          try transaction.insert(Note(1))
          begun.send()
          proceed.block()
        }
        ended.send()
      }.value
      await begun.wait()
      try await second.write { try $0.insert(Note(2)) }
      try await write
      #expect(waits.entries == [.milliseconds(1), .milliseconds(2), .milliseconds(4)])
      let stored = try await first.read { try $0.select(Note.self) }
      #expect(stored == [Note(1), Note(2)])
      await first.close()
      await second.close()
    }
  }

  @Test("Waiting for a lock that is never released ends with an error after the busy timeout")
  func busyForEver() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let begun = Signal(), proceed = Signal()
      let waits = Log<Duration>()
      let options = DatabaseOptions(busyTimeout: .milliseconds(120)) { waits.add($0) }
      let first = try await Database.open(at: file, schema: notes)
      let second = try await Database.open(at: file, schema: notes, options: options)
      async let write: Void = Task(executorPreference: ThreadExecutor()) {
        try await first.write { _ in
          begun.send()
          proceed.block()
        }
      }.value
      await begun.wait()
      await expectStorage(.busy) { try await second.write { try $0.insert(Note(2)) } }
      #expect(waits.entries.reduce(.zero, +) == .milliseconds(163))
      // Reads continue, and so do writes once the lock is free.
      let during = try await second.read { try $0.select(Note.self) }
      #expect(during == [])
      proceed.send()
      try await write
      try await second.write { try $0.insert(Note(3)) }
      await first.close()
      await second.close()
    }
  }

  @Test("A write cancelled while it waits for a lock throws and writes nothing")
  func cancelledWait() async throws {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "db")
      let begun = Signal(), proceed = Signal()
      let options = DatabaseOptions { _ in throw CancellationError() }
      let first = try await Database.open(at: file, schema: notes)
      let second = try await Database.open(at: file, schema: notes, options: options)
      async let write: Void = Task(executorPreference: ThreadExecutor()) {
        try await first.write { _ in
          begun.send()
          proceed.block()
        }
      }.value
      await begun.wait()
      await #expect(throws: CancellationError.self) { try await second.write { try $0.insert(Note(2)) } }
      proceed.send()
      try await write
      let stored = try await first.read { try $0.select(Note.self) }
      #expect(stored == [])
      await first.close()
      await second.close()
    }
  }

  @Test("All work runs on the caller's preferred executor")
  func preferredExecutor() async throws {
    try await withTemporaryFolder { folder in
      let executor = SteppedExecutor()
      let results = Log<Int>()
      let task = Task(executorPreference: executor) {
        let database = try await Database.open(at: folder.appending(path: "db"), schema: notes)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for id in 1...20 {
            group.addTask { try await database.write { try $0.insert(Note(Int64(id))) } }
            group.addTask { _ = try await database.read { try $0.select(Note.self) } }
          }
          try await group.waitForAll()
        }
        results.add(try await database.read { try $0.scalar(Int.self, "SELECT count(*) FROM note") ?? 0 })
        await database.close()
      }
      executor.drain()
      #expect(results.entries == [20])
      try await task.value
    }
  }
}
