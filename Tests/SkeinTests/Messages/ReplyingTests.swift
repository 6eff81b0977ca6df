import Foundation
import Skein
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@Suite("Replies and their quotes")
struct ReplyingTests {
  @Test(
    "A reply shows its original on all devices, with later edits, until the original is recalled",
    .simulated)
  func everywhere() async throws {
    let clients = try await Trio(stage)
    let (sent, others) = try await clients.write("shall we mett?")
    let received = try #require(others[1].messages.last?.message?.id)
    let reply = try await others[1].messenger.send(TextContent("yes"), replyingTo: received)
    let list = try await others[1].list { $0.last?.message?.quote != nil }
    let here = try #require(list.last?.message?.quote)
    #expect(here.id == received)
    #expect(here.content?.displayedText == "shall we mett?")
    _ = try await reply.result
    for context in [clients.chat] + others {
      let quote = try await context.list { $0.texts.last == "yes" }.last?.message?.quote
      #expect(quote?.content?.displayedText == "shall we mett?")
      #expect(quote?.id == context.messages.first?.message?.id)
    }
    try await clients.chat.messenger.edit(sent, to: TextContent("shall we meet?"))
    for context in [clients.chat] + others {
      try await context.list { $0.last?.message?.quote?.content?.displayedText == "shall we meet?" }
    }
    try await clients.chat.messenger.recall(sent)
    for context in [clients.chat] + others {
      try await context.list { $0.last?.message?.quote?.isRecalled == true }
    }
    try await clients.chat.list { $0.first?.message?.hasPendingAction == false }
    try await clients.close()
    for device in ["alice", "tablet", "bob"] {
      let file = stage.folder.appending(path: device).appending(path: "chat.sqlite")
      let quotes = try Inspection.read(file) {
        try $0.rows(String.self, "SELECT CAST(quote AS TEXT) FROM message WHERE quote IS NOT NULL")
      }
      try #require(quotes.count == 1, "\(device): \(quotes)")
      #expect(quotes[0].contains(#""kind":"recalled""#), "\(device): \(quotes)")
    }
  }

  @Test(
    "A reply to an unsent message is sent after that message, fails with it, and is retried only after it",
    .simulated)
  func pending() async throws {
    stage.server.fail(next: [.refused])
    let client = try await stage.client("alice", on: "phone")
    let context = client.context(for: try await client.open(.direct("bob")))
    let first = try await context.messenger.send(TextContent("one"))
    let reply = try await context.messenger.send(TextContent("two"), replyingTo: first.id)
    try await context.list { $0.last?.message?.quote?.id == first.id }
    client.start()
    let list = try await context.list { $0.count(.failed) == 2 }
    #expect(list.last?.message?.failure?.code == .refused)
    await #expect(throws: ChatError.self) { try await context.messenger.retry(reply.id) }
    await #expect(throws: ChatError.self) {
      try await context.messenger.send(TextContent("three"), replyingTo: first.id)
    }
    try await context.messenger.retry(first.id)
    try await context.messenger.retry(reply.id)
    try await context.list { $0.count(.sent) == 2 }
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    let stored = stage.server.messages(in: ref)
    #expect(stored.map(\.displayedText) == ["one", "two"])
    #expect(stored.last?.quote?.message.messageID == first.messageID)
  }

  @Test(
    "The server's quote of a message in a gap follows edits, and has a link once the message is received",
    .simulated)
  func inGap() async throws {
    let clients = try await Gap(stage, says: true)
    try await clients.bobs.list { $0.last?.message?.quote?.content?.displayedText == "1" }
    #expect(clients.bobs.messages.last?.message?.quote?.id == nil)
    try await clients.own.edit(clients.first, to: TextContent("one"))
    try await clients.bobs.list { $0.last?.message?.quote?.content?.displayedText == "one" }
    let name = try #require(clients.bobs.messages.last?.message?.quote?.message.serverID)
    try await clients.bobs.jump(to: name)
    try await clients.bobs.jumpToNewest()
    let quote = try await clients.bobs.list { $0.last?.message?.quote?.id != nil }.last?.message?.quote
    #expect(quote?.content?.displayedText == "one")
    await clients.close()
  }

  @Test(
    "If quotes come without content, a reply shows its original once the original has been received",
    .simulated)
  func names() async throws {
    let clients = try await Gap(stage, says: false)
    try await clients.bobs.list { $0.last?.message?.quote?.sender == "alice" }
    #expect(clients.bobs.messages.last?.message?.quote?.content == nil)
    while clients.bobs.hasMorePreviousMessages { try await clients.bobs.fetchMorePreviousMessages() }
    try await clients.bobs.list { $0.last?.message?.quote?.content?.displayedText == "1" }
    await clients.close()
  }

  @Test("If a message in a gap is recalled while Bob is offline, replies show it as recalled", .simulated)
  func recalledInGap() async throws {
    var clients = try await Gap(stage, says: true)
    try await clients.bobs.list { $0.last?.message?.quote?.content?.displayedText == "1" }
    await clients.bob.close()
    try await clients.own.recall(clients.first)
    try await clients.alices.list { $0.first?.message.map { !$0.hasPendingAction } ?? false }
    clients.bob = try await stage.client("bob", on: "bob")
    clients.bob.start()
    let bobs = clients.bob.context(for: clients.bobs.conversation)
    let quote = try await bobs.list { $0.last?.message?.quote?.isRecalled == true }.last?.message?.quote
    #expect(quote?.id == nil)
    await clients.close()
  }

  @Test("Replies show only the sender of a deleted original, and have no link to a cleared one", .simulated)
  func deleted() async throws {
    let clients = try await Trio(stage)
    let (sent, others) = try await clients.write("one")
    let reply = try await clients.chat.messenger.send(TextContent("two"), replyingTo: sent)
    _ = try await reply.result
    try await clients.chat.delete([sent])
    let quote = try await clients.chat.list { $0.texts == ["two"] }.last?.message?.quote
    #expect(quote?.sender == "alice")
    #expect(quote?.content == nil)
    #expect(quote?.id == nil)
    try await others[1].list { $0.texts == ["one", "two"] }
    try await others[1].clearAllMessages()
    let again = try await clients.chat.messenger.send(TextContent("three"), replyingTo: reply.id)
    _ = try await again.result
    let last = try await others[1].list { $0.texts == ["three"] }.last?.message?.quote
    #expect(last?.id == nil)
    #expect(last?.sender == "alice")
    try await clients.close()
  }

  @Test("An invalid reply is refused at once, and nothing is stored of it", .simulated(seeds: 1...1))
  func impossible() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    let one = client.context(for: try await client.open(.direct("bob")))
    let other = client.context(for: try await client.open(.direct("carol")))
    let sent = try await one.messenger.send(TextContent("one"))
    _ = try await sent.result
    await #expect(throws: ChatError.self) {
      try await other.messenger.send(TextContent("two"), replyingTo: sent.id)
    }
    await #expect(throws: ChatError.self) {
      try await one.messenger.send(TextContent("two"), replyingTo: LocalMessageID(rawValue: 99))
    }
    try await one.messenger.recall(sent.id)
    await #expect(throws: ChatError.self) {
      try await one.messenger.send(TextContent("two"), replyingTo: sent.id)
    }
    await client.close()
    let plain = try await stage.client("dora", on: "dora") { $0.inner.abilities.replies = false }
    plain.start()
    let chat = plain.context(for: try await plain.open(.direct("bob")))
    let own = try await chat.messenger.send(TextContent("one"))
    _ = try await own.result
    let error = await #expect(throws: ChatError.self) {
      try await chat.messenger.send(TextContent("two"), replyingTo: own.id)
    }
    #expect(error?.code == .unsupported)
    #expect(chat.messages.texts == ["one"])
    await plain.close()
  }

  @Test(
    "A reply to a message that was cancelled is an ordinary message, and can be sent",
    .simulated(seeds: 1...3))
  func cancelledTarget() async throws {
    let client = try await stage.client("alice", on: "phone")
    let context = client.context(for: try await client.open(.direct("bob")))
    let first = try await context.messenger.send(TextContent("one"))
    let reply = try await context.messenger.send(TextContent("two"), replyingTo: first.id)
    #expect(try await context.messenger.cancel(first.id) == .cancelled)
    try await context.list { $0.count(.failed) == 1 && $0.last?.message?.quote == nil }
    try await context.messenger.retry(reply.id)
    client.start()
    try await context.list { $0.count(.sent) == 1 }
    await client.close()
    let stored = stage.server.messages(in: try #require(stage.server.rooms().first))
    #expect(stored.map(\.displayedText) == ["two"] && stored.last?.quote == nil)
  }

  @Test(
    "A reply that still waits names its target by the server's id, even if the target was cleared here",
    .simulated)
  func clearedTarget() async throws {
    let named = Mutex<MessageReference?>(nil)
    let isHeld = Mutex(true)
    let photo = try stage.photo("photo")
    let client = try await stage.client("alice", on: "phone") { backend in
      backend.onSend = { [inner = backend.inner] message in
        if let target = message.replyTo { named.withLock { $0 = target } }
        return try await inner.send(message)
      }
      backend.beforeUpload = { [runtime = backend.inner.runtime] in
        while isHeld.withLock({ $0 }) { try await runtime.sleep(for: .seconds(1)) }
      }
    }
    let context = client.context(for: try await client.open(.direct("bob")))
    let target = try await context.messenger.send(TextContent("one"))
    let reply = try await context.messenger.send(ImageContent(file: photo), replyingTo: target.id)
    client.start()
    let serverID = try await target.result.serverID
    let ref = try #require(stage.server.rooms().first)
    try stage.server.post("two", from: "bob", in: ref)
    try await context.list { $0.texts.contains("two") }
    try await context.clearAllMessages()
    try await context.list { $0.count == 1 }
    isHeld.withLock { $0 = false }
    _ = try await reply.result
    #expect(serverID != nil)
    #expect(named.withLock { $0?.serverID } == serverID)
    await client.close()
  }
}

/// Alice has written twenty messages and a reply to the first. Bob has the last five of these 21 messages.
private struct Gap {
  let alice: ChatClient
  var bob: ChatClient
  let alices: ChatContext
  let bobs: ChatContext
  let first: LocalMessageID

  var own: ChatMessenger { alices.messenger }

  /// - Parameter says: whether syncs return the contents of quoted messages.
  init(_ stage: SimulatedStage, says: Bool) async throws {
    alice = try await stage.client("alice", on: "alice")
    alice.start()
    alices = alice.context(for: try await alice.open(.direct("bob")))
    var ids: [LocalMessageID] = []
    for number in 1...20 {
      let sent = try await alices.messenger.send(TextContent("\(number)"))
      _ = try await sent.result
      ids.append(sent.id)
    }
    first = ids[0]
    _ = try await alices.messenger.send(TextContent("reply"), replyingTo: first).result
    var options = ChatOptions()
    options.catchUpPageSize = 5
    bob = try await stage.client("bob", on: "bob", options: options) { backend in
      guard !says else { return }
      backend.onSync = { _, batch in
        var batch = batch
        for index in batch.conversations.indices {
          batch.conversations[index].messages = batch.conversations[index].messages.map(Self.silenced)
        }
        return batch
      }
    }
    bob.start()
    let conversation = try await bob.conversations.first { $0.lastMessage != nil }
    bobs = bob.context(for: conversation.id)
    try await bobs.list { $0.texts.last == "reply" }
  }

  private static func silenced(_ message: IncomingMessage) -> IncomingMessage {
    var message = message
    message.quote = message.quote.map { IncomingQuote(message: $0.message) }
    return message
  }

  func close() async {
    await alice.close()
    await bob.close()
  }
}
