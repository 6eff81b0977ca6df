/// The known facts about a conversation's history, in one snapshot of the database.
struct HistoryFacts: Sendable, Equatable {
  var spans: SpanMap
  /// The places of the first and the last stored message, without messages deleted here. Nil if there is no
  /// such message.
  var stored: ClosedRange<MessageOrder>?
  /// Whether the server has the conversation.
  var isBound: Bool
  /// The value of the database's change counter in this snapshot.
  var version: Int64
  /// The current epoch, in which the places of the messages are valid.
  var epoch: Epoch?
}

/// The stored messages of a conversation between two places, without the messages deleted on this device.
struct MessagePage: Sendable {
  /// The messages, in ascending order.
  var rows: [MessageRow]
  /// The two places. If the page was loaded next to a message, that message is at an end of this range, but
  /// not in ``rows``.
  var bounds: ClosedRange<MessageOrder>
  /// The gap at which loading stops in the direction in which this page was loaded. Nil if there is no such
  /// gap, or if the page was loaded in both directions or between two places.
  var stop: SpanMap.OpenGap?
  var facts: HistoryFacts
}

/// The place of a time among the stored messages.
enum TimePlace: Sendable, Equatable {
  /// The place of the first message that is not older than the time.
  case message(MessageOrder)
  /// All messages in the spans are older than the time. The spans may also be empty, for example if the
  /// server does not have the conversation.
  case afterAll
  /// The place may lie in this gap; nil if nothing is known of the conversation's current history.
  case missing(SpanMap.OpenGap?)
}
