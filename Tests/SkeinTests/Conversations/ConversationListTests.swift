import SkeinSimulation
import SkeinStorage
import Testing

@testable import Skein

@Suite("The conversation list")
struct ConversationListTests {
  @Test("Pinned conversations come first, the others are ordered by their latest activity", .simulated)
  func order() async throws {
    let alice = try await stage.client("alice", on: "alice")
    alice.start()
    var chats: [ConversationID] = []
    for peer in ["bob", "carol", "dave"] as [UserID] {
      let chat = try await alice.open(.direct(peer))
      chats.append(chat)
      _ = try await alice.send(TextContent("to \(peer.rawValue)"), to: chat).result
    }
    try await alice.conversations.list { $0.map(\.name) == ["dave", "carol", "bob"] }
    try await alice.conversations.setPinned(true, for: chats[0])
    try await alice.conversations.list { $0.map(\.name) == ["bob", "dave", "carol"] }
    try await alice.conversations.setDraft("half a sen", for: chats[1])
    try await alice.conversations.setMuted(true, for: chats[2])
    let list = try await alice.conversations.list { $0.contains { $0.isMuted } }
    #expect(list.first { $0.id == chats[1] }?.draft == "half a sen")
    await alice.close()
  }

  @Test(
    "The list's first page is shown before the rest, already with the unread count of all unmuted conversations",
    .simulated)
  func firstPage() async throws {
    let runtime = stage.runtime(named: "alice")
    let alice = try await stage.client("alice", on: "alice")
    for number in 1...7 {
      let chat = try await alice.open(.direct(UserID(rawValue: "user \(number)")))
      try await alice.conversations.setDraft("draft", for: chat)
      try await alice.conversations.setMuted(number == 7, for: chat)
      if number == 2 { try await alice.conversations.setPinned(true, for: chat) }
      try await runtime.sleep(for: .seconds(1))
    }
    let store = alice.store
    try await store.write(.kill) { work in
      for id in try work.rows.conversationIDs() { try work.change(id) { $0.unreadCount = 10 } }
    }
    let all = ["user 2", "user 7", "user 6", "user 5", "user 4", "user 3", "user 1"]
    let list = ConversationList(store: store, pageSize: 3)
    var sizes: [Int] = []
    for await update in list.changes {
      sizes.append(update.snapshot.count)
      #expect(update.snapshot.map(\.name) == Array(all.prefix(update.snapshot.count)))
      #expect(update.snapshot.isEmpty || list.unreadCount == 60)
      if update.snapshot.count == all.count { break }
    }
    #expect(sizes.suffix(2) == [3, 7])
    list.close()
    await alice.close()
  }

  @Test("Messages marked as read on one device are marked as read on the other device", .simulated)
  func readElsewhere() async throws {
    try LoadingTests.fill(stage, 1...80)
    let phone = try await stage.client("bob", on: "phone")
    let laptop = try await stage.client("bob", on: "laptop")
    phone.start()
    laptop.start()
    let chat = try await phone.conversations.first { $0.unreadCount == 80 }.id
    try await laptop.conversations.list { $0.first?.unreadCount == 80 }
    try await phone.context(for: chat).markRead()
    try await phone.conversations.list { $0.first?.unreadCount == 0 }
    try await laptop.conversations.list { $0.first?.unreadCount == 0 }
    await phone.close()
    await laptop.close()
  }

  @Test(
    "While a gap has an unknown number of unread messages, the chat's unread count is only a minimum",
    .simulated)
  func uncounted() async throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    for number in 1...30 { try stage.server.post("\(number)", from: number > 9 ? "alice" : "bob", in: ref) }
    var options = ChatOptions()
    options.catchUpPageSize = 10
    let bob = try await stage.client("bob", on: "bob", options: options) { backend in
      backend.onSync = { _, batch in
        var batch = batch
        for index in batch.conversations.indices { batch.conversations[index].unread = nil }
        return batch
      }
    }
    bob.start()
    let chat = try await bob.conversations.first { $0.unreadCount == 10 && $0.unreadIsAtLeast }.id
    let context = bob.context(for: chat)
    try await context.list { !$0.isEmpty }
    for _ in 1...5 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    _ = try await bob.conversations.first { $0.unreadCount == 21 && !$0.unreadIsAtLeast }
    await bob.close()
  }

  @Test(
    "A group created offline is opened on the server once, and its first message is sent",
    .simulated(seeds: 1...20))
  func group() async throws {
    let alice = try await stage.client("alice", on: "alice")
    let carol = try await stage.client("carol", on: "carol")
    let chat = try await alice.openGroup(title: "Trip", members: ["bob", "carol"])
    try await alice.send(TextContent("Where to?"), to: chat)
    alice.start()
    carol.start()
    let list = try await carol.conversations.list { $0.first?.lastMessage != nil }
    #expect(list.map(\.name) == ["Trip"])
    #expect(list.first?.type == .group)
    let members = try await carol.members(of: try #require(list.first?.id))
    #expect(members == ["alice", "bob", "carol"])
    // Sync may return the group before its creator receives the answer: it is still one conversation.
    let own = try await alice.conversations.list { $0.first?.lastMessage?.status == .sent && $0.count == 1 }
    #expect(own.first?.id == chat)
    await alice.close()
    await carol.close()
  }

  @Test("Closing a client ends every loop over its lists and states", .simulated)
  func closing() async throws {
    let alice = try await stage.client("alice", on: "alice")
    let chat = alice.context(for: try await alice.open(.direct("bob")))
    let runtime = stage.runtime(named: "listener")
    let loops = [
      runtime.spawn { for await _ in alice.conversations.changes {} },
      runtime.spawn { for await _ in chat.changes {} },
      runtime.spawn { for await _ in alice.connectionStates {} },
      runtime.spawn { for await _ in alice.catchUpStates {} },
    ]
    alice.start()
    try await alice.conversations.list { $0.first?.ref != nil }
    await alice.close()
    for loop in loops { try await loop.value }
  }

  @Test("A loop that begins after its client was closed ends at once", .simulated(seeds: 1...2))
  func afterClosing() async throws {
    let alice = try await stage.client("alice", on: "alice")
    let id = try await alice.open(.direct("bob"))
    await alice.close()
    for await _ in alice.conversations.changes {}
    for await _ in alice.alerts {}
    let chat = alice.context(for: id)
    for await _ in chat.changes {}
    for await _ in chat.receiptUpdates {}
    for await _ in chat.pinnedMessageUpdates {}
    for await _ in chat.typistUpdates {}
  }

  @Test("A chat rises with each received message, even while an own message of it waits", .simulated)
  func activityWhileWaiting() async throws {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { _ in throw BackendError(.transient, "The server broke.") }
      backend.onSync = { [runtime = backend.inner.runtime] _, batch in
        var batch = batch
        for chat in batch.conversations.indices {
          for index in batch.conversations[chat].messages.indices {
            batch.conversations[chat].messages[index].time = runtime.now()
          }
        }
        return batch
      }
    }
    client.start()
    let bob = try await client.open(.direct("bob")), carol = try await client.open(.direct("carol"))
    try await client.send(TextContent("waits"), to: bob)
    let clock = stage.runtime(named: "stage")
    try await clock.sleep(for: .seconds(10))
    for (peer, first) in [("carol", carol), ("bob", bob)] {
      let ref = try stage.server.open(.direct("alice"), by: UserID(rawValue: peer)).ref
      try stage.server.post("from \(peer)", from: UserID(rawValue: peer), in: ref)
      try await client.context(for: first).list { $0.texts.contains("from \(peer)") }
      let top = try await client.conversations.first { $0.id == first }
      #expect(top.lastMessage?.content.displayedText == (first == bob ? "waits" : "from carol"))
      try await clock.sleep(for: .seconds(10))
    }
    await client.close()
  }
}
