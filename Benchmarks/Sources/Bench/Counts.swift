import Foundation
import Skein
import Synchronization

/// Counts the statements and commits that the engine needs. The counts do not depend on the machine.
struct Counts {
  let bench: Workbench
  let isShort: Bool

  func figures() async throws -> [Figure] { try await sending() + receiving() }

  private func sending() async throws -> [Figure] {
    let count = isShort ? 200 : 1000
    let counter = StatementCounter()
    let client = try await bench.client(InstantBackend(), counter: counter)
    let chat = try await client.open(.direct("bob"))
    var last: SentMessage?
    let composing = try await counter.counting {
      for number in 1...count { last = try await client.send(TextContent("message \(number)"), to: chat) }
    }
    let draining = try await counter.counting {
      client.start()
      _ = try await last?.result
    }
    await client.close()
    return figures("send", composing, of: count) + figures("drain", draining, of: count)
  }

  private func receiving() async throws -> [Figure] {
    var figures: [Figure] = []
    for size: Int64 in [1, 100] {
      let counter = StatementCounter()
      let backend = InstantBackend([
        SyncBatch(from: nil, next: SyncCursor(rawValue: "0"), conversations: [.messages(1...10, from: "bob")])
      ])
      let client = try await bench.caughtUp(backend, counter: counter)
      let rounds: Int64 = isShort ? 20 : 100
      let pushing = await counter.counting {
        for round in 0..<rounds {
          let first = 11 + round * size
          await backend.push(
            SyncBatch(
              from: SyncCursor(rawValue: "\(round)"), next: SyncCursor(rawValue: "\(round + 1)"),
              conversations: [.messages(first...first + size - 1, from: "bob")]))
        }
      }
      await client.close()
      figures += self.figures("push.\(size)", pushing, of: Int(rounds * size))
    }
    return figures
  }

  private func figures(_ name: String, _ counts: StatementCounter.Counts, of messages: Int) -> [Figure] {
    [
      ("statements", counts.statements), ("transactions", counts.transactions),
      ("synchronized", counts.synchronized),
    ].map { unit, count in
      let value = Double(count) / Double(messages)
      return Figure("count.\(name).\(unit)", [value], "a message")
    }
  }
}

/// Counts the statements of a client's database.
final class StatementCounter: Sendable {
  struct Counts: Sendable {
    var statements = 0
    /// Transactions that write.
    var transactions = 0
    /// Transactions that are synchronized with the disk.
    var synchronized = 0
  }
  private let state = Mutex((counts: Counts(), isFull: false))

  func count(_ sql: String) {
    state.withLock { state in
      state.counts.statements += 1
      if sql.hasPrefix("PRAGMA synchronous") { state.isFull = sql.hasSuffix("FULL") }
      if sql == "BEGIN IMMEDIATE" {
        state.counts.transactions += 1
        if state.isFull { state.counts.synchronized += 1 }
      }
    }
  }

  /// The counts of the statements that run during `work`.
  func counting(_ work: () async throws -> Void) async rethrows -> Counts {
    let before = state.withLock { $0.counts }
    try await work()
    let after = state.withLock { $0.counts }
    return Counts(
      statements: after.statements - before.statements,
      transactions: after.transactions - before.transactions,
      synchronized: after.synchronized - before.synchronized)
  }
}
