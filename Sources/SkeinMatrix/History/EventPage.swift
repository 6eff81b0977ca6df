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
struct MessagesAnswer: Sendable {
  let start: String
  /// The token of the next page; nil if there are no more events.
  let end: String?
  /// The events, in the direction of the request.
  let events: [RoomEvent]

  init(_ answer: MatrixAnswer) throws {
    start = try answer.requiredToken("start")
    end = try answer.token("end")
    events = try answer.events("chunk")
  }
}
