import Foundation
import Skein
import SkeinSimulation
import Synchronization
import Testing

@Suite("Power cuts while sending")
struct PowerCutTests {
  /// The runtime of a device that was started for the `number`-th time.
  private static func runtime(_ number: Int) -> Runtime {
    var runtime = stage.runtime(named: "phone-\(number)")
    runtime.installation = "phone"
    runtime.boot = "boot \(number)"
    return runtime
  }

  /// A device that has sent "first", and lost power while the server took "second".
  private static func cutDuringSecond() async throws -> ChatClient {
    let runtime = runtime(1)
    let server = MemoryBackend(user: "alice", server: stage.server, runtime: runtime)
    var backend = AlteredBackend(inner: server)
    backend.onSend = { message in
      let receipt = try await server.send(message)
      if stage.server.posts.count == 2 { try await runtime.sleep(for: .seconds(1_000_000)) }
      return receipt
    }
    let client = try await stage.open("alice", backend, runtime, ChatOptions())
    client.start()
    let context = client.context(for: try await client.open(.direct("bob")))
    _ = try await context.messenger.send(TextContent("first")).result
    let second = try await context.messenger.send(TextContent("second"))
    for await state in second.progress where state == .posting { break }
    while stage.server.posts.count < 2 { try await runtime.sleep(for: .milliseconds(1)) }

    let next = Self.runtime(2)
    #expect(try PowerCut.copyDatabase(in: runtime.directory, to: next.directory) > 0)
    await client.close()
    let reachable = MemoryBackend(user: "alice", server: stage.server, runtime: next)
    return try await stage.open("alice", reachable, next, ChatOptions())
  }

  @Test("Attempts that a power cut loses are made again, and the server has each message once", .simulated)
  func sendsAgain() async throws {
    let client = try await Self.cutDuringSecond()
    client.start()
    let context = try await Self.chat(of: client)
    let list = try await context.list { $0.count(.sent) == 2 && $0.count == 2 }
    #expect(list.texts == ["first", "second"])
    let ref = try #require(client.conversations.conversations.first?.ref)
    #expect(stage.server.messages(in: ref).map(\.messageID) == list.compactMap(\.message).map(\.messageID))
    await client.close()
  }

  @Test("A message whose attempt was lost by a power cut is not taken for unsent", .simulated)
  func canNotBeCancelled() async throws {
    let client = try await Self.cutDuringSecond()
    let context = try await Self.chat(of: client)
    let second = try #require(context.messages.compactMap(\.message).last)
    #expect(second.content.displayedText == "second")
    #expect(try await context.messenger.cancel(second.id) == .unknown)
    client.start()
    let list = try await context.list { $0.count(.sent) == 2 && $0.count == 2 }
    #expect(list.texts == ["first", "second"])
    await client.close()
  }

  private static func chat(of client: ChatClient) async throws -> ChatContext {
    let chats = try await client.conversations.list { !$0.isEmpty }
    let context = client.context(for: try #require(chats.first?.id))
    try await context.list { $0.count == 2 }
    return context
  }
}
