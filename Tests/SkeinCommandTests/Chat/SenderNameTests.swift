import Foundation
import Skein
import SkeinCards
import Testing

@testable import SkeinCommand

@Suite("Names of senders in a terminal", .timeLimit(.minutes(1)))
struct SenderNameTests {
  @Test("A sender has the name of the one-to-one chat with the sender, and otherwise the id")
  func names() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let client = try await ChatClient.open(
      account: "@alice:a", backend: NamingBackend(), runtime: .system(directory: folder))
    client.start()
    try await client.conversations.open()
    for await update in client.conversations.changes where update.snapshot.count == 2 { break }
    let group = try #require(client.conversations.conversations.first { $0.type == .group })
    let chat = client.context(for: group.id)
    try await chat.open()
    for await update in chat.changes where update.snapshot.compactMap(\.message).count == 2 { break }

    let desk = ChatDesk(client, output: SilentOutput())
    let cards = MessageCardViewModelFactory(for: chat, registry: .command, delegate: desk)
    var plain = PlainSurface(account: "@alice:a")
    var screen = TerminalSurface(width: 80, height: 24, style: Style(isOn: false))
    for (number, item) in chat.messages.filter({ $0.message != nil }).enumerated() {
      let card = try cards.card(for: #require(item.message))
      let event = ChatEvent.message(.inserted(item, at: number, isMove: false), card)
      for text in [plain.text(for: event), screen.text(for: event)] {
        #expect(text.contains(number == 0 ? "Robert" : "@carol:a") && !text.contains("@bob:a"), "\(text)")
      }
    }
    await client.close()
  }
}

private struct SilentOutput: ChatOutput {
  let isRead = false
  func show(_ events: [ChatEvent]) async {}
}

/// A server with a one-to-one chat that has a title, and a group with a message of its user and one of somebody else.
private struct NamingBackend: ChatBackend {
  var capabilities: BackendCapabilities { BackendCapabilities(idempotency: .forever, ordering: .dense) }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    await receive(.connected)
    // The channel stays open until the client cancels it.
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    let messages = try [("@bob:a", 1), ("@carol:a", 2)].map { sender, position in
      IncomingMessage(
        serverID: ServerMessageID(rawValue: "\(position)"), messageID: nil, sender: UserID(rawValue: sender),
        position: Position(rawValue: Int64(position)), time: Timestamp(milliseconds: Int64(position)),
        kind: TextContent.kind, payload: try KindRegistry.encode(TextContent("hello")))
    }
    let chat = ConversationInfo(
      ref: ConversationRef(rawValue: "d"), type: .direct, peer: "@bob:a", title: "Robert")
    let group = ConversationInfo(ref: ConversationRef(rawValue: "g"), type: .group, title: "Team")
    return SyncBatch(
      from: cursor, next: SyncCursor(rawValue: "1"),
      conversations: cursor == nil
        ? [
          ConversationDelta(info: chat, count: 0, messages: []),
          ConversationDelta(info: group, count: 2, messages: messages),
        ] : [])
  }

  func history(of: ConversationRef, at: HistoryAnchor, limit: Int) async throws -> HistoryPage {
    HistoryPage(messages: [], reachesStart: true, reachesEnd: true)
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    throw BackendError(.permanent, "There is nowhere to send it.")
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    throw BackendError(.permanent, "There is no such conversation.")
  }
}
