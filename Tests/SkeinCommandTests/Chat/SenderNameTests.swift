import Foundation
import Skein
import SkeinCards
import SkeinTerminal
import Testing

@testable import SkeinCommand

@Suite("Names of senders in a terminal", .timeLimit(.minutes(1)))
struct SenderNameTests {
  @Test("A sender has the name of the one-to-one chat with the sender, and otherwise the id")
  func names() async throws {
    try await Self.cards(ofChatTitled: "Robert") { cards in
      var plain = PlainSurface(account: "@alice:a")
      var screen = TerminalSurface(width: 80, height: 24, style: Style(isOn: false))
      for (number, card) in cards.enumerated() {
        let event = Self.event(card, at: number)
        for text in [plain.text(for: event), screen.text(for: event)] {
          #expect(text.contains(number == 0 ? "Robert" : "@carol:a") && !text.contains("@bob:a"), "\(text)")
        }
      }
    }
  }

  @Test("A name that is longer than a line is shortened to one line", arguments: [10, 24, 40, 80])
  func longName(columns: Int) async throws {
    try await Self.cards(ofChatTitled: String(repeating: "名前", count: 64)) { cards in
      var screen = TerminalSurface(width: columns, height: 24, style: Style(isOn: false))
      let text = screen.text(for: Self.event(cards[0], at: 0))
      let lines = text.split(separator: "\n").map(String.init)
      // The day, the name and the text.
      #expect(lines.count == 3 && lines[1].hasPrefix("名前") && lines[1].hasSuffix("…"))
      #expect(lines.allSatisfy { $0.columns < max(columns, 24) })
    }
  }

  private static func event(_ card: MessageCardViewModel, at index: Int) -> ChatEvent {
    .message(.inserted(.message(card.message), at: index, isMove: false), card)
  }

  /// Runs the body with the cards of a message of Bob, whose one-to-one chat has a title, and of one of Carol.
  private static func cards(
    ofChatTitled title: String, _ body: ([MessageCardViewModel]) throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let client = try await ChatClient.open(
      account: "@alice:a", backend: NamingBackend(title: title), runtime: .system(directory: folder))
    client.start()
    try await client.conversations.open()
    for await update in client.conversations.changes where update.snapshot.count == 2 { break }
    let group = try #require(client.conversations.conversations.first { $0.type == .group })
    let chat = client.context(for: group.id)
    try await chat.open()
    for await update in chat.changes where update.snapshot.compactMap(\.message).count == 2 { break }

    let desk = ChatDesk(client, output: SilentOutput())
    let cards = MessageCardViewModelFactory(for: chat, registry: .command, delegate: desk)
    let made = Result { try body(chat.messages.compactMap(\.message).map(cards.card)) }
    await client.close()
    try made.get()
  }
}

private struct SilentOutput: ChatOutput {
  let isRead = false
  func show(_ events: [ChatEvent]) async {}
}

/// A server with a one-to-one chat that has a title, and a group with a message of its user and one of somebody else.
private struct NamingBackend: ChatBackend {
  let title: String
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
      ref: ConversationRef(rawValue: "d"), type: .direct, peer: "@bob:a", title: title)
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
