import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Pinned messages")
struct PinTests {
  @Test("A pin is shown at once and to every member, until any member removes it", .simulated)
  func pin() async throws {
    let clients = try await Trio(stage)
    let (sent, others) = try await clients.write("the address")
    let chats = [clients.chat] + others
    stage.server.setReachable(false)
    try await clients.chat.messenger.pin(sent)
    try await clients.chat.pins { $0.map(\.id) == [sent] }
    let shown = try await clients.chat.list { $0.last?.message?.isPinned == true }
    #expect(shown.last?.message?.hasPendingAction == true)
    stage.server.setReachable(true)
    for chat in chats {
      try await chat.pins { $0.map(\.text) == ["the address"] && $0[0].id != nil }
      try await chat.list { $0.last?.message.map { $0.isPinned && !$0.hasPendingAction } ?? false }
    }
    let bobs = try #require(others.last)
    try await bobs.messenger.unpin(try #require(bobs.pinnedMessages.first?.id))
    for chat in chats {
      try await chat.pins { $0.isEmpty }
      try await chat.list { $0.last?.message?.isPinned == false }
    }
    try await clients.close()
  }

  @Test("A new device knows of pinned messages that are not stored there, and can jump to them", .simulated)
  func newDevice() async throws {
    let clients = try await Trio(stage)
    let (sent, _) = try await clients.write("the address")
    try await clients.chat.messenger.pin(sent)
    try await clients.chat.list { $0.last?.message.map { $0.isPinned && !$0.hasPendingAction } ?? false }
    let ref = try #require(stage.server.rooms().first)
    try stage.server.post((1...400).map(String.init), from: "bob", in: ref)
    let laptop = try await stage.client("alice", on: "laptop")
    laptop.start()
    let conversation = try await laptop.conversations.first {
      $0.lastMessage?.content.displayedText == "400"
    }
    let chat = laptop.context(for: conversation.id)
    try await chat.pins { $0.map(\.text) == ["the address"] }
    let pinned = try #require(chat.pinnedMessages.first)
    #expect(pinned.id == nil)
    #expect(pinned.sender == "alice")
    try await chat.jump(to: try #require(pinned.message.serverID))
    try await chat.pins { $0.map(\.text) == ["the address"] && $0[0].id != nil }
    try await chat.list { $0.contains { $0.message?.isPinned == true } }
    await laptop.close()
    try await clients.close()
  }

  @Test(
    "Recalled, deleted and cleared messages are no longer pinned", .simulated,
    arguments: ["recall", "delete", "clear"])
  func gone(way: String) async throws {
    let clients = try await Trio(stage)
    let (sent, others) = try await clients.write("the address")
    try await clients.chat.messenger.pin(sent)
    for chat in others { try await chat.pins { $0.count == 1 } }
    switch way {
    case "recall": try await clients.chat.messenger.recall(sent)
    case "delete": try await clients.chat.delete([sent])
    default: try await clients.chat.clearAllMessages()
    }
    try await clients.chat.pins { $0.isEmpty }
    if way == "recall" {
      for chat in others { try await chat.pins { $0.isEmpty } }
    }
    // Later actions on the message do not pin it again.
    if way != "recall" {
      let bobs = try #require(others.last), id = try #require(bobs.pinnedMessages.first?.id)
      try await bobs.messenger.addReaction("👍", to: id)
      try await bobs.list {
        $0.last?.message.map { $0.reactions.count == 1 && !$0.hasPendingAction } ?? false
      }
      let ref = try #require(stage.server.rooms().first)
      try stage.server.post("later", from: "bob", in: ref)
      try await clients.chat.list { $0.texts.last == "later" }
      #expect(clients.chat.pinnedMessages.isEmpty)
    }
    try await clients.close()
  }

  @Test("The latest pin is first, and a pin undone before it was sent is never sent", .simulated)
  func order() async throws {
    let clients = try await Trio(stage)
    var ids: [LocalMessageID] = []
    for text in ["one", "two", "three"] { ids.append(try await clients.write(text).0) }
    for id in [ids[2], ids[0]] {
      try await clients.chat.messenger.pin(id)
      try await clients.chat.list { list in
        list.contains { $0.message.map { $0.id == id && $0.isPinned && !$0.hasPendingAction } ?? false }
      }
    }
    try await clients.chat.pins { $0.map(\.text) == ["one", "three"] }
    // The client is stopped, not disconnected: an outbox might try the pin before it notices a disconnection.
    await clients.alice.stop()
    try await clients.chat.messenger.pin(ids[1])
    let pinned = try await clients.chat.list { $0.contains { $0.message?.hasPendingAction == true } }
    #expect(pinned.compactMap(\.message).allSatisfy { $0.isPinned })
    try await clients.chat.messenger.unpin(ids[1])
    try await clients.chat.list { $0.allSatisfy { $0.message?.hasPendingAction == false } }
    clients.alice.start()
    // Once this message is sent, no earlier operation of the lane is waiting.
    _ = try await clients.write("four")
    let ref = try #require(stage.server.rooms().first)
    let counts = stage.server.messages(in: ref).map(\.revision)
    #expect(counts == [1, 0, 1, 0])
    try await clients.close()
  }

  @Test(
    "A message that others have pinned can be unpinned, although the user's own pin was never sent",
    .simulated)
  func unpinAnothers() async throws {
    let (gate, opening) = AsyncStream.makeStream(of: Never.self)
    let alice = try await stage.client("alice", on: "alice") { backend in
      backend.onSend = { _ in
        for await _ in gate {}
        throw BackendError(.permanent, "Not this one.")
      }
    }
    let bob = try await stage.client("bob", on: "bob")
    for client in [alice, bob] { client.start() }
    let bobs = bob.context(for: try await bob.open(.direct("alice")))
    let sent = try await bobs.messenger.send(TextContent("the address"))
    _ = try await sent.result
    let known = try await alice.conversations.first { $0.lastMessage != nil }
    let chat = alice.context(for: known.id)
    let id = try #require(known.lastMessage?.id)
    // The pin waits behind this operation and is never attempted.
    _ = try await chat.messenger.send(TextContent("in the way"))
    try await chat.messenger.pin(id)
    try await bobs.messenger.pin(sent.id)
    try await bobs.list { $0.first?.message.map { $0.isPinned && !$0.hasPendingAction } ?? false }
    try stage.server.post("after the pin", from: "bob", in: try #require(stage.server.rooms().first))
    try await chat.list { $0.texts.contains("after the pin") }
    try await chat.messenger.unpin(id)
    try await chat.list { $0.first?.message?.isPinned == false }
    opening.finish()
    try await bobs.list { $0.first?.message?.isPinned == false }
    await alice.close()
    await bob.close()
  }

  @Test(
    "A message that another device unpinned can be pinned again, although the first pin was never answered",
    .simulated)
  func pinnedAgain() async throws {
    let isMute = Mutex(true)
    let phone = try await stage.client("alice", on: "phone") { backend in
      backend.onPerformed = { _ in
        guard isMute.withLock({ $0 }) else { return nil }
        throw BackendError(.transient, "No answer.", outcomeIsUnknown: true)
      }
    }
    let tablet = try await stage.client("alice", on: "tablet")
    for client in [phone, tablet] { client.start() }
    let chat = phone.context(for: try await phone.open(.direct("bob")))
    let id = try await chat.messenger.send(TextContent("the address")).result.id
    try await chat.messenger.pin(id)
    let known = try await tablet.conversations.first { $0.lastMessage?.isPinned == true }
    let other = tablet.context(for: known.id)
    try await other.messenger.unpin(try #require(known.lastMessage?.id))
    try await other.list { $0.first?.message.map { !$0.isPinned && !$0.hasPendingAction } ?? false }
    let ref = try #require(stage.server.rooms().first)
    try stage.server.post("after the unpin", from: "bob", in: ref)
    try await chat.list { $0.texts.contains("after the unpin") }
    // The phone's first pin still waits for an answer.
    try await chat.messenger.unpin(id)
    try await chat.messenger.pin(id)
    isMute.withLock { $0 = false }
    try await chat.list { $0.first?.message.map { !$0.hasPendingAction } ?? false }
    #expect(stage.server.messages(in: ref).first?.flags[.pin] != nil)
    await phone.close()
    await tablet.close()
  }

  @Test(
    "A sent message that is found on the server gets the pin that was received before the message", .simulated
  )
  func pinnedBeforeItIsFound() async throws {
    let alice = try await stage.client("alice", on: "alice")
    let id = try await alice.open(.direct("bob"))
    let sent = try await alice.send(TextContent("the address"), to: id)
    let found = IncomingMessage(
      serverID: ServerMessageID(rawValue: "chat/1"), messageID: sent.messageID, sender: "alice",
      position: Position(rawValue: 1), time: Timestamp(milliseconds: 1), kind: "text",
      payload: Data(#"{"text":"the address"}"#.utf8))
    var pinned = found
    (pinned.revision, pinned.flags) = (1, [.pin: Timestamp(milliseconds: 2)])
    try await alice.store.write(.kill) { [pinned] in try AbsentMessages($0).apply([pinned], in: id) }
    try await alice.store.write(.kill) { try Attempts($0).adopt(sent.id, found) }
    let chat = alice.context(for: id)
    try await chat.pins { !$0.isEmpty }
    #expect(chat.pinnedMessages.map(\.id) == [sent.id])
    await alice.close()
  }

  @Test("A pin set by others before the sender has the receipt is neither lost nor shown twice", .simulated)
  func pinnedBeforeTheAnswer() async throws {
    let (gate, opening) = AsyncStream.makeStream(of: Never.self)
    let attempts = Mutex(0), isDeaf = Mutex(true)
    var options = ChatOptions()
    options.catchUpPageSize = 1
    let alice = try await stage.client("alice", on: "alice", options: options) { backend in
      backend.onSend = { [inner = backend.inner] message in
        let receipt = try await inner.send(message)
        attempts.withLock { $0 += 1 }
        guard attempts.withLock({ $0 }) == 1 else {
          for await _ in gate {}
          return receipt
        }
        throw BackendError(.transient, "The answer was lost.", outcomeIsUnknown: true)
      }
      backend.onSync = { _, batch in
        if isDeaf.withLock({ $0 }) { throw BackendError(.transient, "Not now.") }
        return batch
      }
    }
    let bob = try await stage.client("bob", on: "bob")
    for client in [alice, bob] { client.start() }
    let chat = alice.context(for: try await alice.open(.direct("bob")))
    let sent = try await chat.messenger.send(TextContent("the address"))
    let known = try await bob.conversations.first { $0.lastMessage != nil }
    let bobs = bob.context(for: known.id)
    let id = try #require(known.lastMessage?.id)
    try await bobs.messenger.pin(id)
    try await bobs.list { $0.first?.message.map { $0.isPinned && !$0.hasPendingAction } ?? false }
    try stage.server.post(["1", "2", "3"], from: "bob", in: try #require(stage.server.rooms().first))
    isDeaf.withLock { $0 = false }
    try await chat.pins { $0.map(\.text) == ["the address"] && $0[0].id == nil }
    opening.finish()
    _ = try await sent.result
    try await chat.pins { $0.map(\.id) == [sent.id] }
    try await bobs.messenger.unpin(id)
    try await chat.pins { $0.isEmpty }
    await alice.close()
    await bob.close()
  }

  @Test(
    "A pin that others removed before the first sync is gone after the sync, and another pin stays",
    .simulated)
  func unpinnedBeforeTheFirstSync() async throws {
    let isDeaf = Mutex(true)
    var options = ChatOptions()
    options.catchUpPageSize = 1
    let alice = try await stage.client("alice", on: "alice", options: options) { backend in
      backend.onSync = { _, batch in
        if isDeaf.withLock({ $0 }) { throw BackendError(.transient, "Not now.") }
        return batch
      }
    }
    let bob = try await stage.client("bob", on: "bob")
    for client in [alice, bob] { client.start() }
    let chat = alice.context(for: try await alice.open(.direct("bob")))
    for text in ["the address", "the time"] {
      let sent = try await chat.messenger.send(TextContent(text)).result
      try await chat.messenger.pin(sent.id)
    }
    try await chat.list { $0.count == 2 && $0.allSatisfy { $0.message?.hasPendingAction == false } }
    let known = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "the time" }
    let bobs = bob.context(for: known.id)
    try await bobs.pins { $0.count == 2 }
    try await bobs.messenger.unpin(try #require(bobs.pinnedMessages.first { $0.text == "the address" }?.id))
    try await bobs.pins { $0.map(\.text) == ["the time"] }
    try stage.server.post(["1", "2", "3"], from: "bob", in: try #require(stage.server.rooms().first))
    isDeaf.withLock { $0 = false }
    try await chat.pins { $0.map(\.text) == ["the time"] }
    await alice.close()
    await bob.close()
  }

  @Test("Pins are known even if a sync lacks a later message", .simulated)
  func tornPush() async throws {
    let isTorn = Mutex(true)
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onSync = { _, batch in
        var batch = batch
        for index in batch.conversations.indices {
          let all = batch.conversations[index].messages
          let left = all.filter { $0.displayedText != "2" }
          guard left.count < all.count else { continue }
          // Only one batch loses the message; later syncs fail until that batch is applied.
          guard isTorn.withLock({ $0 }) else { throw BackendError(.transient, "Not now.") }
          batch.conversations[index].messages = left
          batch.conversations[index].count = left.count
          isTorn.withLock { $0 = false }
        }
        return batch
      }
    }
    bob.start()
    let alice = try await stage.client("alice", on: "alice")
    alice.start()
    let chat = alice.context(for: try await alice.open(.direct("bob")))
    _ = try await chat.messenger.send(TextContent("0")).result
    let known = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "0" }
    await bob.stop()
    let pinned = try await chat.messenger.send(TextContent("1")).result
    try await chat.messenger.pin(pinned.id)
    try await chat.list { $0.last?.message.map { $0.isPinned && !$0.hasPendingAction } ?? false }
    try stage.server.post(["2", "3"], from: "alice", in: try #require(stage.server.rooms().first))
    bob.start()
    try await bob.context(for: known.id).pins { $0.map(\.text) == ["1"] }
    await alice.close()
    await bob.close()
  }

  @Test(
    "A stored pinned message is listed once, even if a batch returns it again below a missing message",
    .simulated)
  func storedBelowAHole() async throws {
    let store = try await OddServerTests.store(stage, ordering: .dense)
    var pinned = IncomingMessage.number(1)
    for (positions, from) in [([Int64(1)], nil), ([1, 3], "1")] as [([Int64], String?)] {
      (pinned.flags, pinned.revision) = ([.pin: Timestamp(milliseconds: 5)], pinned.revision + 1)
      let delta = ConversationDelta(
        info: ConversationInfo(ref: ConversationRef(rawValue: "r"), type: .group), count: positions.count,
        messages: positions.map { $0 == 1 ? pinned : .number($0) })
      let batch = SyncBatch(
        from: from.map { SyncCursor(rawValue: $0) }, next: SyncCursor(rawValue: from == nil ? "1" : "2"),
        conversations: [delta])
      _ = try await store.write(.kill) { try Intake($0).apply(batch) }
    }
    let account = store.account, kinds = store.kinds
    let pins = try await store.read { try $0.messages(with: .pin, for: account, kinds) }
    #expect(pins.map { $0.id != nil } == [true])
    await store.database.close()
  }

  @Test("A pin is refused if the server does not have the message or does not support pins", .simulated)
  func refused() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chat = client.context(for: try await client.open(.direct("bob")))
    let sent = try await chat.messenger.send(TextContent("hi"))
    await #expect(throws: ChatError.self) { try await chat.messenger.pin(sent.id) }
    client.start()
    _ = try await sent.result
    await client.close()
    let plain = try await stage.client("alice", on: "phone") { $0.inner.abilities.actions = [.edits] }
    let context = plain.context(for: chat.conversation)
    await #expect(throws: ChatError.self) { try await context.messenger.pin(sent.id) }
    await plain.close()
  }
}

extension ChatContext {
  /// Waits until the pinned messages satisfy a condition.
  fileprivate func pins(where isMet: ([FlaggedMessage]) -> Bool) async throws {
    for await pinned in pinnedMessageUpdates where isMet(pinned) { return }
    throw CancellationError()
  }
}

extension FlaggedMessage {
  fileprivate var text: String { content.displayedText }
}
