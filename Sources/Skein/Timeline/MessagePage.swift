/// The known facts about a conversation's history, in one snapshot of the database.
struct HistoryFacts: Sendable, Equatable {
  var spans: SpanMap
  /// The first and the last stored message; nil if there is none.
  var stored: ClosedRange<MessageOrder>?
  /// Whether the server has the conversation.
  var isBound: Bool
  /// The value of the database's change counter in this snapshot.
  var version: Int64
  /// The current epoch; the places of the messages are valid in it.
  var epoch: Epoch?
}

/// The stored messages of a conversation between two places, without those deleted here.
struct MessagePage: Sendable {
  /// The messages, in ascending order.
  var rows: [MessageRow]
  /// The two places. If the page was loaded next to a message, that message is at an end of this range, but
  /// not in ``rows``.
  var bounds: ClosedRange<MessageOrder>
  /// The gap at which loading in the same direction stops; nil if there is none.
  var stop: SpanMap.OpenGap?
  var facts: HistoryFacts
}

/// The place of a time among the stored messages.
enum TimePlace: Sendable, Equatable {
  /// The first message that is not older.
  case message(MessageOrder)
  /// All messages in the spans are older, or there is no span because the server does not have the
  /// conversation.
  case afterAll
  /// The place may lie in this gap; nil if nothing is known of the conversation's current history.
  case missing(SpanMap.OpenGap?)
}
