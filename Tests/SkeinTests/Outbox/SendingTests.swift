import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Sending")
struct SendingTests {
  @Test("A message is listed before the network is used, and is sent after a restart", .simulated)
  func offlineThenRestart() async throws {
    var client = try await stage.client("alice", on: "phone")
    let chat = try await client.open(.direct("bob"))
    for number in 1...3 { try await client.send(TextContent("\(number)"), to: chat) }
    let list = try await client.context(for: chat).list { $0.count == 3 }
    #expect(list.statuses == [.queued, .queued, .queued])
    #expect(stage.server.posts.isEmpty)
    await client.close()

    client = try await stage.client("alice", on: "phone")
    client.start()
    try await client.context(for: chat).list { $0.count(.sent) == 3 }
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    #expect(stage.server.messages(in: ref).map(\.displayedText) == ["1", "2", "3"])
  }

  @Test(
    "A lane stores the receipt of a message and the start of the next message in one transaction",
    .simulated)
  func oneTransaction() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chat = try await client.open(.direct("bob"))
    for number in 1...10 { try await client.send(TextContent("\(number)"), to: chat) }
    let transactions = Mutex(0)
    let subscription = client.store.feed.subscribe { changes in
      if changes.parts.contains(where: { !$0.messages.isEmpty }) { transactions.withLock { $0 += 1 } }
    }
    client.start()
    try await client.context(for: chat).list { $0.count(.sent) == 10 }
    client.store.feed.unsubscribe(subscription)
    // Eleven transactions of the lane instead of twenty, and those of the syncs that return the messages meanwhile.
    #expect(transactions.withLock { $0 } < 20)
    await client.close()
  }

  @Test("A receipt that can't be stored does not hold back the message after it", .simulated)
  func receiptNotStored() async throws {
    let stores = Mutex<[ChatStore]>([])
    let client = try await stage.client("alice", on: "phone") { backend in
      let inner = backend.inner
      backend.onSend = { message in
        let receipt = try await inner.send(message)
        // Once, the epoch changes before the receipt is stored, so the receipt is of an earlier epoch.
        if let store = stores.withLock({ $0.popLast() }) {
          try await store.write(.kill) { try EpochChange($0).begin(Epoch(rawValue: "other")) }
        }
        return receipt
      }
    }
    let chat = try await client.open(.direct("bob"))
    for number in 1...3 { try await client.send(TextContent("\(number)"), to: chat) }
    stores.withLock { $0 = [client.store] }
    client.start()
    try await stage.runtime(named: "stage").sleep(for: .seconds(600))
    let list = try await client.context(for: chat).list { $0.count == 3 }
    #expect(list.texts == ["1", "2", "3"])
    #expect(list.statuses == [.sent, .sent, .sent])
    let ref = try #require(stage.server.rooms().first)
    #expect(stage.server.messages(in: ref).map(\.displayedText) == ["1", "2", "3"])
    await client.close()
  }

  @Test("Lost responses lead to further attempts with the same id, and to one message", .simulated)
  func lostResponse() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    stage.server.fail(next: [.responseLost, .responseLost])
    let chat = try await client.open(.direct("bob"))
    let sent = try await client.send(TextContent("once"), to: chat)
    let message = try await sent.result
    #expect(message.status == .sent)
    #expect(message.id == sent.id)
    await client.close()
    let ref = try #require(stage.server.rooms().first)
    #expect(Set(stage.server.posts) == [sent.messageID])
    #expect(stage.server.messages(in: ref).count == 1)
  }

  @Test(
    "A refused message states the reason and keeps its place while others are sent; a retry sends it last",
    .simulated)
  func refusal() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    stage.server.fail(next: [.none, .refused])
    let chat = try await client.open(.direct("bob"))
    let context = client.context(for: chat)
    for text in ["a", "refused", "b", "c"] { try await client.send(TextContent(text), to: chat) }
    var list = try await context.list { $0.count(.sent) == 3 }
    #expect(list.texts == ["a", "refused", "b", "c"])
    let refused = list.compactMap(\.message).filter { $0.status == .failed }
    let failed = try #require(refused.first)
    #expect(failed.failure?.code == .refused)

    try await context.messenger.retry(failed.id)
    list = try await context.list { $0.count(.sent) == 4 }
    #expect(list.texts == ["a", "b", "c", "refused"])
    await #expect(throws: ChatError.self) { try await context.messenger.retry(failed.id) }
    await client.close()
  }

  @Test("A retry sends the edit that was made meanwhile", .simulated(seeds: 1...20))
  func editedDuringRetry() async throws {
    let client = try await stage.client("alice", on: "phone")
    client.start()
    stage.server.fail(next: [.refused])
    let chat = try await client.open(.direct("bob"))
    let context = client.context(for: chat)
    let sent = try await client.send(TextContent("a"), to: chat)
    _ = try await context.list { $0.count(.failed) == 1 }
    async let retry: Void = context.messenger.retry(sent.id)
    try await context.messenger.edit(sent.id, to: TextContent("edited"))
    try await retry
    let list = try await context.list { $0.count(.sent) == 1 }
    #expect(list.texts == ["edited"])
    await client.close()
  }

  @Test(
    "A failed message stays where it was composed, while others wait and after they are sent",
    .simulated)
  func failedAmongWaiting() async throws {
    var options = ChatOptions()
    options.sendParticipants = [NoSwearing()]
    let client = try await stage.client("alice", on: "phone", options: options)
    let context = client.context(for: try await client.open(.direct("bob")))
    for text in ["one", "two", "darn", "four"] { try await context.messenger.send(TextContent(text)) }
    var list = try await context.list { $0.count == 4 }
    #expect(list.texts == ["one", "two", "darn", "four"])
    client.start()
    list = try await context.list { $0.count(.sent) == 3 }
    #expect(list.texts == ["one", "two", "darn", "four"])
    try await context.messenger.send(TextContent("darn again"))
    try await context.messenger.send(TextContent("six"))
    list = try await context.list { $0.count(.sent) == 4 }
    #expect(list.texts == ["one", "two", "darn", "four", "darn again", "six"])
    await client.close()
  }

  @Test("Waiting for the result of a message throws when the client is closed", .simulated)
  func closedWhileWaiting() async throws {
    let client = try await stage.client("alice", on: "phone")
    let sent = try await client.send(TextContent("waits"), to: try await client.open(.direct("bob")))
    let stageRuntime = stage.runtime(named: "stage")
    let waiting = stageRuntime.spawn { _ = try await sent.result }
    try await stageRuntime.sleep(for: .seconds(1))
    await client.close()
    await #expect(throws: StorageError.self) { try await waiting.value }
  }

  @Test(
    "An image is uploaded from a copy, so the original file may be deleted before the message is sent",
    .simulated)
  func upload() async throws {
    let client = try await stage.client("alice", on: "phone")
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 100_000).write(to: file)
    let chat = try await client.open(.direct("bob"))
    let sent = try await client.send(ImageContent(file: file), to: chat)
    try await client.send(TextContent("after"), to: chat)
    try FileManager.default.removeItem(at: file)
    client.start()
    let message = try await sent.result
    let media = message.content.as(ImageContent.self)?.image.media
    #expect(media?.id == "media-100000")
    try await client.context(for: chat).list { $0.count(.sent) == 2 }
    // Sync may have returned the picture before its receipt arrived, and the receipt removes the copy.
    try await stage.runtime(named: "stage").sleep(for: .seconds(1))
    let ref = try #require(stage.server.rooms().first)
    let kinds = stage.server.messages(in: ref).map(\.kind)
    #expect(Set(kinds) == ["image", "text"])
    #expect(kinds.count == 2)
    await client.close()
    // If sync returned the message and the receipt was lost, the copy is removed when the next client opens.
    let again = try await stage.client("alice", on: "phone")
    await again.close()
    let copies = stage.folder.appending(path: "phone/outgoing").path
    let left = try FileManager.default.contentsOfDirectory(atPath: copies)
    #expect(left.isEmpty)
  }

  @Test(
    "Opening a client removes file copies without a stored message, and keeps those of waiting messages",
    .simulated)
  func orphanedCopy() async throws {
    var client = try await stage.client("alice", on: "phone")
    let file = stage.folder.appending(path: "picture.png")
    try Data("pixels".utf8).write(to: file)
    let chat = try await client.open(.direct("bob"))
    let sent = try await client.send(ImageContent(file: file), to: chat)
    await client.close()
    let copies = stage.folder.appending(path: "phone/outgoing")
    try Data("pixels".utf8).write(to: copies.appending(path: "never-stored-0"))
    client = try await stage.client("alice", on: "phone")
    let left = try FileManager.default.contentsOfDirectory(atPath: copies.path)
    #expect(left == ["\(sent.messageID.rawValue)-0"])
    await client.close()
  }

  @Test("Sending a file that can't be read fails at once, and nothing is stored", .simulated(seeds: 1...1))
  func missingFile() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chat = try await client.open(.direct("bob"))
    let missing = stage.folder.appending(path: "nowhere.png")
    let error = try await #require(throws: ChatError.self) {
      try await client.send(ImageContent(file: missing), to: chat)
    }
    #expect(error.code == .attachmentUnreadable)
    let context = client.context(for: chat)
    try await context.open()
    #expect(context.messages.isEmpty)
    await client.close()
  }

  @Test(
    "A content that is larger than the server stores is rejected at once, and nothing is stored",
    .simulated(seeds: 1...1))
  func largestContent() async throws {
    let client = try await stage.client("alice", on: "phone") { $0.inner.abilities.largestContent = 30 }
    let chat = try await client.open(.direct("bob"))
    let sent = try await client.send(TextContent(String(repeating: "a", count: 19)), to: chat)
    let large = TextContent(String(repeating: "a", count: 20))
    let sending = try await #require(throws: ChatError.self) { try await client.send(large, to: chat) }
    #expect(sending.code == .contentTooLarge)
    let context = client.context(for: chat)
    try await context.open()
    let editing = try await #require(throws: ChatError.self) {
      try await context.messenger.edit(sent.id, to: large)
    }
    #expect(editing.code == .contentTooLarge)
    #expect(context.messages.texts == [String(repeating: "a", count: 19)])
    await client.close()
  }

  @Test("If one of two files can't be read, the copy of the other is removed", .simulated(seeds: 1...1))
  func missingPoster() async throws {
    let client = try await stage.client("alice", on: "phone")
    let chat = try await client.open(.direct("bob"))
    let film = stage.folder.appending(path: "film.mp4")
    try Data("film".utf8).write(to: film)
    let missing = stage.folder.appending(path: "nowhere.png")
    var video = VideoContent(.file(film, type: "video/mp4"))
    video.poster = .file(missing, type: "image/png")
    let content = video
    await #expect(throws: ChatError.self) { try await client.send(content, to: chat) }
    let copies = stage.folder.appending(path: "phone/outgoing").path
    let left = try FileManager.default.contentsOfDirectory(atPath: copies)
    #expect(left.isEmpty)
    await client.close()
  }

  @Test(
    "If the server refuses a conversation, the messages in it fail with the reason that the server gave",
    .simulated(seeds: 1...3))
  func conversationRefused() async throws {
    let runtime = stage.runtime(named: "phone")
    let backend = RefusingBackend(inner: MemoryBackend(user: "alice", server: stage.server, runtime: runtime))
    let client = try await ChatClient.open(account: "alice", backend: backend, runtime: runtime)
    let chat = try await client.open(.direct("nobody"))
    try await client.send(TextContent("hello?"), to: chat)
    client.start()
    let list = try await client.context(for: chat).list { $0.count(.failed) == 1 }
    #expect(list.first?.message?.failure?.message == "There is no such user.", "\(list.texts)")
    let refused = try await client.conversations.list { $0.first?.failure != nil }
    #expect(refused.first?.failure?.message == "There is no such user.")
    // The next message asks the server again, and its failure has the server's text only once.
    let again = try await client.send(TextContent("hello again?"), to: chat)
    let failure = try await #require(throws: SendFailure.self) { try await again.result }
    #expect(failure.message == "There is no such user.")
    #expect(failure.code == .conversationRefused)
    await client.close()
  }
}

/// A server without users.
private struct RefusingBackend: ChatBackend {
  let inner: MemoryBackend
  var capabilities: BackendCapabilities { inner.capabilities }
  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    try await inner.run(since: cursor, receive)
  }
  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    try await inner.sync(since: cursor, limit: limit)
  }
  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    try await inner.history(of: conversation, at: anchor, limit: limit)
  }
  func send(_ message: OutgoingMessage) async throws -> SendReceipt { try await inner.send(message) }
  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    throw BackendError(.permanent, "There is no such user.")
  }
}

private struct NoSwearing: SendParticipant {
  func intercept(_ draft: inout MessageDraft) -> SendDecision {
    draft.content.displayedText.contains("darn")
      ? .reject(SendFailure(.rejected, "Not here."), keepsMessage: true) : .proceed
  }
}
