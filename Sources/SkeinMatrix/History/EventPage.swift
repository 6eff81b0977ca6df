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

/// The answer to a request of the events around an event.
struct ContextAnswer: Decodable, Sendable {
  let event: RoomEvent
  let start: String
  let end: String
  private let before: [Tolerant<RoomEvent>]?
  private let after: [Tolerant<RoomEvent>]?

  private enum CodingKeys: String, CodingKey {
    case event, start, end, before = "events_before", after = "events_after"
  }

  /// The messages, oldest first.
  var events: [RoomEvent] {
    (before.events.reversed() + [event] + after.events).filter(\.isMessage)
  }
}
