import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("The fence")
struct FenceTests {
  @Test(
    "A process that has lost the lease can't write what needs the lease, even before it notices",
    .simulated(seeds: 1...3))
  func lost() async throws {
    let store = try await OddServerTests.store(stage)
    let lease = Lease(store)
    #expect(await lease.take {})
    let held = store.fenced(by: lease.fence)
    let chat = try await held.write(.kill) { try ConversationBook($0).open(.direct("bob")) }
    // Another process takes the lease in this way when its question remains unanswered.
    let other = try await OddServerTests.store(stage)
    try await other.database.write { rows in
      var row = try rows.lease()
      row.fence += 1
      try rows.upsert(row)
    }
    let error = try await #require(throws: ChatError.self) {
      try await held.write(.kill) { try $0.change(chat) { $0.isMuted = true } }
    }
    #expect(error.code == .notPossibleNow)
    let row = try await store.read { try $0.find(ConversationRow.self, chat) }
    #expect(row?.isMuted == false)
    // The process notices, and may still write what needs no lease.
    await lease.keep()
    try await store.write(.kill) { try $0.change(chat) { $0.isPinned = true } }
    await store.database.close()
    await other.database.close()
  }

  @Test(
    "A message written while a process has lost the lease is sent when the process has the lease again",
    .simulated)
  func secondTerm() async throws {
    let alice = try await stage.client("alice", on: "phone")
    let chat = try await alice.open(.direct("bob"))
    alice.start()
    try await alice.reach { $0 == .online }
    let other = try await stage.client("alice", on: "phone")
    try await other.conversations.setMuted(true, for: chat)
    try await other.store.database.write { rows in
      var row = try rows.lease()
      row.fence += 1
      try rows.upsert(row)
    }
    try await alice.reach { $0 == .elsewhere }
    let sent = try await alice.send(TextContent("between"), to: chat)
    _ = try await sent.result
    await alice.close()
    await other.close()
  }

  @Test("An idle client that is alone does not write the lease row", .simulated(seeds: 1...1))
  func idle() async throws {
    let alice = try await stage.client("alice", on: "phone")
    alice.start()
    for await state in alice.connectionStates where state == .online { break }
    for await state in alice.catchUpStates where state == .caughtUp { break }
    let before = try await alice.store.read { try $0.lease() }
    try await stage.runtime(named: "stage").sleep(for: .seconds(40))
    let after = try await alice.store.read { try $0.lease() }
    #expect(before == after)
    #expect(after.fence == 1)
    await alice.close()
  }
}
