import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Starting")
struct LaunchTests {
  /// Five chats with a message each that Alice has not received.
  private func fiveChats(_ stage: SimulatedStage) throws -> [ConversationRef] {
    try (1...5).map { number in
      let ref = try stage.server.open(.direct("alice"), by: UserID("friend\(number)")).ref
      try stage.server.post("hello", from: UserID("friend\(number)"), in: ref)
      return ref
    }
  }

  /// Makes a server return one conversation per answer.
  private static func paged(_ backend: inout AlteredBackend) {
    let pages = Mutex<(batch: SyncBatch, count: Int)?>(nil)
    backend.onSync = { cursor, batch in
      pages.withLock { pages in
        let all = pages?.batch ?? batch
        let count = pages?.count ?? 0
        var page = all
        page.from = cursor
        page.conversations = Array(all.conversations.dropFirst(count).prefix(1))
        page.hasMore = count + 1 < all.conversations.count
        page.next = page.hasMore ? SyncCursor(rawValue: "0.\(count)") : all.next
        pages = page.hasMore ? (all, count + 1) : nil
        return page
      }
    }
  }

  @Test(
    "At a start, the list shows all fetched changes in one step, and the client reports that it has caught up",
    .simulated)
  func oneStep() async throws {
    _ = try self.fiveChats(stage)
    let alice = try await stage.contactClient("alice", on: "phone", altering: Self.paged)
    try await alice.conversations.open()
    let steps = Mutex<[Int]>([])
    let following = stage.runtime(named: "listener").spawn {
      for await update in alice.conversations.changes {
        steps.withLock { $0.append(update.snapshot.count) }
      }
    }
    let caughtUp = Mutex(0)
    let states = stage.runtime(named: "states").spawn {
      for await state in alice.catchUpStates where state == .caughtUp { caughtUp.withLock { $0 += 1 } }
    }
    alice.start()
    try await alice.conversations.list { $0.count == 5 }
    try await stage.runtime(named: "stage").sleep(for: .seconds(5))
    let (counts, count) = (steps.withLock { $0 }, caughtUp.withLock { $0 })
    #expect(counts == [0, 5])
    #expect(count >= 1)
    await alice.close()
    try await following.value
    try await states.value
  }

  @Test(
    "During a start, stored chats can be opened, new messages are shown and posted, and no poke is lost",
    .simulated)
  func unlocked() async throws {
    let refs = try self.fiveChats(stage)
    let clock = stage.runtime(named: "clock")
    let isHeld = Mutex(false)
    let alice = try await stage.contactClient("alice", on: "phone") { backend in
      backend.onContacts = { [inner = backend.inner] version in
        if isHeld.withLock({ $0 }) { try await clock.sleep(for: .seconds(8)) }
        return try await inner.contacts(since: version)
      }
    }
    alice.start()
    let list = try await alice.conversations.list { $0.count == 5 }
    await alice.stop()
    isHeld.withLock { $0 = true }
    try stage.server.post("missed", from: "friend1", in: refs[0])
    let other = try #require(list.first { $0.ref == refs[4] })
    alice.start()
    let context = alice.context(for: other.id)
    try await context.list { $0.texts == ["hello"] }
    try await alice.send(TextContent("echo"), to: other.id)
    try await alice.conversations.list { $0.contains { $0.lastMessage?.content.displayedText == "echo" } }
    try await context.list { $0.statuses == [.sent, .sent] }
    try stage.server.post("poked", from: "friend2", in: refs[1])
    #expect(alice.conversations.unreadCount == 5)
    try await alice.conversations.list { $0.reduce(0) { $0 + $1.unreadCount } == 7 }
    await alice.close()
  }

  @Test(
    "If the contact diff fails, a start reports the failure, goes on after ten seconds and fetches the diff later",
    .simulated)
  func withoutContacts() async throws {
    _ = try self.fiveChats(stage)
    let fails = Mutex(true)
    let alice = try await stage.contactClient("alice", on: "phone") { backend in
      backend.onContacts = { [inner = backend.inner] version in
        if fails.withLock({ $0 }) { throw BackendError(.transient, "No contacts today.") }
        return try await inner.contacts(since: version)
      }
    }
    let start = stage.world.now
    alice.start()
    for await state in alice.catchUpStates
    where state == .failed(reason: FailureReason(.transient, "No contacts today.")) { break }
    #expect(stage.world.now - start < .seconds(1))
    try await alice.conversations.list { $0.count == 5 }
    let waited = stage.world.now - start
    #expect(waited >= .seconds(10))
    #expect(waited < .seconds(12))
    #expect(alice.contacts.contacts.isEmpty)
    let state = alice.contactSyncState
    #expect(state == .failed(reason: FailureReason(.transient, "No contacts today.")) || state == .fetching)
    fails.withLock { $0 = false }
    try await alice.contacts.list { $0.count == 5 }
    for await state in alice.contactSyncStates where state == .current { break }
    await alice.close()
  }

  @Test("An interrupted catch-up shows the changes it has received", .simulated)
  func brokenOff() async throws {
    _ = try self.fiveChats(stage)
    let syncs = Mutex(0)
    let alice = try await stage.contactClient("alice", on: "phone") { backend in
      Self.paged(&backend)
      backend.onSync = { [paged = backend.onSync] cursor, batch in
        if syncs.withLock({ syncs in
          syncs += 1
          return syncs > 3
        }) {
          throw BackendError(.unreachable, "The network is down.")
        }
        return try paged?(cursor, batch) ?? batch
      }
    }
    alice.start()
    try await alice.conversations.list { $0.count == 3 }
    await alice.close()
  }

  @Test(
    "Changes received while the session ends are shown, although the start is incomplete", .simulated)
  func sessionOver() async throws {
    let server = stage.server
    let clock = stage.runtime(named: "clock")
    for name in ["bob", "carol"] { server.put(.friend(name), of: "alice") }
    _ = try server.open(.direct("alice"), by: "bob")
    let isOver = Mutex(false)
    let isUnderWay = Mutex(false)
    let alice = try await stage.contactClient("alice", on: "phone") { backend in
      let inner = backend.inner
      backend.onRun = { receive in
        guard isOver.withLock({ $0 }) else { return try await inner.run(since: nil, receive) }
        while !isUnderWay.withLock({ $0 }) { try await clock.sleep(for: .milliseconds(10)) }
        throw BackendError(.unauthorized, "The session has ended.")
      }
      backend.onContacts = { version in
        guard isOver.withLock({ $0 }) else { return try await inner.contacts(since: version) }
        isUnderWay.withLock { $0 = true }
        try await clock.sleep(for: .seconds(5))
        return try await inner.contacts(since: version)
      }
    }
    alice.start()
    try await alice.conversations.list { $0.count == 1 }
    await alice.stop()
    server.removeContact(.user("bob"), of: "alice")
    isOver.withLock { $0 = true }
    alice.start()
    try await alice.conversations.list { $0.isEmpty }
    await alice.close()
  }
}
