import Skein
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

@Suite("Disks that can't be read for a while")
struct FailingReadTests {
  @Test("Lists that could not be read are read again although nothing changes", .simulated)
  func lists() async throws {
    let isReadable = Mutex(true)
    var runtime = stage.runtime(named: "bob")
    runtime.gate = { statement in
      guard statement.hasPrefix("SELECT"), !isReadable.withLock({ $0 }) else { return }
      throw StorageError(.io, "The disk can't be read.")
    }
    let backend = MemoryBackend(user: "bob", server: stage.server, runtime: runtime)
    let bob = try await stage.open("bob", backend, runtime, ChatOptions())
    let chat = try await bob.open(.direct("alice"))
    _ = try await bob.send(TextContent("1"), to: chat)
    isReadable.withLock { $0 = false }
    let context = bob.context(for: chat)
    let conversations = bob.conversations
    try await stage.runtime(named: "stage").sleep(for: .seconds(30))
    #expect(context.messages.isEmpty)
    isReadable.withLock { $0 = true }
    try await context.list { $0.texts == ["1"] }
    _ = try await conversations.list { $0.map(\.id) == [chat] }
    await bob.close()
  }
}
