/// Which way a window grows.
enum PagingDirection: Sendable, Hashable {
  case older
  case newer
}

/// What is known of a conversation's history in one snapshot of the database.
struct HistoryFacts: Sendable, Equatable {
  var spans: SpanMap
  /// The first and the last stored message; nil where there is none.
  var stored: ClosedRange<MessageOrder>?
  /// Whether the server knows the conversation.
  var isBound: Bool
  /// The database's count of changes in that snapshot.
  var version: Int64
  /// The life of the server's history that places belong to.
  var epoch: Epoch?
}

/// Everything that is stored of a conversation between two places.
struct MessagePage: Sendable {
  /// Ascending.
  var rows: [MessageRow]
  /// Between these places nothing is stored but `rows`, and the message that a page next to a place began at.
  var bounds: ClosedRange<MessageOrder>
  /// The gap that loading on in the same direction comes to; nil where there is none.
  var stop: SpanMap.OpenGap?
  var facts: HistoryFacts
}

/// Where a moment lies in what is stored.
enum TimePlace: Sendable, Equatable {
  /// The first message that is not older.
  case message(MessageOrder)
  /// All messages are older.
  case afterAll
  /// It may lie in this gap; nil where nothing is known of the conversation.
  case missing(SpanMap.OpenGap?)
}

/// A message's place in its conversation: rank, then row.
struct MessageOrder: Sendable, Hashable, Comparable {
  let rank: Rank
  let id: LocalMessageID

  static let lowest = MessageOrder(rank: .lowest, id: LocalMessageID(rawValue: .min))
  static let highest = MessageOrder(rank: .highest, id: LocalMessageID(rawValue: .max))

  static func < (left: Self, right: Self) -> Bool { (left.rank, left.id) < (right.rank, right.id) }
}

extension MessageOrder {
  /// A gap stands just below the first message above it.
  init(ofGapBelow rank: Rank) { self.init(rank: rank, id: LocalMessageID(rawValue: -1)) }
  /// Between a gap and the first message above it.
  init(above gap: Rank) { self.init(rank: gap, id: LocalMessageID(rawValue: 0)) }
}

extension MessageRow {
  var order: MessageOrder { MessageOrder(rank: rank, id: id) }
}

extension ChatMessage {
  var order: MessageOrder { MessageOrder(rank: rank, id: id) }
}

extension LocalMessageID {
  var next: LocalMessageID { LocalMessageID(rawValue: rawValue == .max ? .max : rawValue + 1) }
}
