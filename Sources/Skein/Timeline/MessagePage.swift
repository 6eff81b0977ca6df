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
