import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("A message whose outcome stays unknown")
struct UncertainTargetTests {
  /// A client whose server can't tell what became of the first post.
  private func client(_ stage: SimulatedStage) async throws -> ChatClient {
    let posts = Mutex(0)
    return try await stage.client("alice", on: "phone") { backend in
      backend.inner.capabilities = BackendCapabilities(
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

  @Test("What waits for it does not keep the chats up, and it can be sent again")
  func dependents() async {
    let failures = await SimulatedRun.play { stage in
      let client = try await client(stage)
      let chats = [try await client.open(.direct("bob")), try await client.open(.direct("carol"))]
      let first = try await client.send(TextContent("first"), to: chats[0])
      let copies = try await client.forward([first.id], to: chats)
      let after = [
        try await client.send(TextContent("after"), to: chats[0]),
        try await client.send(TextContent("after"), to: chats[1]),
      ]
      client.start()
      for message in after { _ = try await message.result }
      for copy in copies {
        let state = try await copy.state
        try expect(state.isEnd, "\(state)")
      }
      try await client.messenger(for: chats[0], retrying: first)
      _ = try await first.result
      await client.close()
    }
    #expect(failures == [])
  }

  @Test("Clearing the chat takes it away, and nothing that still waits")
  func clearing() async {
    let failures = await SimulatedRun.play(seeds: 1...3) { stage in
      let client = try await client(stage)
      let context = client.context(for: try await client.open(.direct("bob")))
      try await context.messenger.send(TextContent("perhaps"))
      client.start()
      try await context.list { $0.statuses == [.uncertain] }
      await client.stop()
      let waiting = try await context.messenger.send(TextContent("waits"))
      try await context.clearAllMessages()
      try await context.list { $0.texts == ["waits"] }
      client.start()
      _ = try await waiting.result
      await client.close()
    }
    #expect(failures == [])
  }
}

extension ChatClient {
  fileprivate func messenger(for chat: ConversationID, retrying message: SentMessage) async throws {
    try await context(for: chat).messenger.retry(message.id)
  }
}
