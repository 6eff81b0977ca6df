import SkeinModel

/// How a simulated server tells its clients the order of messages.
///
/// The server itself and the checks number the messages of a conversation from 1. ``LinkedBackend`` translates these
/// numbers for the client, and ``Device`` translates back what the client has stored.
enum ServerOrder: Sendable, Equatable {
  /// A message's position is its number.
  case dense
  /// Positions rise by irregular steps, of less than twice this width.
  case sparse(width: Int64)

  var ordering: BackendCapabilities.Ordering {
    switch self {
    case .dense: .dense
    case .sparse: .sparse
    }
  }

  /// The position that clients see for a message.
  func position(of number: Int64) -> Int64 {
    switch self {
    case .dense: number
    case .sparse(let width): number * width + number * number % width
    }
  }

  /// The number of the last message at or before a position of a client.
  func number(upTo position: Int64) -> Int64 {
    switch self {
    case .dense: return position
    case .sparse(let width):
      guard position > 0 else { return position }
      let number = position / width
      return self.position(of: number) > position ? number - 1 : number
    }
  }

  // MARK: To the client

  private func shown(_ position: Position?) -> Position? {
    position.map { Position(rawValue: self.position(of: $0.rawValue)) }
  }

  func shown(_ message: IncomingMessage) -> IncomingMessage {
    var message = message
    message.position = shown(message.position)
    return message
  }

  func shown(_ receipt: SendReceipt) -> SendReceipt {
    var receipt = receipt
    receipt.position = shown(receipt.position)
    return receipt
  }

  func shown(_ info: ConversationInfo) -> ConversationInfo {
    var info = info
    info.readMark = shown(info.readMark)
    info.receipts = info.receipts?.map { receipt in
      MemberReceipt(user: receipt.user, delivered: shown(receipt.delivered), read: shown(receipt.read))
    }
    return info
  }

  private func shown(_ mark: MessageMark?) -> MessageMark? {
    mark.map { MessageMark(position: shown($0.position), serverID: $0.serverID) }
  }

  func shown(_ batch: SyncBatch) -> SyncBatch {
    var batch = batch
    batch.conversations = batch.conversations.map { delta in
      var delta = delta
      delta.info = shown(delta.info)
      delta.messages = delta.messages.map(shown)
      delta.revised = delta.revised.map(shown)
      return delta
    }
    return batch
  }

  func shown(_ page: HistoryPage) -> HistoryPage {
    var page = page
    page.messages = page.messages.map(shown)
    return page
  }

  // MARK: From the client

  func meant(_ mark: MessageMark) -> MessageMark {
    MessageMark(position: mark.position.map(meant), serverID: mark.serverID)
  }

  private func meant(_ position: Position) -> Position {
    Position(rawValue: number(upTo: position.rawValue))
  }

  func meant(_ anchor: HistoryAnchor) -> HistoryAnchor {
    switch anchor {
    case .before(let position):
      .before(Position(rawValue: number(upTo: position.rawValue - 1) + 1))
    case .after(let position): .after(meant(position))
    case .around(let position): .around(meant(position))
    case .newest, .message, .time, .token: anchor
    }
  }
}
