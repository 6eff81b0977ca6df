import SkeinModel
import SkeinTransport

/// A message that was read from an event, and the message that it replies to.
struct ReadMessage: Sendable, Hashable {
  var message: IncomingMessage
  /// The message whose sender is still to be found out; nil if the message is no reply.
  var reply: ServerMessageID?
  /// The first message of the thread that the message is in.
  var thread: ServerMessageID?

  init(message: IncomingMessage, reply: ServerMessageID?) {
    self.message = message
    self.reply = reply
  }

  /// Returns nil if the event is no message.
  init?(_ event: RoomEvent, edit: RoomEvent? = nil) {
    guard let message = IncomingMessage(event, edit: edit) else { return nil }
    self.init(message: message, reply: event.repliedMessage)
    thread = event.threadRoot
  }
}

extension IncomingMessage {
  /// Replaces the reactions by those of the given events.
  mutating func set(reactions events: [RoomEvent]) {
    var keys: [ReactionKey] = []
    var users: [ReactionKey: [UserID]] = [:]
    for event in events {
      guard let key = event.reaction?.key else { continue }
      if users[key] == nil { keys.append(key) }
      if users[key]?.contains(event.sender) != true { users[key, default: []].append(event.sender) }
      revision = max(revision, event.time.rawValue)
    }
    reactions = keys.map { Reaction($0, users: users[$0] ?? []) }
  }
}

extension MatrixBackend {
  /// Completes the messages with the references of the messages that they reply to. Matrix names only the event; its
  /// sender comes from the other messages, from memory, or from the homeserver. A reply to a message that can't be
  /// found is returned as a message that is no reply.
  func resolveReplies(_ read: [ReadMessage], in room: ConversationRef) async throws -> [IncomingMessage] {
    memory.learn(read.map(\.message))
    for read in read { if let id = read.message.serverID { memory.threads[id] = .some(read.thread) } }
    let missing = Set(read.compactMap(\.reply)).filter { memory.references[$0] == nil }
    let sorted = missing.sorted { $0.rawValue < $1.rawValue }
    _ = try await sorted.mapConcurrently(limit: options.concurrentCalls) { id in
      var place: ConversationRef? = room
      while let room = place {
        if let message = try await event(id, in: room).flatMap({ IncomingMessage($0) }) {
          return memory.learn([message])
        }
        place = try await predecessor(of: room)
      }
    }
    return read.map { read in
      var message = read.message
      message.quote = read.reply.flatMap { memory.references[$0] }.map { IncomingQuote(message: $0) }
      return message
    }
  }

  /// Fetches an event of a room; nil if the homeserver refuses it.
  func event(_ id: ServerMessageID, in room: ConversationRef) async throws -> RoomEvent? {
    let path = ["rooms", room.rawValue, "event", id.rawValue]
    let event = try await optional(\.isPermanent) { RoomEvent(try await calls.get(path).json) }
    return event?.id == id && event?.isIn(room) == true ? event : nil
  }

  /// Fetches a message as it is now; nil if the homeserver does not have it.
  ///
  /// - Parameter changed: the time of a change that is known from elsewhere, such as the removal of a reaction.
  func current(
    _ id: ServerMessageID, in room: ConversationRef, _ flags: RoomFlags, changed: Timestamp
  ) async throws -> ReadMessage? {
    guard var read = try await event(id, in: room).flatMap({ ReadMessage($0) }) else { return nil }
    try await complete(&read, in: room, flags)
    read.message.revision = max(read.message.revision, changed.rawValue)
    return read
  }

  /// Adds reactions and flags to a message. If the homeserver refuses the reactions, they stay unknown.
  func complete(_ read: inout ReadMessage, in room: ConversationRef, _ flags: RoomFlags) async throws {
    if read.message.kind != RecalledContent.kind, let id = read.message.serverID {
      let reactions = try await optional(\.isPermanent) { try await self.reactions(to: id, in: room) }
      if let reactions { read.message.set(reactions: reactions) }
    }
    flags.apply(to: &read.message)
  }

  /// Fetches the reactions to a message, oldest first, at most 5,000.
  func reactions(to id: ServerMessageID, in room: ConversationRef) async throws -> [RoomEvent] {
    var (found, from): ([RoomEvent], String?) = ([], nil)
    for _ in 0..<50 {
      let page = try await calls.get(
        ["rooms", room.rawValue, "relations", id.rawValue, "m.annotation", RoomEvent.Kind.reaction],
        [("dir", "f"), ("limit", "100")] + (from.map { [("from", $0)] } ?? []), version: "v1",
        as: RelationsAnswer.self)
      found += page.events
      if page.next == nil || page.next?.text == from { break }
      from = page.next?.text
    }
    memory.learn(found)
    return found
  }

  /// Fetches the flags of a room's messages, as far as they are not known.
  func flags(of room: ConversationRef, pins: Pins? = nil, stars: Stars? = nil) async throws -> RoomFlags {
    async let pinned = pins == nil ? fetchedPins(of: room) : Pins()
    async let starred = stars == nil ? fetchedStars(of: room) : Stars()
    let (fetchedPins, fetchedStars) = try await (pinned, starred)
    return RoomFlags(pins: pins ?? fetchedPins, stars: stars ?? fetchedStars)
  }

  private func fetchedPins(of room: ConversationRef) async throws -> Pins {
    let path = ["rooms", room.rawValue, "state", RoomEvent.Kind.pins, ""]
    return try await optional(\.isMissing) {
      Pins(state: try await calls.get(path, [("format", "event")]).json)
    } ?? Pins()
  }

  private func fetchedStars(of room: ConversationRef) async throws -> Stars {
    try await optional(\.isMissing) { Stars(try await calls.get(starsPath(of: room)).json) } ?? Stars()
  }

  func starsPath(of room: ConversationRef) -> [String] {
    ["user", user.rawValue, "rooms", room.rawValue, "account_data", Stars.type]
  }
}
