import Foundation
import Skein
import Synchronization

/// A server in memory that answers at once, so that only the engine is measured.
final class InstantBackend: ChatBackend {
  private struct State {
    var batches: [SyncBatch] = []
    var positions: [ConversationRef: Int64] = [:]
    var received = 0
    var receiver: BackendReceiver?
  }
  private let state = Mutex(State())

  let capabilities = BackendCapabilities(idempotency: .forever, ordering: .dense)

  /// - Parameter batches: the answers to syncs. A sync is answered with the batch that begins at the sync's
  ///   cursor.
  init(_ batches: [SyncBatch] = []) { state.withLock { $0.batches = batches } }

  /// The number of messages that were sent.
  var received: Int { state.withLock { $0.received } }

  /// Returns once the client is connected, so that it receives what is pushed.
  func connected() async {
    while state.withLock({ $0.receiver == nil }) { await Task.yield() }
  }

  /// Pushes a batch; returns once the engine has stored the batch.
  func push(_ batch: SyncBatch) async {
    await state.withLock { $0.receiver }?(.batch(batch))
  }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    await receive(.connected)
    state.withLock { $0.receiver = receive }
    try await Task.sleep(for: .seconds(3600))
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    state.withLock { state in
      if let next = state.batches.first(where: { $0.from == cursor }) { return next }
      return SyncBatch(from: cursor, next: cursor ?? SyncCursor(rawValue: "0"), conversations: [])
    }
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    HistoryPage(messages: [], reachesStart: true, reachesEnd: true)
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    state.withLock { state in
      state.received += 1
      let position = (state.positions[message.conversation] ?? 0) + 1
      state.positions[message.conversation] = position
      return SendReceipt(
        serverID: ServerMessageID(rawValue: "\(message.conversation.rawValue).\(position)"),
        position: Position(rawValue: position), time: Timestamp(milliseconds: 1_700_000_000_000 + position))
    }
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    switch request {
    case .direct(let peer): .chat(peer.rawValue)
    case .group(let key, _, _): .chat("\(key)")
    case .invitation(let ref): .chat(ref.rawValue)
    }
  }
}

extension ConversationInfo {
  /// A chat with one other user.
  static func chat(_ peer: String) -> ConversationInfo {
    ConversationInfo(ref: ConversationRef(rawValue: "with-\(peer)"), type: .direct, peer: UserID(peer))
  }
}

extension ConversationDelta {
  /// New messages of a peer, at consecutive positions.
  static func messages(
    _ positions: ClosedRange<Int64>, from peer: String, text: (Int64) -> String = { "message \($0)" }
  ) -> ConversationDelta {
    let info = ConversationInfo.chat(peer)
    let messages = positions.map { position in
      IncomingMessage(
        serverID: ServerMessageID(rawValue: "\(info.ref.rawValue).\(position)"),
        messageID: MessageID(rawValue: "\(peer)-\(position)"), sender: UserID(peer),
        position: Position(rawValue: position), time: Timestamp(milliseconds: 1_700_000_000_000 + position),
        kind: TextContent.kind, payload: Data(#"{"text":"\#(text(position))"}"#.utf8))
    }
    return ConversationDelta(info: info, count: messages.count, messages: messages)
  }
}
