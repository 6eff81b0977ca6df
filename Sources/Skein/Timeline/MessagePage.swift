/// The known facts about a conversation's history, in one snapshot of the database.
struct HistoryFacts: Sendable, Equatable {
  var spans: SpanMap
  /// The first and the last stored message; nil if there is none.
  var stored: ClosedRange<MessageOrder>?
  /// Whether the server knows the conversation.
  var isBound: Bool
  /// The database's change counter in that snapshot.
  var version: Int64
  /// The epoch of the places.
  var epoch: Epoch?
}

/// All stored messages of a conversation between two places.
struct MessagePage: Sendable {
  /// The messages, in ascending order.
  var rows: [MessageRow]
  /// Nothing else is stored between these places, except the message next to which the page was loaded.
  var bounds: ClosedRange<MessageOrder>
  /// The gap at which loading in the same direction stops; nil if there is none.
  var stop: SpanMap.OpenGap?
  var facts: HistoryFacts
}

/// The place of a time among the stored messages.
enum TimePlace: Sendable, Equatable {
  /// The first message that is not older.
  case message(MessageOrder)
  /// All messages are older.
  case afterAll
  /// The place may lie in this gap; nil if nothing is known about the conversation.
  case missing(SpanMap.OpenGap?)
}
