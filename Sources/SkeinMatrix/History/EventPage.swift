import SkeinModel

/// A page of history before its messages are completed; the events are messages of one room, oldest first.
struct EventPage: Sendable {
  let room: ConversationRef
  let events: [RoomEvent]
  let reachesStart: Bool
  let reachesEnd: Bool
  let previous: PageToken?
  let next: PageToken?
}

/// The answer to a request of events before or after a token.
struct MessagesAnswer: Decodable, Sendable {
  let start: BatchToken
  /// The token of the next page; nil if there are no more events.
  let end: BatchToken?
  private let chunk: EventList?

  /// The events, in the direction of the request.
  var events: [RoomEvent] { chunk?.events ?? [] }
}

/// The answer to a request of the events that relate to an event.
struct RelationsAnswer: Decodable, Sendable {
  private let chunk: EventList?
  let next: BatchToken?

  private enum CodingKeys: String, CodingKey { case chunk, next = "next_batch" }

  var events: [RoomEvent] { chunk?.events ?? [] }
}

/// The answer to a request of the events around an event, of which only the place of the event is used.
struct ContextAnswer: Decodable, Sendable {
  private let json: JSONValue
  /// The token before the event, and before all events that were sent at the same moment.
  let start: BatchToken

  private enum CodingKeys: String, CodingKey { case json = "event", start }

  /// The event; nil if it is malformed.
  var event: RoomEvent? { RoomEvent(json) }
}
