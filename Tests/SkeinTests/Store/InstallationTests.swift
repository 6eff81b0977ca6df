import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("A copy of a database")
struct InstallationTests {
  @Test("A copied folder takes what was tried for what may have arrived; the original does not")
  func copy() async {
    let failures = await SimulatedRun.play { stage in
      var capabilities = MemoryBackend(user: "a", server: stage.server, runtime: stage.runtime(named: "a"))
        .capabilities
      capabilities.idempotency = .none
      func open(_ device: String) async throws -> ChatClient {
        let runtime = stage.runtime(named: device)
        var backend = MemoryBackend(user: "alice", server: stage.server, runtime: runtime)
        backend.capabilities = capabilities
        return try await ChatClient.open(account: "alice", backend: backend, runtime: runtime)
      }
      let alice = try await open("phone")
      let chat = try await alice.open(.direct("bob"))
      alice.start()
      let ref = try await alice.conversations.first { $0.ref != nil }.ref
      stage.server.fail(next: Array(repeating: .busy(retryAfter: .seconds(60)), count: 2))
      let sent = try await alice.send(TextContent("tried"), to: chat)
      // The first attempt was refused for the moment; the message waits for its second.
      try await alice.context(for: chat).list { $0.last?.message?.status == .sending }
      try await alice.context(for: chat).list { $0.last?.message?.status == .queued }
      await alice.close()
      let (phone, copy) = (stage.folder.appending(path: "phone"), stage.folder.appending(path: "copy"))
      try FileManager.default.copyItem(at: phone, to: copy)

      let copied = try await open("copy")
      copied.start()
      let list = try await copied.context(for: chat).list { $0.last?.message?.status == .uncertain }
      try expect(list.last?.message?.messageID == sent.messageID, "another message")
      await copied.close()
      try expect(stage.server.messages(in: try #require(ref)).isEmpty, "the copy has sent it")

      let original = try await open("phone")
      original.start()
      try await original.context(for: chat).list { $0.last?.message?.status == .sent }
      await original.close()
    }
    #expect(failures == [])
  }
}
