import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Deleting on this device")
struct DeletingTests {
  /// A client that has three messages from Bob in its only chat.
  private func threeMessages(_ stage: SimulatedStage) async throws -> (ChatClient, ChatContext) {
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    for text in ["one", "two", "three"] { _ = try stage.server.post(text, from: "bob", in: ref) }
    let client = try await stage.client("alice", on: "phone")
    client.start()
    let chat = try await client.conversations.first { $0.lastMessage?.content.displayedText == "three" }
    let context = client.context(for: chat.id)
    try await context.list { $0.texts == ["one", "two", "three"] }
    return (client, context)
  }

  private func id(_ text: String, in context: ChatContext) throws -> LocalMessageID {
    let message = context.messages.compactMap(\.message).first { $0.content.displayedText == text }
    return try #require(message?.id)
  }

  @Test(
    "A deleted message stays out of the list, the preview and the count, even after a restart and paging back",
    .simulated)
  func message() async throws {
    var (client, context) = try await self.threeMessages(stage)
    let third = try self.id("three", in: context)
    try await context.delete([third])
    try await context.list { $0.texts == ["one", "two"] }
    await #expect(throws: ChatError.self) { try await context.jump(to: third) }
    let chat = try await client.conversations.first { $0.unreadCount == 2 }
    #expect(chat.lastMessage?.content.displayedText == "two")
    await client.close()

    client = try await stage.client("alice", on: "phone")
    client.start()
    context = client.context(for: chat.id)
    try await context.open()
    try await context.fetchMorePreviousMessages()
    _ = try stage.server.post("four", from: "bob", in: try #require(chat.ref))
    try await context.list { $0.texts == ["one", "two", "four"] }
    #expect(context.messages.allSatisfy { $0.gap == nil })
    _ = try await client.conversations.first { $0.unreadCount == 3 }

    try await context.delete(context.messages.compactMap(\.message?.id))
    try await context.list { $0.isEmpty }
    let empty = try await client.conversations.first { $0.unreadCount == 0 }
    #expect(empty.lastMessage == nil)
    await client.close()
  }

  @Test(
    "A deleted waiting message is never posted; a deleted message that may have arrived stays hidden",
    .simulated)
  func unsent() async throws {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities = ServerAbilities(idempotency: .none, ordering: .dense)
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
      backend.onHistory = { _ in throw BackendError(.permanent, "No history.") }
      backend.onSend = { [inner = backend.inner] message in
        _ = try await inner.send(message)
        throw BackendError(.transient, "No answer.", outcomeIsUnknown: true)
      }
    }
    let chat = try await client.open(.direct("bob"))
    let context = client.context(for: chat)
    let waiting = try await client.send(TextContent("waiting"), to: chat)
    try await context.delete([waiting.id])
    let state = try await waiting.state
    #expect(state == .cancelled)
    let doubtful = try await client.send(TextContent("doubtful"), to: chat)
    client.start()
    try await context.list { $0.statuses == [.uncertain] }
    try await context.delete([doubtful.id])
    try await context.list { $0.isEmpty }
    await client.close()
    #expect(stage.server.posts == [doubtful.messageID])

    let again = try await stage.client("alice", on: "phone")
    again.start()
    for await state in again.catchUpStates where state == .caughtUp { break }
    let list = again.context(for: chat)
    try await list.open()
    #expect(list.messages.isEmpty, "\(list.messages.texts)")
    await again.close()
  }

  @Test("A message that is sent and deleted while a page loads is not shown again by that page", .simulated)
  func duringLoad() async throws {
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    for number in 1...9 { _ = try stage.server.post("\(number)", from: "bob", in: ref) }
    let network = stage.runtime(named: "network")
    var options = ChatOptions()
    options.catchUpPageSize = 2
    let client = try await stage.client("alice", on: "phone", options: options) { backend in
      backend.onHistory = { _ in try await network.sleep(for: .seconds(60)) }
    }
    client.start()
    let chat = try await client.conversations.first { $0.lastMessage != nil }
    let context = client.context(for: chat.id)
    try await context.list { $0.texts == ["8", "9"] }
    let seen = Mutex<[Bool]>([])
    network.spawn {
      for await update in context.changes {
        seen.withLock { $0.append(update.snapshot.texts.contains("own")) }
      }
    }
    let load = network.spawn { try await context.fetchMorePreviousMessages() }
    let sent = try await client.send(TextContent("own"), to: chat.id)
    _ = try await sent.result
    try await context.list { $0.count(.sent) == 3 }
    try await context.delete([sent.id])
    try await load.value
    try await context.list { $0.count == 9 }
    let shown = seen.withLock { $0 }
    let last = shown.lastIndex(of: true) ?? 0
    #expect(shown[...last].drop { !$0 }.allSatisfy { $0 })
    await client.close()
  }

  @Test(
    "Clearing removes stored messages, but not unreceived messages, even if they belong below an own message",
    .simulated)
  func notYetReceived() async throws {
    let isBehind = Mutex(false)
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    _ = try stage.server.post("seen", from: "bob", in: ref)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSync = { _, batch in
        if isBehind.withLock({ $0 }) { throw BackendError(.transient, "No sync.") }
        return batch
      }
    }
    client.start()
    let chat = try await client.conversations.first { $0.lastMessage != nil }
    let context = client.context(for: chat.id)
    try await context.list { $0.texts == ["seen"] }
    isBehind.withLock { $0 = true }
    _ = try stage.server.post("unheard", from: "bob", in: ref)
    let own = try await client.send(TextContent("own"), to: chat.id)
    _ = try await own.result
    try await context.list { $0.texts == ["seen", "own"] }
    try await context.clearAllMessages()
    try await context.list { $0.isEmpty }
    isBehind.withLock { $0 = false }
    try await context.list { $0.texts == ["unheard"] }
    _ = try await client.conversations.first { $0.unreadCount == 1 }
    #expect(!context.hasMorePreviousMessages)
    await client.close()
  }

  @Test("Clearing a chat with only a failed message leaves no gap", .simulated)
  func failedAlone() async throws {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { _ in throw BackendError(.permanent, "The server rejects this.") }
    }
    client.start()
    for await state in client.catchUpStates where state == .caughtUp { break }
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("no"))
    _ = try? await sent.result
    try await context.fetchMorePreviousMessages()
    try await context.list { $0.count(.failed) == 1 }
    try await context.clearAllMessages()
    try await context.list { $0.isEmpty }
    let ref = try #require(stage.server.rooms().first)
    _ = try stage.server.post("hello", from: "bob", in: ref)
    try await context.list { $0.texts == ["hello"] }
    #expect(!context.messages.contains { $0.gap != nil })
    await client.close()
  }

  @Test("Cleared messages count as read on the account's other devices, which keep them", .simulated)
  func readElsewhere() async throws {
    let (phone, onPhone) = try await self.threeMessages(stage)
    let laptop = try await stage.client("alice", on: "laptop")
    laptop.start()
    let chat = try await laptop.conversations.first { $0.unreadCount == 3 }
    try await onPhone.clearAllMessages()
    _ = try await laptop.conversations.first { $0.unreadCount == 0 }
    try await laptop.context(for: chat.id).list { $0.texts == ["one", "two", "three"] }
    await phone.close()
    await laptop.close()
  }

  @Test("A deleted conversation leaves the list, and comes back with only the next message", .simulated)
  func conversation() async throws {
    let (client, context) = try await self.threeMessages(stage)
    let id = context.conversation
    try await client.conversations.delete(id)
    try await client.conversations.list { $0.isEmpty }
    try await context.list { $0.isEmpty }
    let ref = try #require(stage.server.rooms().first)
    _ = try stage.server.post("four", from: "bob", in: ref)
    let chat = try await client.conversations.first { $0.lastMessage != nil }
    #expect(chat.id == id)
    #expect(chat.unreadCount == 1)
    try await context.list { $0.texts == ["four"] }
    #expect(!context.hasMorePreviousMessages)

    try await client.conversations.delete(id)
    try await client.conversations.list { $0.isEmpty }
    let opened = try await client.open(.direct("bob"))
    #expect(opened == id)
    try await client.conversations.list { $0.map(\.id) == [id] }
    await client.close()
  }

  @Test(
    "A deleted conversation also comes back when a sync returns the deleted messages and omits the new ones",
    .simulated)
  func conversationInGap() async throws {
    let isBehind = Mutex(false)
    let ref = try stage.server.open(.direct("alice"), by: "bob").ref
    _ = try stage.server.post("seen", from: "bob", in: ref)
    var options = ChatOptions()
    options.catchUpPageSize = 2
    let client = try await stage.client("alice", on: "phone", options: options) { backend in
      backend.onSync = { _, batch in
        if isBehind.withLock({ $0 }) { throw BackendError(.transient, "No sync.") }
        return batch
      }
    }
    client.start()
    let chat = try await client.conversations.first { $0.lastMessage != nil }
    isBehind.withLock { $0 = true }
    _ = try stage.server.post("unheard", from: "bob", in: ref)
    for text in ["one", "two", "three"] {
      _ = try await client.send(TextContent(text), to: chat.id).result
    }
    try await client.conversations.delete(chat.id)
    try await client.conversations.list { $0.isEmpty }
    isBehind.withLock { $0 = false }
    try await client.conversations.list { $0.map(\.id) == [chat.id] && $0.first?.unreadCount == 1 }
    let context = client.context(for: chat.id)
    try await context.fetchMorePreviousMessages()
    try await context.list { $0.texts == ["unheard"] }
    await client.close()
  }

  @Test(
    "A deleted message is forwarded neither as a copy nor merged into another message",
    .simulated(seeds: 1...2))
  func forwarding() async throws {
    let (client, context) = try await self.threeMessages(stage)
    let gone = try self.id("one", in: context)
    try await context.delete([gone])
    await #expect(throws: ChatError.self) { try await client.forward([gone], to: [context.conversation]) }
    await #expect(throws: ChatError.self) {
      try await client.forward(merged: [gone], title: "t", to: context.conversation)
    }
    await client.close()
  }
}
