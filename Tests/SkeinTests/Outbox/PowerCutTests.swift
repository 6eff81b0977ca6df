import Foundation
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Power cuts while sending")
struct PowerCutTests {
  /// The runtime of a device that was started for the `number`-th time.
  private static func runtime(_ number: Int) -> Runtime {
    var runtime = stage.runtime(named: "phone-\(number)")
    runtime.installation = "phone"
    runtime.boot = "boot \(number)"
    return runtime
  }

  /// A device that has sent some messages, and starts again after a power cut during the next attempt.
  private static func cut(after sent: Int) async throws -> ChatClient {
    let runtime = runtime(1)
    let server = MemoryBackend(user: "alice", server: stage.server, runtime: runtime)
    var backend = AlteredBackend(inner: server)
    backend.onSend = { message in
      let receipt = try await server.send(message)
      if stage.server.posts.count == sent + 1 { try await runtime.sleep(for: .seconds(1_000_000)) }
      return receipt
    }
    let client = try await stage.open("alice", backend, runtime, ChatOptions())
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    for number in 0..<sent { _ = try await context.messenger.send(TextContent("\(number)")).result }
    let last = try await context.messenger.send(TextContent("\(sent)"))
    for await state in last.progress where state == .posting { break }
    while stage.server.posts.count <= sent { try await runtime.sleep(for: .milliseconds(1)) }

    let next = Self.runtime(2)
    let lost = try PowerCut.copyDatabase(in: runtime.directory, to: next.directory)
    #expect(lost > 0)
    await client.close()
    let reachable = MemoryBackend(user: "alice", server: stage.server, runtime: next)
    return try await stage.open("alice", reachable, next, ChatOptions())
  }

  @Test(
    "If a power cut loses the record of an attempt, the message is posted again and stored only once",
    .simulated,
    arguments: [0, 1, 2])
  func sendsAgain(sent: Int) async throws {
    let client = try await Self.cut(after: sent)
    client.start()
    let context = try await Self.chat(of: client, with: sent + 1)
    let list = try await context.list { $0.count(.sent) == sent + 1 }
    #expect(list.texts == (0...sent).map(String.init))
    let ref = try #require(await client.conversations.first { $0.ref != nil }.ref)
    #expect(stage.server.messages(in: ref).map(\.messageID) == list.compactMap(\.message).map(\.messageID))
    await client.close()
  }

  @Test(
    "If a power cut loses the record of an attempt, cancelling the message reports an unknown outcome",
    .simulated,
    arguments: [0, 1, 2])
  func canNotBeCancelled(sent: Int) async throws {
    let client = try await Self.cut(after: sent)
    let context = try await Self.chat(of: client, with: sent + 1)
    let last = try #require(context.messages.compactMap(\.message).last)
    #expect(last.content.displayedText == "\(sent)")
    #expect(try await context.messenger.cancel(last.id) == .unknown)
    client.start()
    let list = try await context.list { $0.count(.sent) == sent + 1 }
    #expect(list.texts == (0...sent).map(String.init))
    await client.close()
  }

  @Test("While nothing can be sent, the note that a power cut may lose attempts is not stored", .simulated)
  func noNoteInPauses() async throws {
    let runtime = Self.runtime(1)
    let server = MemoryBackend(user: "alice", server: stage.server, runtime: runtime)
    var backend = AlteredBackend(inner: server)
    backend.inner.abilities.pipelining = true
    let isOver = Mutex(false)
    backend.onPipeline = { messages, report in
      await report(messages[0].id, .failure(BackendError(.unreachable, "There is no network.")))
      try? await runtime.sleep(for: .milliseconds(5))
      for message in messages.dropFirst() {
        await report(message.id, .failure(BackendError(.outOfOrder, "Not this one either.")))
      }
      isOver.withLock { $0 = true }
    }
    let client = try await stage.open("alice", backend, runtime, ChatOptions())
    let chat = try await client.open(.direct("bob"))
    for number in 1...3 { _ = try await client.send(TextContent("\(number)"), to: chat) }
    client.start()
    while !isOver.withLock({ $0 }) { try await runtime.sleep(for: .milliseconds(1)) }
    try await runtime.sleep(for: .milliseconds(5))
    #expect(try await client.store.read { try $0.account()?.unsyncedBoot } == nil)
    await client.close()
  }

  @Test(
    "Messages sent in several conversations at once share one note that a power cut may lose their attempts",
    .simulated)
  func sharedNote() async throws {
    var runtime = Self.runtime(1)
    let state = Mutex((isFull: false, synchronized: 0))
    runtime.gate = { [gate = runtime.gate] sql in
      try gate?(sql)
      state.withLock { state in
        if sql.hasPrefix("PRAGMA synchronous") { state.isFull = sql.hasSuffix("FULL") }
        if sql == "BEGIN IMMEDIATE", state.isFull { state.synchronized += 1 }
      }
    }
    let backend = MemoryBackend(user: "alice", server: stage.server, runtime: runtime)
    let client = try await stage.open("alice", backend, runtime, ChatOptions())
    client.start()
    var chats: [ConversationID] = []
    for user: UserID in ["bob", "carol", "dave", "eve"] {
      chats.append(try await client.open(.direct(user)))
      _ = try await client.send(TextContent("first"), to: chats[chats.count - 1]).result
    }
    await client.stop()
    var sent: [SentMessage] = []
    for chat in chats { sent.append(try await client.send(TextContent("second"), to: chat)) }
    state.withLock { $0.synchronized = 0 }
    client.start()
    for message in sent { _ = try await message.result }
    #expect(state.withLock { $0.synchronized } == 1)
    await client.close()
  }

  private static func chat(of client: ChatClient, with count: Int) async throws -> ChatContext {
    let chats = try await client.conversations.list { !$0.isEmpty }
    let context = client.context(for: try #require(chats.first?.id))
    try await context.list { $0.count == count }
    return context
  }
}
