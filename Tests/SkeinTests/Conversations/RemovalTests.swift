import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Removing a contact")
struct RemovalTests {
  /// A client with three contacts, and a chat with one of them, Bob, who has sent two messages.
  private func chat(
    _ stage: SimulatedStage, options: ChatOptions = ChatOptions(),
    altering alter: (inout AlteredBackend) -> Void = { _ in }
  ) async throws -> (ChatClient, ConversationID, ConversationRef) {
    for name in ["carol", "dave"] { stage.server.put(.friend(name), of: "alice") }
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    for text in ["one", "two"] { try stage.server.post(text, from: "bob", in: ref) }
    let alice = try await stage.contactClient("alice", on: "phone", options: options, altering: alter)
    alice.start()
    try await alice.contacts.list { $0.count == 3 }
    let chat = try await alice.conversations.first { $0.unreadCount == 2 }
    return (alice, chat.id, ref)
  }

  @Test(
    "A removed contact's conversation is neither listed nor counted, even when late messages arrive",
    .simulated)
  func closing() async throws {
    var (alice, id, ref) = try await self.chat(stage)
    stage.server.removeContact(.user("bob"), of: "alice")
    try await alice.conversations.list { $0.isEmpty }
    #expect(alice.conversations.unreadCount == 0)
    try stage.server.post("late", from: "bob", in: ref)
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    let error = try await #require(throws: ChatError.self) {
      try await alice.send(TextContent("too late"), to: id)
    }
    #expect(error.code == .conversationClosed)
    await alice.close()

    alice = try await stage.contactClient("alice", on: "phone")
    alice.start()
    for await state in alice.catchUpStates where state == .caughtUp { break }
    try await alice.conversations.open()
    #expect(alice.conversations.conversations.isEmpty)

    stage.server.put(.friend("bob"), of: "alice")
    let back = try await alice.conversations.first { $0.unreadCount == 3 }
    #expect(back.id == id)
    #expect(back.lastMessage?.content.displayedText == "late")
    let context = alice.context(for: id)
    try await context.list { $0.texts == ["one", "two", "late"] }
    try await alice.send(TextContent("hello again"), to: id)
    try await context.list { $0.count(.sent) == 4 }
    await alice.close()
  }

  @Test(
    "A sync that is under way when a contact is removed neither adds nor restores the conversation",
    .simulated,
    arguments: [false, true])
  func onItsWay(isKnown: Bool) async throws {
    let server = stage.server
    for name in ["bob", "carol", "dave"] { server.put(.friend(name), of: "alice") }
    let late = Mutex<SyncBatch?>(nil)
    let isHeld = Mutex(!isKnown)
    let alice = try await stage.contactClient("alice", on: "phone") { backend in
      backend.onSync = { cursor, batch in
        let isHeld = isHeld.withLock { $0 }
        if !isHeld, let late = late.withLock({ $0 }) { return late }
        guard isHeld, let cursor, !batch.conversations.isEmpty else { return batch }
        late.withLock { $0 = batch }
        server.removeContact(.user("bob"), of: "alice")
        return SyncBatch(
          from: cursor, next: cursor, epoch: batch.epoch, conversations: [],
          contactVersion: server.contactVersion(of: "alice"))
      }
    }
    alice.start()
    try await alice.contacts.list { $0.count == 3 }
    for await state in alice.catchUpStates where state == .caughtUp { break }
    let ref = try server.open(.direct("alice"), by: "bob").ref
    if isKnown {
      try await alice.conversations.list { $0.count == 1 }
      isHeld.withLock { $0 = true }
    }
    try server.post("one", from: "bob", in: ref)
    try await alice.contacts.list { $0.count == 2 }
    if isKnown { try await alice.conversations.list { $0.isEmpty } }
    isHeld.withLock { $0 = false }
    try await stage.runtime(named: "stage").sleep(for: .seconds(120))
    let taken = late.withLock { $0 != nil }
    #expect(taken)
    #expect(alice.conversations.conversations.isEmpty)
    await alice.close()
  }

  @Test(
    "When a contact is removed, waiting messages are listed as failed, or as uncertain if they may have arrived",
    .simulated)
  func pending() async throws {
    let (alice, id, _) = try await self.chat(stage) { backend in
      backend.onSend = { message in
        if message.displayedText == "doubtful" {
          throw BackendError(.transient, "No answer.", outcomeIsUnknown: true)
        }
        throw BackendError(.transient, "Not now.", retryAfter: .seconds(3600))
      }
    }
    let context = alice.context(for: id)
    try await alice.send(TextContent("doubtful"), to: id)
    try await alice.send(TextContent("waiting"), to: id)
    try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    stage.server.removeContact(.user("bob"), of: "alice")
    try await alice.conversations.list { $0.isEmpty }
    let failed = try await alice.failedMessages()
    #expect(failed.map(\.status) == [.uncertain, .failed])
    #expect(failed.allSatisfy { $0.failure?.code == .recipientRemoved }, "\(failed.map(\.failure))")
    #expect(try await alice.waitingMessages().isEmpty)
    // Failed messages stay where they were composed; uncertain ones are last.
    try await context.list { $0.statuses == [.sent, .sent, .failed, .uncertain] }
    await alice.close()
  }

  @Test(
    "A message that is being posted while the contact is removed is listed as failed if the attempt fails",
    .simulated)
  func underWay() async throws {
    let clock = stage.runtime(named: "clock")
    let isUnderWay = Mutex(false)
    let (alice, id, _) = try await self.chat(stage) { backend in
      backend.onSend = { _ in
        isUnderWay.withLock { $0 = true }
        try await clock.sleep(for: .seconds(120))
        throw BackendError(.unreachable, "The network is down.")
      }
    }
    try await alice.send(TextContent("under way"), to: id)
    while !isUnderWay.withLock({ $0 }) { try await clock.sleep(for: .milliseconds(10)) }
    stage.server.removeContact(.user("bob"), of: "alice")
    try await alice.conversations.list { $0.isEmpty }
    try await clock.sleep(for: .seconds(180))
    let failed = try await alice.failedMessages()
    let texts = failed.map(\.content.displayedText)
    #expect(texts == ["under way"])
    await alice.close()
  }

  @Test(
    "The contact's messages are deleted at the first start after the retention time, or at once if that is zero",
    .simulated(seeds: 1...2))
  func purging() async throws {
    var (alice, id, ref) = try await self.chat(stage)
    stage.server.removeContact(.user("bob"), of: "alice")
    try await alice.conversations.list { $0.isEmpty }
    await alice.close()
    var options = ChatOptions()
    options.keepRemovedFor = .seconds(60)
    try await stage.runtime(named: "stage").sleep(for: .seconds(61))
    alice = try await stage.contactClient("alice", on: "phone", options: options)
    var context = alice.context(for: id)
    try await context.list { $0.texts == ["one", "two"] }
    alice.start()
    try await context.list { $0.isEmpty }

    // The contact is back, and sync returns its chat from the beginning.
    stage.server.put(.friend("bob"), of: "alice")
    try await alice.conversations.list { $0.first?.unreadCount == 2 }
    try await context.list { $0.texts == ["one", "two"] }
    await alice.close()

    options.keepRemovedFor = .zero
    alice = try await stage.contactClient("alice", on: "phone", options: options)
    context = alice.context(for: id)
    try await context.list { $0.texts == ["one", "two"] }
    alice.start()
    stage.server.removeContact(.user("bob"), of: "alice")
    try await context.list { $0.isEmpty }
    try stage.server.post("late", from: "bob", in: ref)
    await alice.close()
  }

  @Test(
    "A conversation that is opened again while its messages are being deleted keeps the remaining messages",
    .simulated(seeds: 1...2))
  func openedWhilePurging() async throws {
    let alice = try await stage.contactClient("alice", on: "phone")
    let chat = try await alice.open(.direct("bob"))
    try await alice.send(TextContent("kept"), to: chat)
    let isDone = try await alice.store.write(.kill) { try ConversationEnds($0).purge(chat) }
    let waiting = try await alice.waitingMessages()
    #expect(isDone)
    #expect(waiting.count == 1)
    await alice.close()
  }

  @Test("Opening the chat again restores the contact, also on the server", .simulated)
  func openedAgain() async throws {
    let (alice, id, _) = try await self.chat(stage)
    stage.server.removeContact(.user("bob"), of: "alice")
    try await alice.conversations.list { $0.isEmpty }
    let again = try await alice.open(.direct("bob"))
    #expect(again == id)
    try await alice.send(TextContent("sorry"), to: id)
    try await alice.contacts.list { $0.count == 3 }
    try await alice.context(for: id).list { $0.last?.message?.status == .sent }
    #expect(alice.conversations.conversations.count == 1)
    await alice.close()
  }

  @Test(
    "A chat that was opened again closes if the complete contact list does not contain the chat's contact",
    .simulated)
  func removedOnceMore() async throws {
    let server = stage.server
    let (alice, _, _) = try await self.chat(stage) { backend in
      backend.onContacts = { _ in
        ContactDelta(
          from: nil, next: server.contactVersion(of: "alice"), isFull: true,
          changed: server.contacts(of: "alice").present)
      }
      backend.onOpen = { request in
        // Another device removes the contact with whom this one has just opened a chat.
        defer { server.removeContact(.user("bob"), of: "alice") }
        return try server.open(request, by: "alice")
      }
    }
    server.removeContact(.user("bob"), of: "alice")
    try await alice.conversations.list { $0.isEmpty }
    _ = try await alice.open(.direct("bob"))
    try await alice.conversations.list { $0.count == 1 }
    try await alice.conversations.list { $0.isEmpty }
    await alice.close()
  }

  @Test(
    "A chat that returns before all its messages were removed has a gap where the removed ones were",
    .simulated)
  func returnsWhilePurging() async throws {
    let (alice, id, ref) = try await self.chat(stage)
    try stage.server.post((3...600).map(String.init), from: "bob", in: ref)
    let context = alice.context(for: id)
    try await context.list { $0.texts.last == "600" }
    try await EpochTests.fillAll(context)
    stage.server.removeContact(.user("bob"), of: "alice")
    try await alice.conversations.list { $0.isEmpty }
    let isDone = try await alice.store.write(.kill) { try ConversationEnds($0).purge(id) }
    #expect(!isDone)
    stage.server.put(.friend("bob"), of: "alice")
    try await alice.conversations.list { $0.count == 1 }
    try stage.server.post("601", from: "bob", in: ref)
    try await context.jumpToNewest()
    try await context.list { $0.texts.last == "601" }
    try await EpochTests.fillAll(context)
    try await context.jumpToNewest()
    var texts = Set(context.messages.texts)
    while context.hasMorePreviousMessages {
      try await context.fetchMorePreviousMessages()
      texts.formUnion(context.messages.texts)
    }
    #expect(Set(["one", "two"] + (3...601).map(String.init)).subtracting(texts).isEmpty)
    await alice.close()
  }
}

extension OutgoingMessage {
  fileprivate var displayedText: String {
    String(decoding: payload, as: UTF8.self).split(separator: "\"").last { $0 != "}" }.map(String.init) ?? ""
  }
}
