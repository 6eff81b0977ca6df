import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("The fence")
struct FenceTests {
  @Test("Whoever has lost the lease changes nothing more, even before it knows")
  func lost() async {
    let failures = await SimulatedRun.play(seeds: 1...3) { stage in
      let store = try await OddServerTests.store(stage)
      let lease = Lease(store)
      try expect(await lease.take {}, "not taken")
      let held = store.behind(lease.fence)
      let chat = try await held.write(.kill) { try $0.open(.direct("bob")) }
      // As another process does that has waited in vain for an answer.
      let other = try await OddServerTests.store(stage)
      try await other.database.write { rows in
        var row = try rows.lease()
        row.fence += 1
        try rows.upsert(row)
      }
      do {
        try await held.write(.kill) { try $0.change(chat) { $0.isMuted = true } }
        throw Unexpected(what: "it has written")
      } catch let error as ChatError {
        try expect(error.code == .notPossibleNow, "\(error)")
      }
      let row = try await store.read { try $0.find(ConversationRow.self, chat) }
      try expect(row?.isMuted == false, "it has changed something")
      // It notices, and what anybody may do it may do as well.
      await lease.keep()
      try await store.write(.kill) { try $0.change(chat) { $0.isPinned = true } }
      await store.database.close()
      await other.database.close()
    }
    #expect(failures == [])
  }

  @Test("What is written between two terms of the same process goes out in the second")
  func secondTerm() async {
    let failures = await SimulatedRun.play(seeds: 1...5) { stage in
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
    #expect(failures == [])
  }

  @Test("Alone, a client that stands idle writes nothing")
  func idle() async {
    let failures = await SimulatedRun.play(seeds: 1...1) { stage in
      let alice = try await stage.client("alice", on: "phone")
      alice.start()
      for await state in alice.connectionStates where state == .online { break }
      for await state in alice.catchUpStates where state == .caughtUp { break }
      let before = try await alice.store.read { try $0.lease() }
      try await stage.runtime(named: "stage").sleep(for: .seconds(40))
      let after = try await alice.store.read { try $0.lease() }
      try expect(before == after && after.fence == 1, "\(before), \(after)")
      await alice.close()
    }
    #expect(failures == [])
  }
}
