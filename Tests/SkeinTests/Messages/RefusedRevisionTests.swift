import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Refused, late and waiting actions")
struct RefusedRevisionTests {
  @Test("A refused edit leaves the content unchanged, and the message's failure names the reason", .simulated)
  func refused() async throws {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onPerform = { _ in throw BackendError(.permanent, "Too late for that.") }
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("one"))
    _ = try await sent.result
    try await context.messenger.edit(sent.id, to: TextContent("two"))
    let list = try await context.list { $0.last?.message?.failure != nil }
    let message = try #require(list.last?.message)
    #expect(message.content.displayedText == "one")
    #expect(message.status == .sent)
    #expect(message.failure == SendFailure(.refused, "Too late for that."))
    #expect(!message.hasPendingAction)
    await client.close()
  }

  @Test(
    "An edit whose answer is lost is repeated with the same id, also after a restart, and is applied once",
    .simulated)
  func lostAnswer() async throws {
    let ids = Mutex<[ActionID]>([])
    var client = try await stage.client("alice", on: "phone") { backend in
      backend.onPerform = { action in ids.withLock { $0.append(action.id) } }
      backend.onPerformed = { _ in throw BackendError(.transient, "No answer.", outcomeIsUnknown: true) }
      backend.onSync = { cursor, batch in
        var batch = batch
        for index in batch.conversations.indices { batch.conversations[index].revised = [] }
        return batch
      }
    }
    client.start()
    let chat = try await client.open(.direct("bob"))
    let sent = try await client.send(TextContent("one"), to: chat)
    _ = try await sent.result
    try await client.context(for: chat).messenger.edit(sent.id, to: TextContent("two"))
    for await _ in client.sendStates where ids.withLock({ $0.count }) > 1 { break }
    await client.close()

    client = try await stage.client("alice", on: "phone") { backend in
      backend.onPerform = { action in ids.withLock { $0.append(action.id) } }
    }
    client.start()
    try await client.context(for: chat).list { $0.last?.message?.edited != nil }
    await client.close()
    #expect(Set(ids.withLock { $0 }).count == 1)
    let ref = try #require(stage.server.rooms().first)
    #expect(stage.server.messages(in: ref).map(\.revision) == [1])
  }

  @Test(
    "A message that fails keeps the text of its pending edit, and recalling an unsent message removes it",
    .simulated)
  func failedTarget() async throws {
    let isRefusing = Mutex(false)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
      backend.onSend = { [inner = backend.inner] _ in
        while !isRefusing.withLock({ $0 }) { try await inner.runtime.sleep(for: .seconds(1)) }
        throw BackendError(.idInUse, "Something else has this id.")
      }
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let first = try await context.messenger.send(TextContent("one"))
    let second = try await context.messenger.send(TextContent("two"))
    try await context.list { $0.statuses.first == .sending }
    try await context.messenger.edit(first.id, to: TextContent("three"))
    let list = try await context.list { $0.texts.first == "three" }
    #expect(list.first?.message?.hasPendingAction == true)
    isRefusing.withLock { $0 = true }
    let failed = try await context.list { $0.first?.message?.status == .failed }
    #expect(failed.texts.first == "three")
    #expect(failed.first?.message?.hasPendingAction == false)
    try await context.messenger.recall(second.id)
    try await context.list { $0.texts == ["three"] }
    await client.close()
  }

  @Test("An action that waits for an uncertain message does not block other messages", .simulated)
  func uncertainTarget() async throws {
    let posts = Mutex(0)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities = ServerAbilities(
        idempotency: .none, ordering: .dense, echoesMessageID: .never, actions: .all)
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
      backend.onSend = { [inner = backend.inner] message in
        let isFirst = posts.withLock { posts in
          posts += 1
          return posts == 1
        }
        guard isFirst else { return try await inner.send(message) }
        try await inner.runtime.sleep(for: .seconds(5))
        throw BackendError(.transient, "No answer.", outcomeIsUnknown: true)
      }
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let first = try await context.messenger.send(TextContent("one"))
    for await _ in client.sendStates where posts.withLock({ $0 }) == 1 { break }
    try await context.messenger.recall(first.id)
    try await context.messenger.send(TextContent("two"))
    let list = try await context.list { $0.count(.uncertain) == 1 && $0.count(.sent) == 1 }
    #expect(list.compactMap(\.message).contains { $0.isRecalled && $0.hasPendingAction }, "\(list.texts)")
    // A retry sends the message first and then recalls it.
    try await context.messenger.retry(first.id)
    try await context.list { list in
      list.count(.sent) == 2 && list.compactMap(\.message).allSatisfy { !$0.hasPendingAction }
    }
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    let kinds = stage.server.messages(in: ref).map(\.kind)
    #expect(kinds == [TextContent.kind, RecalledContent.kind])
  }

  @Test(
    "A page fetched before an edit does not undo the edit, and a recall discards pending actions", .simulated)
  func olderPage() async throws {
    let pages = Mutex<[HistoryPage]>([])
    let bob = try await stage.client("bob", on: "bob") { backend in
      backend.onPage = { _, page in
        pages.withLock { $0.append(page) }
        return pages.withLock { $0[0] }
      }
      backend.onPerform = { _ in throw BackendError(.unreachable, "Not now.") }
    }
    let alice = try await stage.client("alice", on: "alice")
    alice.start()
    bob.start()
    let own = alice.context(for: try await alice.open(.direct("bob"))).messenger
    let sent = try await own.send(TextContent("one"))
    _ = try await sent.result
    let conversation = try await bob.conversations.first { $0.lastMessage != nil }
    let context = bob.context(for: conversation.id)
    let received = try #require(try await context.list { !$0.isEmpty }.last?.message?.id)
    try await context.fetchNewMessages()
    try await own.edit(sent.id, to: TextContent("two"))
    try await context.list { $0.texts == ["two"] }
    try await context.fetchNewMessages()
    #expect(context.messages.texts == ["two"])
    try await context.messenger.addReaction("👍", to: received)
    try await own.recall(sent.id)
    let list = try await context.list { $0.last?.message?.isRecalled == true }
    let message = try #require(list.last?.message)
    #expect(message.reactions.isEmpty)
    #expect(!message.hasPendingAction)
    await #expect(throws: ChatError.self) { try await context.messenger.addReaction("👍", to: received) }
    await #expect(throws: ChatError.self) { try await bob.forward([received], to: [conversation.id]) }
    await alice.close()
    await bob.close()
  }

  @Test(
    "A page requested before an edit and received after the edit was synced does not undo the edit",
    .simulated)
  func latePage() async throws {
    let alice = try await stage.client("alice", on: "alice")
    alice.start()
    let own = alice.context(for: try await alice.open(.direct("bob"))).messenger
    var ids: [LocalMessageID] = []
    for number in 1...20 {
      let sent = try await own.send(TextContent("\(number)"))
      _ = try await sent.result
      ids.append(sent.id)
    }
    let isFirst = Mutex(true)
    let edited = ids[9]
    var options = ChatOptions()
    options.catchUpPageSize = 5
    let bob = try await stage.client("bob", on: "bob", options: options) { backend in
      backend.onPage = { [runtime = backend.inner.runtime] _, page in
        let isHeldUp = isFirst.withLock { first in
          defer { first = false }
          return first
        }
        if isHeldUp {
          try await own.edit(edited, to: TextContent("edited"))
          try await runtime.sleep(for: .seconds(100))
        }
        return page
      }
    }
    bob.start()
    let conversation = try await bob.conversations.first { $0.lastMessage != nil }
    let context = bob.context(for: conversation.id)
    try await context.list { !$0.isEmpty }
    while context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    #expect(context.messages.texts.contains("edited"))
    await alice.close()
    await bob.close()
  }

  @Test(
    "Actions that the server does not support, or does not allow to this user, are rejected at once",
    .simulated(seeds: 1...1))
  func impossible() async throws {
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities.actions = [.reactions]
    }
    let bob = try await stage.client("bob", on: "bob")
    client.start()
    bob.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("one"))
    await #expect(throws: ChatError.self) { try await context.messenger.addReaction("👍", to: sent.id) }
    _ = try await sent.result
    let isUnsupported = { (error: ChatError?) in error?.code == .unsupported }
    let edit = await #expect(throws: ChatError.self) {
      try await context.messenger.edit(sent.id, to: TextContent("two"))
    }
    let recall = await #expect(throws: ChatError.self) { try await context.messenger.recall(sent.id) }
    #expect(isUnsupported(edit))
    #expect(isUnsupported(recall))
    let conversation = try await bob.conversations.first { $0.lastMessage != nil }
    let bobs = bob.context(for: conversation.id)
    let received = try #require(try await bobs.list { !$0.isEmpty }.last?.message?.id)
    await #expect(throws: ChatError.self) {
      try await bobs.messenger.edit(received, to: TextContent("two"))
    }
    await #expect(throws: ChatError.self) { try await bobs.messenger.recall(received) }
    await client.close()
    await bob.close()
  }

  @Test("A pending edit reaches the server even if its message is deleted or cleared locally", .simulated)
  func deleted() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    var sent: [LocalMessageID] = []
    for text in ["one", "two"] {
      let message = try await context.messenger.send(TextContent(text))
      _ = try await message.result
      sent.append(message.id)
    }
    await client.stop()
    for id in sent { try await context.messenger.edit(id, to: TextContent("edited")) }
    try await context.delete([sent[0]])
    try await context.clearAllMessages()
    client.start()
    for await _ in client.sendStates {
      let ref = try #require(stage.server.rooms().first)
      if stage.server.messages(in: ref).allSatisfy({ $0.displayedText == "edited" }) { break }
    }
    try await context.list { $0.isEmpty }
    await client.close()
  }

  @Test("A reply to a message that was recalled and then refused becomes an ordinary message", .simulated)
  func recalledTarget() async throws {
    let isAnswering = Mutex(false)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
      backend.onSend = { [inner = backend.inner] message in
        guard String(decoding: message.payload, as: UTF8.self).contains("one") else {
          return try await inner.send(message)
        }
        while !isAnswering.withLock({ $0 }) { try await inner.runtime.sleep(for: .seconds(1)) }
        throw BackendError(.permanent, "No.")
      }
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let target = try await context.messenger.send(TextContent("one"))
    try await context.list { $0.statuses == [.sending] }
    let reply = try await context.messenger.send(TextContent("two"), replyingTo: target.id)
    try await context.messenger.recall(target.id)
    isAnswering.withLock { $0 = true }
    let list = try await context.list { $0.statuses == [.failed] }
    #expect(list.first?.message?.quote == nil)
    try await context.messenger.retry(reply.id)
    try await context.list { $0.texts == ["two"] && $0.statuses == [.sent] }
    await client.close()
  }
}
