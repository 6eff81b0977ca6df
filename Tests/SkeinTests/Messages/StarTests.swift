import Foundation
import SkeinSimulation
import Synchronization
import Testing

@testable import Skein

@Suite("Starred messages")
struct StarTests {
  @Test(
    "A star is listed as soon as the call returns, and reaches the user's other devices but no other user",
    .simulated)
  func star() async throws {
    let clients = try await Trio(stage)
    let (sent, others) = try await clients.write("the address")
    let tablet = clients.tablet
    stage.server.setReachable(false)
    try await clients.chat.messenger.star(sent)
    #expect(clients.alice.starredMessages.map(\.id) == [sent])
    #expect(clients.chat.messages.last?.message?.isStarred == true)
    #expect(clients.chat.messages.last?.message?.hasPendingAction == true)
    stage.server.setReachable(true)
    try await clients.alice.stars { $0.map(\.id) == [sent] }
    try await clients.chat.list { $0.last?.message.map { $0.isStarred && !$0.hasPendingAction } ?? false }
    try await tablet.stars { $0.map(\.text) == ["the address"] && $0[0].id != nil }
    let ref = try #require(stage.server.rooms().first)
    try stage.server.post("later", from: "bob", in: ref)
    for chat in others { try await chat.list { $0.texts.last == "later" } }
    #expect(try #require(others.last).messages.allSatisfy { $0.message?.isStarred == false })
    let starred = try #require(tablet.starredMessages.first)
    try await tablet.context(for: starred.conversation).messenger.unstar(try #require(starred.id))
    #expect(tablet.starredMessages.isEmpty)
    try await clients.alice.stars { $0.isEmpty }
    try await clients.close()
  }

  @Test(
    "Stars are listed for all chats except groups that the user has left, the latest star first", .simulated
  )
  func allChats() async throws {
    let alice = try await stage.client("alice", on: "phone") { $0.inner.abilities.leaving = true }
    alice.start()
    var chats: [ChatContext] = []
    for (chat, text) in [
      (try await alice.open(.direct("bob")), "the address"),
      (try await alice.openGroup(title: "Choir", members: ["bob"]), "the song"),
    ] {
      let id = try await alice.send(TextContent(text), to: chat).result.id
      chats.append(alice.context(for: chat))
      try await chats.last?.messenger.star(id)
      try await chats.last?.list { $0.last?.message.map { $0.isStarred && !$0.hasPendingAction } ?? false }
    }
    #expect(alice.starredMessages.map(\.text) == ["the song", "the address"])
    #expect(alice.starredMessages.map(\.conversation) == chats.reversed().map(\.conversation))
    try await alice.conversations.leave(try #require(chats.last).conversation)
    try await alice.stars { $0.map(\.text) == ["the address"] }
    await alice.close()
  }

  /// Clients with a starred message that a new device does not receive with its first sync.
  private static func starredLongAgo() async throws -> (Trio, LocalMessageID) {
    let clients = try await Trio(stage)
    let (sent, _) = try await clients.write("the address")
    try await clients.chat.messenger.star(sent)
    try await clients.chat.list { $0.last?.message.map { $0.isStarred && !$0.hasPendingAction } ?? false }
    try stage.server.post(
      (1...400).map(String.init), from: "bob", in: try #require(stage.server.rooms().first))
    return (clients, sent)
  }

  @Test("A new device lists starred messages that are not stored there, and can jump to them", .simulated)
  func newDevice() async throws {
    let (clients, _) = try await Self.starredLongAgo()
    let laptop = try await stage.client("alice", on: "laptop")
    laptop.start()
    try await laptop.stars { $0.map(\.text) == ["the address"] }
    let starred = try #require(laptop.starredMessages.first)
    #expect(starred.id == nil)
    let chat = laptop.context(for: starred.conversation)
    try await chat.jump(to: try #require(starred.message.serverID))
    try await laptop.stars { $0.map(\.text) == ["the address"] && $0[0].id != nil }
    await laptop.close()
    try await clients.close()
  }

  @Test(
    "Recalled, deleted and cleared messages are no longer starred", .simulated,
    arguments: ["recall", "delete", "clear"])
  func gone(way: String) async throws {
    let clients = try await Trio(stage)
    let (sent, _) = try await clients.write("the address")
    try await clients.chat.messenger.star(sent)
    #expect(clients.alice.starredMessages.count == 1)
    switch way {
    case "recall": try await clients.chat.messenger.recall(sent)
    case "delete": try await clients.chat.delete([sent])
    default: try await clients.chat.clearAllMessages()
    }
    try await clients.alice.stars { $0.isEmpty }
    try await clients.close()
  }

  @Test("Starred messages are listed after a restart without a network", .simulated)
  func restart() async throws {
    let clients = try await Trio(stage)
    let (sent, _) = try await clients.write("the address")
    stage.server.setReachable(false)
    try await clients.chat.messenger.star(sent)
    await clients.alice.close()
    let again = try await stage.client("alice", on: "alice")
    try await again.stars { $0.map(\.id) == [sent] }
    await again.close()
    for client in [clients.tablet, clients.bob] { await client.close() }
  }

  @Test("A star is refused if the server does not have the message or does not support stars", .simulated)
  func refused() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chat = client.context(for: try await client.open(.direct("bob")))
    let sent = try await chat.messenger.send(TextContent("hi"))
    await #expect(throws: ChatError.self) { try await chat.messenger.star(sent.id) }
    client.start()
    _ = try await sent.result
    await client.close()
    let plain = try await stage.client("alice", on: "phone") { $0.inner.abilities.actions = [.pins] }
    let context = plain.context(for: chat.conversation)
    await #expect(throws: ChatError.self) { try await context.messenger.star(sent.id) }
    await plain.close()
  }

  @Test(
    "A message that was deleted here is not listed as starred again after a server reset",
    .simulated(seeds: 1...2))
  func deletedBeforeReset() async throws {
    let clients = try await Trio(stage)
    let (sent, _) = try await clients.write("the address")
    try await clients.chat.messenger.star(sent)
    try await clients.chat.list { $0.last?.message.map { $0.isStarred && !$0.hasPendingAction } ?? false }
    let backup = stage.server.backup()
    try await clients.chat.delete([sent])
    try await clients.alice.stars { $0.isEmpty }
    stage.server.restore(backup)
    let ref = try #require(stage.server.rooms().first)
    try stage.server.post((1...400).map(String.init), from: "bob", in: ref)
    _ = try await clients.alice.conversations.first { $0.lastMessage?.content.displayedText == "400" }
    // The tablet has not deleted the message.
    try await clients.tablet.stars { $0.count == 1 }
    try await clients.chat.messenger.send(TextContent("later"))
    try await clients.chat.list { $0.last?.message?.status == .sent }
    #expect(clients.alice.starredMessages.isEmpty)
    try await clients.close()
  }

  @Test("A star that was removed before a rejected cursor is not listed any more", .simulated)
  func rejectedCursor() async throws {
    let (clients, sent) = try await Self.starredLongAgo()
    let isDeaf = Mutex(false)
    let isRejecting = Mutex(false)
    let laptop = try await stage.client("alice", on: "laptop") { backend in
      backend.onSync = { cursor, batch in
        if isDeaf.withLock({ $0 }) { throw BackendError(.transient, "Not now.") }
        guard cursor != nil, isRejecting.withLock({ $0 }) else { return batch }
        isRejecting.withLock { $0 = false }
        throw BackendError(.cursorRejected, "What is that?")
      }
    }
    laptop.start()
    try await laptop.stars { $0.map(\.text) == ["the address"] }
    isDeaf.withLock { $0 = true }
    try await clients.chat.messenger.unstar(sent)
    try await clients.alice.stars { $0.isEmpty }
    try await clients.chat.list { $0.allSatisfy { $0.message?.hasPendingAction != true } }
    isRejecting.withLock { $0 = true }
    isDeaf.withLock { $0 = false }
    try await laptop.stars { $0.isEmpty }
    await laptop.close()
    try await clients.close()
  }
}

extension ChatClient {
  /// Waits until the starred messages satisfy a condition.
  fileprivate func stars(where isMet: ([FlaggedMessage]) -> Bool) async throws {
    for await starred in starredMessageUpdates where isMet(starred) { return }
    throw CancellationError()
  }
}

extension FlaggedMessage {
  fileprivate var text: String { content.displayedText }
}
