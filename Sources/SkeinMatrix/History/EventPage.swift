import SkeinModel

/// A page of history before its messages are completed; the events are messages, oldest first.
struct EventPage: Sendable {
  let events: [RoomEvent]
  let reachesStart: Bool
  let reachesEnd: Bool
  let previous: PageToken?
  let next: PageToken?
}

/// The answer to a request of events before or after a token.
struct MessagesAnswer: Decodable, Sendable {
  let start: String
  /// The token of the next page; nil if there are no more events.
  let end: String?
  private let chunk: [Tolerant<RoomEvent>]?

  /// The events, in the direction of the request.
  var events: [RoomEvent] { chunk.events }
}

/// The answer to a request of the events around an event, of which only the place of the event is used.
struct ContextAnswer: Decodable, Sendable {
  let event: RoomEvent
  /// The token before the event, and before all events that were sent at the same moment.
  let start: String
}
