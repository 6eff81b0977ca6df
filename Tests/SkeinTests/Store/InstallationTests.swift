import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("Copied and moved databases")
struct InstallationTests {
  @Test("In a copied folder an attempted message is uncertain; in the original folder it is sent", .simulated)
  func copy() async throws {
    var abilities = MemoryBackend(user: "a", server: stage.server, runtime: stage.runtime(named: "a"))
      .abilities
    abilities.idempotency = .none
    func open(_ device: String) async throws -> ChatClient {
      let runtime = stage.runtime(named: device)
      var backend = MemoryBackend(user: "alice", server: stage.server, runtime: runtime)
      backend.abilities = abilities
      return try await ChatClient.open(account: "alice", backend: backend, runtime: runtime)
    }
    let alice = try await open("phone")
    let chat = try await alice.open(.direct("bob"))
    alice.start()
    let ref = try await alice.conversations.first { $0.ref != nil }.ref
    stage.server.fail(next: Array(repeating: .busy(retryAfter: .seconds(60)), count: 2))
    let sent = try await alice.send(TextContent("tried"), to: chat)
    // The first attempt failed temporarily; the message waits for its second attempt.
    try await alice.context(for: chat).list { $0.last?.message?.status == .sending }
    try await alice.context(for: chat).list { $0.last?.message?.status == .queued }
    await alice.close()
    let (phone, copy) = (stage.folder.appending(path: "phone"), stage.folder.appending(path: "copy"))
    try FileManager.default.copyItem(at: phone, to: copy)

    let copied = try await open("copy")
    copied.start()
    let list = try await copied.context(for: chat).list { $0.last?.message?.status == .uncertain }
    #expect(list.last?.message?.messageID == sent.messageID)
    await copied.close()
    #expect(stage.server.messages(in: try #require(ref)).isEmpty)

    let original = try await open("phone")
    original.start()
    try await original.context(for: chat).list { $0.last?.message?.status == .sent }
    await original.close()
  }

  @Test(
    "If the server already has a waiting message of a copied folder, it is found there and not posted again",
    .simulated(seeds: 1...3))
  func sentSince() async throws {
    func open(_ device: String) async throws -> ChatClient {
      try await stage.client("alice", on: device) { backend in
        backend.inner.abilities = ServerAbilities(idempotency: .none, ordering: .dense)
        // Sync fails, so only a lookup finds the message.
        backend.onSync = { _, _ in throw BackendError(.transient, "No sync.") }
      }
    }
    let original = try await open("phone")
    let chat = try await original.open(.direct("bob"))
    let sent = try await original.send(TextContent("once"), to: chat)
    await original.stop()
    let (phone, copy) = (stage.folder.appending(path: "phone"), stage.folder.appending(path: "copy"))
    try FileManager.default.copyItem(at: phone, to: copy)
    original.start()
    _ = try await sent.result
    await original.close()

    let copied = try await open("copy")
    copied.start()
    try await copied.context(for: chat).list { $0.statuses == [.sent] }
    #expect(stage.server.posts.count == 1)
    await copied.close()
  }

  @Test(
    "A moved folder, as after an app update, still has the files of waiting messages",
    .simulated(seeds: 1...2))
  func moved() async throws {
    var client = try await stage.client("alice", on: "phone")
    let file = stage.folder.appending(path: "picture.png")
    try Data(repeating: 7, count: 1000).write(to: file)
    let chat = try await client.open(.direct("bob"))
    try await client.send(ImageContent(file: file), to: chat)
    await client.close()
    let (phone, moved) = (stage.folder.appending(path: "phone"), stage.folder.appending(path: "moved"))
    try FileManager.default.moveItem(at: phone, to: moved)

    client = try await stage.client("alice", on: "moved")
    client.start()
    let list = try await client.context(for: chat).list { $0.count(.sent) + $0.count(.failed) == 1 }
    #expect(list.count(.sent) == 1, "\(String(describing: list.first?.message?.failure))")
    await client.close()
  }
}
