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

  @Test("Clearing the chat takes it away, fails what waits for it, and leaves what else waits")
  func clearing() async {
    let failures = await SimulatedRun.play(seeds: 1...3) { stage in
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
      guard case .failed(let failure) = try await copy.state, failure.code == .cancelled else {
        throw Unexpected(what: "\(try await copy.state)")
      }
      client.start()
      _ = try await waiting.result
      await client.close()
    }
    #expect(failures == [])
  }
}
