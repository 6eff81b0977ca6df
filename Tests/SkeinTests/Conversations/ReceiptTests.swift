import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Receipts of the other members")
struct ReceiptTests {
  @Test("Each device of the sender shows whether a message is sent, delivered or read", .simulated)
  func stages() async throws {
    let clients = try await Trio(stage)
    await clients.bob.stop()
    let sent = try await clients.chat.messenger.send(TextContent("one"))
    _ = try await sent.result
    let list = try await clients.chat.list { $0.last?.message?.status == .sent }
    let shown = try #require(list.last?.message)
    #expect(clients.chat.receipts.stage(of: shown) == .sent)
    clients.bob.start()
    for await receipts in clients.chat.receiptUpdates where receipts.stage(of: shown) == .delivered {
      break
    }
    #expect(clients.chat.receipts.receivers(of: shown) == ["bob"])
    let chat = try await clients.bob.conversations.first { $0.unreadCount == 1 }.id
    let bobs = clients.bob.context(for: chat)
    try await bobs.list { !$0.isEmpty }
    try await bobs.markRead()
    for await receipts in clients.chat.receiptUpdates where receipts.stage(of: shown) == .read { break }
    #expect(clients.chat.receipts.readers(of: shown) == ["bob"])
    let other = try await clients.tablet.conversations.first { $0.lastMessage != nil }.id
    let tablet = clients.tablet.context(for: other)
    let onTablet = try await tablet.list { !$0.isEmpty }
    let there = try #require(onTablet.last?.message)
    for await receipts in tablet.receiptUpdates where receipts.stage(of: there) == .read { break }
    // Later messages are not read yet.
    let later = try await clients.chat.messenger.send(TextContent("two"))
    let last = try await later.result
    #expect(clients.chat.receipts.readers(of: last).isEmpty)
    try await clients.close()
  }

  @Test("After a server reset, nobody has read a message that gets the position of a read one", .simulated)
  func afterReset() async throws {
    let clients = try await Trio(stage)
    _ = try await clients.chat.messenger.send(TextContent("zero")).result
    let backup = stage.server.backup()
    let before = try await clients.chat.messenger.send(TextContent("one")).result
    let bobs = clients.bob.context(for: try await clients.bob.conversations.first { $0.unreadCount == 2 }.id)
    try await bobs.list { $0.count == 2 }
    try await bobs.markRead()
    for await receipts in clients.chat.receiptUpdates where receipts.stage(of: before) == .read { break }
    await clients.bob.stop()
    stage.server.restore(backup)
    let after = try await clients.chat.messenger.send(TextContent("two")).result
    let list = try await clients.chat.list { $0.last?.message?.status == .sent && $0.texts.last == "two" }
    let shown = try #require(list.last?.message)
    #expect(shown.id == after.id)
    #expect(clients.chat.receipts.stage(of: shown) == .sent)
    try await clients.close()
  }

  @Test(
    "A group shows who has read a message, and the message counts as read when all members have read it",
    .simulated)
  func group() async throws {
    let names: [UserID] = ["alice", "bob", "carol"]
    var clients: [ChatClient] = []
    for name in names {
      let client = try await stage.client(name, on: name.rawValue)
      client.start()
      clients.append(client)
    }
    let chat = try await clients[0].openGroup(title: "trip", members: ["bob", "carol"])
    let context = clients[0].context(for: chat)
    let sent = try await context.messenger.send(TextContent("one")).result
    for (index, client) in clients.dropFirst().enumerated() {
      let other = client.context(for: try await client.conversations.first { $0.unreadCount == 1 }.id)
      try await other.list { !$0.isEmpty }
      try await other.markRead()
      let readers = Array(names[1...(index + 1)])
      for await receipts in context.receiptUpdates where receipts.readers(of: sent) == readers { break }
      let isRead = context.receipts.stage(of: sent) == .read
      #expect(isRead == (index == 1), "\(context.receipts)")
    }
    for client in clients { await client.close() }
  }

  @Test(
    "Delivery is reported once per burst, again after a lost answer, and not for own messages", .simulated)
  func telling() async throws {
    let told = Mutex<[SyncCursor]>([])
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onDelivered = { cursor in
        let isFirst = told.withLock { told in
          told.append(cursor)
          return told.count == 1
        }
        if isFirst { throw BackendError(.transient, "No answer.", outcomeIsUnknown: true) }
      }
    }
    bob.start()
    let chat = bob.context(for: try await bob.open(.direct("alice")))
    _ = try await chat.messenger.send(TextContent("own")).result
    try await chat.list { $0.last?.message?.status == .sent }
    let ref = try #require(stage.server.rooms().first)
    try stage.server.post((1...30).map(String.init), from: "alice", in: ref)
    try await chat.list { $0.texts.count == 31 }
    let alice = try await stage.client("alice", on: "alice")
    alice.start()
    let other = alice.context(for: try await alice.conversations.first { $0.lastMessage != nil }.id)
    let list = try await other.list { !$0.isEmpty }
    let last = try #require(list.last?.message)
    for await receipts in other.receiptUpdates where receipts.receivers(of: last) == ["bob"] { break }
    let cursors = told.withLock { $0 }
    #expect((2...4).contains(cursors.count))
    await bob.close()
    await alice.close()
  }

  @Test(
    "A message that was received right before the client stopped is reported as delivered after the next start",
    .simulated)
  func reportedLater() async throws {
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    let context = bob.context(for: try await bob.open(.direct("alice")))
    let sent = try await context.messenger.send(TextContent("one")).result
    let isSlow = Mutex(true)
    for _ in 1...2 {
      let alice = try await stage.client("alice", on: "alice") { backend in
        backend.onDelivered = { [runtime = backend.inner.runtime] _ in
          if isSlow.withLock({ $0 }) { try await runtime.sleep(for: .seconds(3600)) }
        }
      }
      alice.start()
      for await state in alice.catchUpStates where state == .caughtUp { break }
      try await stage.runtime(named: "stage").sleep(for: .seconds(5))
      #expect(context.receipts.stage(of: sent) == (isSlow.withLock { $0 } ? .sent : .delivered))
      await alice.close()
      isSlow.withLock { $0 = false }
    }
    await bob.close()
  }
}
