import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Uncertain messages and their dependents")
struct UncertainTargetTests {
  /// A client whose first post has an unknown outcome that can't be resolved.
  private func client(_ stage: SimulatedStage) async throws -> ChatClient {
    let posts = Mutex(0)
    return try await stage.client("alice", on: "phone") { backend in
      backend.inner.abilities = ServerAbilities(
        idempotency: .none, ordering: .dense, echoesMessageID: .never)
      backend.onSend = { [inner = backend.inner] message in
        let count = posts.withLock {
          $0 += 1
          return $0
        }
        if count == 1 { throw BackendError(.transient, "No answer.", outcomeIsUnknown: true) }
        return try await inner.send(message)
      }
    }
  }

  @Test(
    "Messages that depend on an uncertain message fail and block no chat, and all can be sent again",
    .simulated)
  func dependents() async throws {
    let client = try await client(stage)
    let chats = [try await client.open(.direct("bob")), try await client.open(.direct("carol"))]
    let first = try await client.context(for: chats[0]).messenger.send(TextContent("first"))
    let copies = try await client.forward([first.id], to: chats)
    var after: [SentMessage] = []
    for chat in chats {
      after.append(try await client.context(for: chat).messenger.send(TextContent("after")))
    }
    client.start()
    for message in after { _ = try await message.result }
    for copy in copies {
      guard case .failed(let failure) = try await copy.state, failure.code == .outcomeUnknown else {
        throw Unexpected(what: "\(try await copy.state)")
      }
    }
    try await client.context(for: chats[0]).messenger.retry(first.id)
    try await client.context(for: chats[1]).messenger.retry(copies[1].id)
    _ = try await first.result
    let copy = try await copies[1].result
    #expect(copy.content.displayedText == "first")
    await client.close()
  }

  @Test(
    "Clearing the chat removes the uncertain message and keeps the waiting ones", .simulated(seeds: 1...3))
  func clearing() async throws {
    let client = try await client(stage)
    let context = client.context(for: try await client.open(.direct("bob")))
    let perhaps = try await context.messenger.send(TextContent("perhaps"))
    let copy = try await client.forward([perhaps.id], to: [try await client.open(.direct("carol"))])[0]
    client.start()
    try await context.list { $0.statuses == [.uncertain] }
    await client.stop()
    let waiting = try await context.messenger.send(TextContent("waits"))
    try await context.clearAllMessages()
    try await context.list { $0.texts == ["waits"] }
    guard case .failed(let failure) = try await copy.state, failure.code == .outcomeUnknown else {
      throw Unexpected(what: "\(try await copy.state)")
    }
    client.start()
    _ = try await waiting.result
    await client.close()
  }
}
