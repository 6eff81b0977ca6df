import Foundation
import Skein
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@Suite("Edits, recalls and reactions")
struct RevisingTests {
  @Test(
    "An edit is shown at once, and reaches the other user and the sender's other device with the time of the edit",
    .simulated)
  func edit() async throws {
    let clients = try await Trio(stage)
    let (sent, others) = try await clients.write("helo")
    stage.server.setReachable(false)
    try await clients.chat.messenger.edit(sent, to: TextContent("hello"))
    let edited = try await clients.chat.list { $0.texts == ["hello"] }
    let shown = try #require(edited.last?.message)
    #expect(shown.hasPendingAction)
    #expect(shown.edited == nil)
    #expect(shown.status == .sent)
    stage.server.setReachable(true)
    for context in [clients.chat] + others {
      let list = try await context.list {
        $0.last?.message?.edited != nil && $0.last?.message?.hasPendingAction == false
      }
      #expect(list.texts == ["hello"])
    }
    try await clients.close()
    #expect(stage.server.posts.count == 1)
  }

  @Test("A message edited before it is sent is sent once and is not marked as edited", .simulated)
  func editUnsent() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chat = try await client.open(.direct("bob"))
    let sent = try await client.send(TextContent("helo"), to: chat)
    try await client.context(for: chat).messenger.edit(sent.id, to: TextContent("hello"))
    client.start()
    let message = try await sent.result
    #expect(message.content.displayedText == "hello")
    #expect(message.edited == nil)
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    let stored = stage.server.messages(in: ref)
    #expect(stored.map(\.displayedText) == ["hello"])
    #expect(stored[0].revision == 0)
  }

  @Test(
    "A message edited while it waits for a connection is sent with the new text and is not marked as edited",
    .simulated)
  func editUnreached() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    let chat = try await client.open(.direct("bob"))
    _ = try await client.send(TextContent("first"), to: chat).result
    stage.server.setReachable(false)
    let sent = try await client.send(TextContent("helo"), to: chat)
    for await status in client.sendStates where status.state(of: sent.id) == .waitingForConnection { break }
    try await client.context(for: chat).messenger.edit(sent.id, to: TextContent("hello"))
    stage.server.setReachable(true)
    let message = try await sent.result
    #expect(message.content.displayedText == "hello")
    #expect(message.edited == nil)
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    let stored = stage.server.messages(in: ref)
    #expect(stored.map(\.displayedText) == ["first", "hello"])
    #expect(stored[1].revision == 0)
  }

  @Test(
    "An edit between two send attempts is not undone by an earlier edit that was made during the first attempt",
    .simulated)
  func editBetweenAttempts() async throws {
    let isAnswered = Mutex(false), isReachable = Mutex(false)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { [inner = backend.inner] message in
        while !isAnswered.withLock({ $0 }) { try await inner.runtime.sleep(for: .milliseconds(10)) }
        guard isReachable.withLock({ $0 }) else { throw BackendError(.transient, "It did not arrive.") }
        return try await inner.send(message)
      }
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("one"))
    for await status in client.sendStates {
      if case .posting = status.state(of: sent.id) { break }
    }
    try await context.messenger.edit(sent.id, to: TextContent("two"))
    isAnswered.withLock { $0 = true }
    for await status in client.sendStates {
      if case .waiting = status.state(of: sent.id) { break }
    }
    try await context.messenger.edit(sent.id, to: TextContent("three"))
    isReachable.withLock { $0 = true }
    _ = try await sent.result
    let list = try await context.list { $0.last?.message?.hasPendingAction == false }
    #expect(list.texts == ["three"])
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    #expect(stage.server.messages(in: ref).map(\.displayedText) == ["three"])
  }

  @Test("A message that is recalled during an attempt that fails is not posted again", .simulated)
  func recallBetweenAttempts() async throws {
    let isAnswered = Mutex(false), attempts = Mutex(0)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { [inner = backend.inner] message in
        attempts.withLock { $0 += 1 }
        while !isAnswered.withLock({ $0 }) { try await inner.runtime.sleep(for: .milliseconds(10)) }
        guard attempts.withLock({ $0 }) > 1 else { throw BackendError(.transient, "It did not arrive.") }
        return try await inner.send(message)
      }
    }
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    let sent = try await context.messenger.send(TextContent("secret"))
    for await status in client.sendStates {
      if case .posting = status.state(of: sent.id) { break }
    }
    try await context.messenger.recall(sent.id)
    isAnswered.withLock { $0 = true }
    await #expect(throws: (any Error).self) { try await sent.result }
    let list = try await context.list { $0.last?.message.map { !$0.hasPendingAction } ?? true }
    #expect(list.isEmpty)
    _ = try await context.messenger.send(TextContent("next")).result
    await client.close()
    #expect(attempts.withLock { $0 } == 2)
    let ref = try #require(stage.server.rooms().first)
    #expect(stage.server.messages(in: ref).map(\.displayedText) == ["next"])
  }

  @Test(
    "If the answer to a message is lost, edits of the message are posted after it, and the last edit counts",
    .simulated)
  func editInFlight() async throws {
    stage.server.fail(next: [.responseLost, .requestLost])
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
    }
    client.start()
    let chat = try await client.open(.direct("bob"))
    let context = client.context(for: chat)
    let sent = try await client.send(TextContent("one"), to: chat)
    for await _ in client.sendStates where !stage.server.posts.isEmpty { break }
    for text in ["two", "three"] { try await context.messenger.edit(sent.id, to: TextContent(text)) }
    try await context.list { $0.last?.message.map { $0.edited != nil && !$0.hasPendingAction } ?? false }
    #expect(context.messages.texts == ["three"])
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    let stored = stage.server.messages(in: ref)
    #expect(stored.map(\.displayedText) == ["three"])
    #expect(stored[0].revision == 1)
  }

  @Test(
    "Clearing or deleting a message before its receipt arrives also removes the actions on the message",
    .simulated,
    arguments: [true, false])
  func clearedBefore(isCleared: Bool) async throws {
    stage.server.fail(next: [.responseLost])
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
    }
    client.start()
    let chat = try await client.open(.direct("bob"))
    let context = client.context(for: chat)
    let sent = try await client.send(TextContent("one"), to: chat)
    for await _ in client.sendStates where !stage.server.posts.isEmpty { break }
    try await context.messenger.edit(sent.id, to: TextContent("two"))
    let outcome = try await context.messenger.cancel(sent.id)
    #expect(outcome == .unknown)
    if isCleared { try await context.clearAllMessages() } else { try await context.delete([sent.id]) }
    await #expect(throws: ChatError.self) { try await context.messenger.retry(sent.id) }
    try await client.erase()
  }

  @Test(
    "A recall removes the message from devices that were away, and its text from every database", .simulated)
  func recall() async throws {
    let clients = try await Trio(stage)
    let (sent, others) = try await clients.write("the secret word is mellon")
    await clients.bob.close()
    try await clients.chat.messenger.recall(sent)
    try await clients.chat.list { $0.last?.message?.isRecalled == true }
    try await clients.chat.list { $0.last?.message?.hasPendingAction == false }
    let bob = try await stage.client("bob", on: "bob")
    bob.start()
    let conversation = try await bob.conversations.first { $0.lastMessage?.isRecalled == true }
    let list = try await bob.context(for: conversation.id).list { !$0.isEmpty }
    let content = list.last?.message?.content.as(RecalledContent.self)
    #expect(content?.by == "alice")
    await bob.close()
    try await others[0].list { $0.last?.message?.isRecalled == true }
    try await clients.close()
    for device in ["alice", "tablet", "bob"] {
      let file = stage.folder.appending(path: device).appending(path: "chat.sqlite")
      let found = try Inspection.read(file) {
        try $0.scalar(
          Int.self, "SELECT count(*) FROM message WHERE instr(CAST(payload AS TEXT), 'mellon') > 0")
      }
      #expect(found == 0, "\(device) still has the word")
    }
  }

  @Test(
    "If a message was never posted, a recall removes it; if it may have arrived, the recall is posted after it",
    .simulated)
  func recallUnsent() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chat = try await client.open(.direct("bob"))
    let context = client.context(for: chat)
    let early = try await client.send(TextContent("never"), to: chat)
    try await context.messenger.recall(early.id)
    try await context.list { $0.isEmpty }
    stage.server.fail(next: [.responseLost, .requestLost])
    client.start()
    let late = try await client.send(TextContent("too late"), to: chat)
    for await _ in client.sendStates where !stage.server.posts.isEmpty { break }
    try await context.messenger.recall(late.id)
    try await context.list { $0.last?.message?.isRecalled == true }
    try await context.list { $0.last?.message.map { !$0.hasPendingAction } ?? false }
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    let stored = stage.server.messages(in: ref)
    #expect(stored.map(\.kind) == [RecalledContent.kind])
  }

  @Test(
    "Simultaneous reactions of two users are shown to both, and a removed reaction disappears for both",
    .simulated)
  func reactions() async throws {
    let clients = try await Trio(stage)
    let (sent, others) = try await clients.write("up?")
    let bobs = others[1]
    let received = try #require(bobs.messages.last?.message?.id)
    try await clients.chat.messenger.addReaction("👍", to: sent)
    try await bobs.messenger.addReaction("👍", to: received)
    try await bobs.messenger.addReaction("🎉", to: received)
    try await bobs.list {
      $0.last?.message?.reactions.contains { $0.key == "🎉" && $0.isBy("bob") } ?? false
    }
    for context in [clients.chat] + others {
      let list = try await context.list {
        $0.last?.message.map { !$0.hasPendingAction && $0.reactions.map(\.count).reduce(0, +) == 3 }
          ?? false
      }
      let reactions = list.last?.message?.reactions ?? []
      #expect(Set(reactions.map(\.key)) == ["👍", "🎉"])
      #expect(Set(reactions.first { $0.key == "👍" }?.users ?? []) == ["alice", "bob"])
    }
    try await bobs.messenger.removeReaction("👍", from: received)
    for context in [clients.chat] + others {
      try await context.list {
        $0.last?.message?.reactions.first { $0.key == "👍" }?.users == ["alice"]
      }
    }
    try await clients.close()
  }

  @Test(
    "Changes of reactions are not sent if they change nothing or are undone offline",
    .simulated)
  func secondThoughts() async throws {
    let revisions = Mutex(0)
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onPerform = { _ in revisions.withLock { $0 += 1 } }
    }
    client.start()
    let chat = try await client.open(.direct("bob"))
    let context = client.context(for: chat)
    let sent = try await client.send(TextContent("hm"), to: chat)
    _ = try await sent.result
    await client.stop()
    try await context.messenger.addReaction("👍", to: sent.id)
    try await context.messenger.addReaction("👍", to: sent.id)
    try await context.messenger.removeReaction("👍", from: sent.id)
    try await context.messenger.removeReaction("👎", from: sent.id)
    client.start()
    try await context.list {
      $0.last?.message.map { !$0.hasPendingAction && $0.reactions.isEmpty } ?? false
    }
    try await context.messenger.addReaction("🎉", to: sent.id)
    try await context.list { $0.last?.message?.reactions.isEmpty == false }
    try await context.list { $0.last?.message?.hasPendingAction == false }
    await client.close()
    #expect(revisions.withLock { $0 } == 1)
  }
}

/// Alice with two devices, and Bob, in one chat.
struct Trio {
  let alice: ChatClient
  let tablet: ChatClient
  let bob: ChatClient
  let chat: ChatContext

  init(_ stage: SimulatedStage) async throws {
    alice = try await stage.client("alice", on: "alice")
    tablet = try await stage.client("alice", on: "tablet")
    bob = try await stage.client("bob", on: "bob")
    for client in [alice, tablet, bob] { client.start() }
    chat = alice.context(for: try await alice.open(.direct("bob")))
  }

  /// Sends a message from Alice and waits until all devices have it.
  func write(_ text: String) async throws -> (LocalMessageID, others: [ChatContext]) {
    let sent = try await chat.messenger.send(TextContent(text))
    _ = try await sent.result
    var others: [ChatContext] = []
    for client in [tablet, bob] {
      let conversation = try await client.conversations.first {
        $0.lastMessage?.content.displayedText == text
      }
      let context = client.context(for: conversation.id)
      try await context.list { $0.texts.last == text }
      others.append(context)
    }
    return (sent.id, others)
  }

  func close() async throws {
    for client in [alice, tablet, bob] { await client.close() }
  }
}
