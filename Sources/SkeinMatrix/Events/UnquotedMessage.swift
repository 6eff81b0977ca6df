import SkeinModel

/// A message of an event, whose quote is still to be found.
struct UnquotedMessage: Sendable, Hashable {
  var message: IncomingMessage
  /// The message whose sender is still to be found out; nil if the message is no reply.
  var reply: ServerMessageID?
}

extension UnquotedMessage {
  /// Returns nil if the event is no message.
  ///
  /// - Parameter edits: events that may be edits of this one; the newest valid one counts.
  init?(_ event: RoomEvent, edits: [RoomEvent] = []) {
    let edit = edits.filter(event.isEdited).max { ($0.time, $0.id.rawValue) < ($1.time, $1.id.rawValue) }
    guard let message = IncomingMessage(event, edit: edit) else { return nil }
    self.init(message: message, reply: event.repliedMessage)
  }
}

extension IncomingMessage {
  /// Replaces the reactions by those of the given events.
  mutating func set(reactions events: [RoomEvent]) {
    var found: [Reaction] = []
    for event in events {
      guard let key = event.reaction?.key else { continue }
      found = found.setting(key, by: event.sender, to: true)
      revision = max(revision, event.time.rawValue)
    }
    reactions = found
  }
}
