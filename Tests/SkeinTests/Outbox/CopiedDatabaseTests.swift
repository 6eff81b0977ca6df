import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("Messages in a copied database, which the original device may have sent")
struct CopiedDatabaseTests {
  private static func runtime(_ device: String) -> Runtime {
    var runtime = stage.runtime(named: device)
    runtime.installation = device
    return runtime
  }

  /// A device with a copy of the database in which the messages wait that `compose` sends.
  private static func copy(
    to backend: (MemoryBackend) -> AlteredBackend,
    _ compose: (ChatContext) async throws -> Void
  ) async throws -> (ChatClient, ChatContext) {
    let phone = Self.runtime("phone")
    let original = try await stage.open(
      "alice", MemoryBackend(user: "alice", server: stage.server, runtime: phone), phone, ChatOptions())
    let chat = try await original.open(.direct("bob"))
    try await compose(original.context(for: chat))
    let tablet = Self.runtime("tablet")
    _ = try PowerCut.copyDatabase(in: phone.directory, to: tablet.directory)
    await original.close()
    let inner = MemoryBackend(user: "alice", server: stage.server, runtime: tablet)
    let client = try await stage.open("alice", backend(inner), tablet, ChatOptions())
    client.start()
    return (client, client.context(for: chat))
  }

  @Test("A dependent is uncertain if the message before it becomes uncertain", .simulated)
  func dependents() async throws {
    let (client, context) = try await Self.copy { inner in
      var backend = AlteredBackend(inner: inner)
      backend.onSend = { _ in throw BackendError(.permanent, "No.") }
      return backend
    } _: { context in
      let first = try await context.messenger.send(TextContent("first"))
      _ = try await context.messenger.send(TextContent("second"), after: first.id)
    }
    _ = try await context.list { $0.statuses == [.uncertain, .uncertain] }
    await client.close()
  }

  @Test("A picture is uncertain if its file can't be uploaded", .simulated)
  func uploads() async throws {
    let file = try stage.photo("photo")
    let (client, context) = try await Self.copy { inner in
      var backend = AlteredBackend(inner: inner)
      backend.onUpload = { _, _, _ in throw BackendError(.permanent, "No.") }
      return backend
    } _: { context in
      _ = try await context.messenger.send(ImageContent(file: file))
    }
    _ = try await context.list { $0.statuses == [.uncertain] }
    await client.close()
  }

  @Test(
    "An edit in a copy follows an edit that the original may have made, and is not combined with it",
    .simulated)
  func edits() async throws {
    let phone = Self.runtime("phone")
    let original = try await stage.open(
      "alice", MemoryBackend(user: "alice", server: stage.server, runtime: phone), phone, ChatOptions())
    original.start()
    let chat = try await original.open(.direct("bob"))
    let context = original.context(for: chat)
    let sent = try await context.messenger.send(TextContent("one")).result
    stage.server.setReachable(false)
    try await context.messenger.edit(sent.id, to: TextContent("two"))
    let tablet = Self.runtime("tablet")
    _ = try PowerCut.copyDatabase(in: phone.directory, to: tablet.directory)
    stage.server.setReachable(true)
    try await context.list { $0.last?.message?.hasPendingAction == false }
    await original.close()

    let copy = try await stage.open(
      "alice", MemoryBackend(user: "alice", server: stage.server, runtime: tablet), tablet, ChatOptions())
    let there = copy.context(for: chat)
    try await there.messenger.edit(sent.id, to: TextContent("three"))
    copy.start()
    try await there.list { $0.texts == ["three"] && $0.last?.message?.hasPendingAction == false }
    let ref = try #require(stage.server.rooms().first)
    #expect(stage.server.messages(in: ref).map(\.displayedText) == ["three"])
    await copy.close()
  }
}
