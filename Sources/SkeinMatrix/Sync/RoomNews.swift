import SkeinModel

/// The messages and the changes in the answer to a sync, for one room.
struct RoomNews: Sendable {
  /// The newest messages, in the homeserver's order, with the reactions and the flags that the answer contains.
  private(set) var messages: [UnquotedMessage]
  /// The number of messages; nil if the answer omits an unknown number of older messages.
  private(set) var count: Int?
  /// Whether the room has no message before ``messages``.
  private(set) var reachesStart: Bool
  /// The token of the page before the messages.
  private(set) var previous: PageToken?
  /// The older messages that have changed, each with the time of its last change.
  private(set) var changed: [ServerMessageID: Timestamp] = [:]
  /// The edits in the answer, by the messages that they change. A homeserver may return a message without its edit.
  private(set) var edits: [ServerMessageID: [RoomEvent]] = [:]
  /// The messages to which the events react.
  private var reacted: Set<ServerMessageID> = []
  /// The number of messages of a gap whose reactions are fetched.
  private static let fetchedReactions = 20
  /// The flags in the answer; nil if they have not changed.
  let pins: Pins?
  let stars: Stars?
  private let memory: RoomMemory

  /// - Parameter isFirst: whether the sync starts from the beginning.
  init(_ room: JoinedRoom, in ref: ConversationRef, isFirst: Bool, _ memory: RoomMemory) {
    self.memory = memory
    let events = room.events
    edits = Self.edits(among: events)
    // Synapse returns a message with its edit only in a limited timeline.
    messages = events.compactMap { [edits] in UnquotedMessage($0, edits: edits[$0.id] ?? []) }
    // A timeline that contains the room's first event omits nothing, even if it is marked as limited.
    reachesStart = events.contains { $0.type == RoomEvent.Kind.create }
    count = room.isLimited && !reachesStart ? nil : messages.count
    previous = room.previous.map { .back(ref, $0) }
    pins = room.current(RoomEvent.Kind.pins).map(Pins.init)
    stars = room.accountData(Stars.type).map(Stars.init)
    collectReactions(events)
    if isFirst {
      for id in (pins?.messages ?? []) + (stars ?? Stars()).times.keys {
        note(id, Timestamp(milliseconds: 0))
      }
    } else {
      collectChanges(events, room.state)
      for change in (stars ?? Stars()).changes { note(change.message, change.time) }
    }
    for message in messages.compactMap(\.message.serverID) { changed[message] = nil }
  }

  private static func edits(among events: [RoomEvent]) -> [ServerMessageID: [RoomEvent]] {
    let redacted = Set(events.compactMap(\.redacts))
    return events.reduce(into: [:]) { edits, event in
      guard let message = event.editedMessage, !redacted.contains(event.id) else { return }
      edits[message, default: []].append(event)
    }
  }

  private mutating func note(_ message: ServerMessageID, _ time: Timestamp) {
    changed[message] = max(changed[message] ?? time, time)
  }

  /// All reactions to a message come after the message, so those of the answer's messages are complete.
  private mutating func collectReactions(_ events: [RoomEvent]) {
    let flags = RoomFlags(pins: pins ?? Pins(), stars: stars ?? Stars())
    let reacting = Dictionary(grouping: events, by: \.reaction?.message)
    for index in messages.indices {
      messages[index].message.set(reactions: messages[index].message.serverID.flatMap { reacting[$0] } ?? [])
      flags.apply(to: &messages[index].message)
    }
  }

  private mutating func collectChanges(_ events: [RoomEvent], _ state: [RoomEvent]) {
    for event in events {
      if let message = event.changedMessage { note(message, event.time) }
      if let message = event.reaction?.message { reacted.insert(message) }
      if event.type == RoomEvent.Kind.redaction, let id = event.redacts {
        // Skein names the message of a removed reaction. Otherwise the event is a message, or a change that this process may
        // have received.
        note(event.content[RoomEvent.redactedReactionKey]?.eventID ?? memory.changes[id] ?? id, event.time)
      }
    }
    for event in state + events where event.type == RoomEvent.Kind.pins && event.stateKey == "" {
      for message in Pins(event).changes { note(message, event.time) }
    }
  }

  /// Notes that the room continues another one, whose last messages the device may not have.
  mutating func continues() { (count, reachesStart) = (nil, false) }

  /// Adds the changes among the events that the answer omits. Their messages are fetched with the gap, but without their
  /// reactions: the newest messages with reactions stay changed.
  mutating func collect(omitted events: [RoomEvent]) {
    collectChanges(events, [])
    edits.merge(Self.edits(among: events)) { $0 + $1 }
    let omitted = events.filter(\.isMessage).map(\.id)
    let kept = omitted.filter { reacted.contains($0) }.suffix(Self.fetchedReactions)
    for message in Set(omitted).subtracting(kept).union(messages.compactMap(\.message.serverID)) {
      changed[message] = nil
    }
  }

  /// Takes the newest messages of a page, because the answer contains none and omits some. The changed messages among them
  /// stay: a page has no reactions, and does not show that a flag was removed.
  mutating func take(_ page: HistoryPage, in room: ConversationRef) {
    messages = page.messages.map { UnquotedMessage(message: $0) }
    previous = page.previous.flatMap { PageToken($0, in: room) }
    reachesStart = page.reachesStart
    if page.messages.isEmpty { count = 0 }
  }
}

extension RoomNews {
  /// The message that a receipt names. A receipt may name any event; if this answer shows that it is no message, the
  /// message before it takes its place. So does the message that came before the event in an earlier answer.
  func mark(_ event: String, in room: JoinedRoom) -> MessageMark? {
    let id = ServerMessageID(rawValue: event)
    let events = room.events
    let index = events.firstIndex { $0.id == id }
    let message = index.flatMap { events[...$0].last(where: \.isMessage)?.id } ?? memory.messagesBefore[id]
    if let message { return MessageMark(serverID: message) }
    return index == nil ? MessageMark(serverID: id) : nil
  }
}
