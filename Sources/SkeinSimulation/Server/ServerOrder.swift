import SkeinModel

/// A kind of order of a simulated server.
public enum SimulatedOrder: String, Sendable, CaseIterable {
  case dense, sparse, tokens, archive, graph
}

/// How a simulated server tells its clients the order of messages.
///
/// The server itself and the checks number the messages of a conversation from 1. ``LinkedBackend`` translates these
/// numbers for the client, and ``Device`` translates back what the client has stored.
enum ServerOrder: Sendable, Equatable {
  /// A message's position is its number.
  case dense
  /// Positions rise by irregular steps, of less than twice this width.
  case sparse(width: Int64)
  /// Messages have no positions, pages have tokens, and a sync that omits messages does not state how many.
  case tokens
  /// As with tokens, and receipts are empty: a device learns the server's id of its message when the message is returned.
  /// The server recognizes no message ids.
  case archive
  /// As with tokens, and pages list some messages up to three places earlier than syncs do. A sync then does not show which
  /// messages a page still lacks. Receipts state no time.
  case graph

  /// The order of the given kind. If the kind is nil, the seed decides: of ten servers, three have dense positions, three
  /// have sparse positions, two have tokens, one is an archive, and one has another order in pages.
  init(_ kind: SimulatedOrder?, seed: UInt64) {
    var generator = SplitMix(seed: seed ^ 0x0bde)
    let drawn: SimulatedOrder =
      switch generator.below(10) {
      case 0...2: .sparse
      case 3...4: .tokens
      case 5: .archive
      case 6: .graph
      default: .dense
      }
    switch kind ?? drawn {
    case .dense: self = .dense
    case .sparse: self = .sparse(width: Int64(2 + generator.below(50)))
    case .tokens: self = .tokens
    case .archive: self = .archive
    case .graph: self = .graph
    }
  }

  /// Whether messages have positions.
  var hasPositions: Bool { ordering != .arrival }

  var ordering: BackendCapabilities.Ordering {
    switch self {
    case .dense: .dense
    case .sparse: .sparse
    case .tokens, .archive, .graph: .arrival
    }
  }

  /// Whether pages list messages in another order than syncs.
  var reorders: Bool { self == .graph }

  /// The place of a message in pages, which are in the order of these places: the message's number, or if some messages are
  /// listed earlier, eight times the number for the others.
  func place(of number: Int64) -> Int64 {
    guard reorders else { return number }
    guard number > 3, number % 7 < 3 else { return number * 8 }
    let shift = number % 7 + 1
    return (number - shift) * 8 - shift
  }

  /// Whether a message is after another one, in syncs and in pages.
  func isAlways(_ number: Int64, after other: Int64) -> Bool {
    number > other && place(of: number) > place(of: other)
  }

  /// The position that clients see for a message.
  func position(of number: Int64) -> Int64 {
    switch self {
    case .dense, .tokens, .archive, .graph: number
    case .sparse(let width): number * width + number * number % width
    }
  }

  /// The number of the last message at or before a position of a client. Clients of servers with tokens have no
  /// positions.
  func number(upTo position: Int64) -> Int64 {
    switch self {
    case .dense, .tokens, .archive, .graph: return position
    case .sparse(let width):
      guard position > 0 else { return position }
      let number = position / width
      return self.position(of: number) > position ? number - 1 : number
    }
  }
}

/// The client's view of the server's answers.
extension ServerOrder {
  private func shown(_ position: Position?) -> Position? {
    hasPositions ? position.map { Position(rawValue: self.position(of: $0.rawValue)) } : nil
  }

  func shown(_ message: IncomingMessage) -> IncomingMessage {
    var message = message
    message.position = shown(message.position)
    return message
  }

  func shown(_ receipt: SendReceipt) -> SendReceipt {
    var receipt = receipt
    receipt.position = shown(receipt.position)
    if self == .archive { receipt.serverID = nil }
    if self == .archive || self == .graph { receipt.time = nil }
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
    guard let mark, hasPositions || mark.serverID != nil else { return nil }
    return MessageMark(position: shown(mark.position), serverID: mark.serverID)
  }

  func shown(_ batch: SyncBatch) -> SyncBatch {
    var batch = batch
    batch.conversations = batch.conversations.map { delta in
      var delta = delta
      if !hasPositions {
        delta.previous = token(.below, delta.messages.first, batch.epoch)
        if let count = delta.count, count > delta.messages.count { delta.count = nil }
        // A server without positions does not know where a replaced conversation ended on a device.
        if !delta.info.replaces.isEmpty, !delta.messages.isEmpty { delta.count = nil }
        delta.reachesStart = self != .archive && delta.messages.first?.position == Position(rawValue: 1)
      }
      delta.info = shown(delta.info)
      delta.messages = delta.messages.map(shown)
      delta.revised = delta.revised.map(shown)
      return delta
    }
    return batch
  }

  /// Messages in the order of pages.
  func paged<Message>(_ messages: [Message], number: (Message) -> Int64) -> [Message] {
    reorders ? messages.sorted { place(of: number($0)) < place(of: number($1)) } : messages
  }

  func shown(_ page: HistoryPage) -> HistoryPage {
    var page = page
    if !hasPositions {
      page.previous = token(.before, page.messages.first, page.epoch)
      page.next = token(.after, page.messages.last, page.epoch)
    }
    page.messages = page.messages.map(shown)
    return page
  }
}

/// The server's view of a client's requests.
extension ServerOrder {
  /// The mark, with the number of its message as its position. A server without positions needs the server id.
  func meant(_ mark: MessageMark) -> MessageMark {
    var mark = mark
    let position = mark.position.map { number(upTo: $0.rawValue) }
    mark.position = (hasPositions ? position : mark.serverID?.position).map(Position.init(rawValue:))
    return mark
  }

  /// The anchor, with the numbers of messages as positions, or their places in pages.
  ///
  /// - Throws: ``BackendError`` for a token of an earlier epoch.
  func meant(_ anchor: HistoryAnchor, in epoch: Epoch) throws -> HistoryAnchor {
    switch anchor {
    case .before(let position):
      return .before(Position(rawValue: number(upTo: position.rawValue - 1) + 1))
    case .after(let position): return .after(Position(rawValue: number(upTo: position.rawValue)))
    case .around(let position): return .around(Position(rawValue: number(upTo: position.rawValue)))
    case .newest, .message, .time: return anchor
    case .token(let token):
      let parts = token.rawValue.split(separator: " ").map(String.init)
      guard parts.count == 3, parts[2] == epoch.rawValue, let place = Int64(parts[1]) else {
        throw BackendError(.permanent, "The token \(token.rawValue) is not of the epoch \(epoch.rawValue).")
      }
      let position = Position(rawValue: place)
      return parts[0] == Side.after.rawValue ? .after(position) : .before(position)
    }
  }

  private enum Side: String {
    /// Before or after a message on a page.
    case before, after
    /// After every message that the server received before this message.
    case below
  }

  private func token(_ side: Side, _ message: IncomingMessage?, _ epoch: Epoch?) -> HistoryToken? {
    guard let number = message?.position?.rawValue, let epoch else { return nil }
    let place =
      switch side {
      case .before, .after: place(of: number)
      // At most three messages in a row are listed earlier.
      case .below: (1...4).map { self.place(of: number - $0) }.max().map { $0 + 1 } ?? 0
      }
    return HistoryToken(rawValue: "\(side.rawValue) \(place) \(epoch.rawValue)")
  }
}
