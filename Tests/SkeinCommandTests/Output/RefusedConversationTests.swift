import Foundation
import Skein
import Testing

@testable import SkeinCommand

@Suite("A refused conversation is shown with the reason")
struct RefusedConversationTests {
  @Test(
    "The reason is printed once as an event, and is in the list of conversations and the record for scripts")
  func refusal() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let client = try await ChatClient.open(
      account: "alice", backend: RefusingBackend(), runtime: .system(directory: folder))
    let id = try await client.open(.direct("nobody"))
    try await client.send(TextContent("Hello?"), to: id)
    var before: Conversation?
    var after: Conversation?
    client.start()
    for await update in client.conversations.changes {
      guard let conversation = update.snapshot.first else { continue }
      if conversation.failure == nil { before = conversation } else { after = conversation }
      if after != nil { break }
    }
    await client.close()
    let refused = try #require(after)

    var plain = PlainSurface(account: "alice")
    let step = ListStep.changed(from: before ?? refused, to: refused, at: 0)
    #expect(plain.text(for: .conversation(step)) == "-- nobody: There is no user nobody.\n")
    #expect(plain.text(for: .conversation(step)) == "")
    #expect(plain.text(for: .list([refused])) == "  nobody: There is no user nobody.\n")
    guard case .conversation(_, let record) = EventRecord(.conversation(step)) else {
      Issue.record("not a conversation")
      return
    }
    #expect(record.reason == "There is no user nobody.")
  }
}

/// A server that refuses every conversation.
struct RefusingBackend: ChatBackend {
  var capabilities: BackendCapabilities {
    BackendCapabilities(idempotency: .forever, ordering: .dense)
  }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    await receive(.connected)
    // The channel stays open until the client cancels it.
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    SyncBatch(
      from: cursor, next: SyncCursor(rawValue: "1"), epoch: Epoch(rawValue: "e"), hasMore: false,
      conversations: [])
  }

  func history(of: ConversationRef, at: HistoryAnchor, limit: Int) async throws -> HistoryPage {
    throw BackendError(.permanent, "There is nothing.")
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    throw BackendError(.permanent, "There is nowhere to send it.")
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    throw BackendError(.permanent, "There is no user nobody.")
  }
}
