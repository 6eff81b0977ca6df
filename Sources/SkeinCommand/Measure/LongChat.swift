import Foundation
import Skein

/// A server with one long chat, whose messages are generated on request. The kinds of message take turns.
struct LongChat: ChatBackend {
  static let info = ConversationInfo(
    ref: ConversationRef(rawValue: "long"), type: .direct, peer: "bob", members: ["alice", "bob"])
  let count: Int
  let kinds: Int

  var capabilities: BackendCapabilities {
    BackendCapabilities(idempotency: .forever, ordering: .dense)
  }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    await receive(.connected)
    // The channel stays open until the client cancels it; nothing is ever pushed.
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    let news = ConversationDelta(
      info: Self.info, count: count, unread: count,
      messages: try messages(max(count - limit, 0)..<count))
    return SyncBatch(
      from: cursor, next: SyncCursor(rawValue: "1"), epoch: Epoch(rawValue: "e"),
      conversations: cursor == nil ? [news] : [])
  }

  func history(of: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws -> HistoryPage {
    guard case .before(let position) = anchor else {
      throw BackendError(.permanent, "This server only pages back.")
    }
    let end = min(max(Int(position.rawValue) - 1, 0), count)
    let start = max(end - limit, 0)
    return HistoryPage(
      messages: try messages(start..<end), reachesStart: start == 0, reachesEnd: false,
      epoch: Epoch(rawValue: "e"))
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    throw BackendError(.permanent, "This server accepts no messages.")
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo { Self.info }

  private func messages(_ numbers: Range<Int>) throws -> [IncomingMessage] {
    let encoder = JSONEncoder()
    return try numbers.map { number in
      IncomingMessage(
        serverID: ServerMessageID(rawValue: "s\(number)"), messageID: MessageID(rawValue: "m\(number)"),
        sender: "bob", position: Position(rawValue: Int64(number + 1)),
        time: Timestamp(milliseconds: 1_700_000_000_000 + Int64(number) * 1000),
        kind: NumberedKinds.names[number % kinds],
        payload: try encoder.encode(["text": "This is message \(number)."]))
    }
  }
}
