import SkeinModel

extension MatrixBackend {
  /// Completes the messages with the references of the messages that they reply to. Matrix names only the event; its
  /// sender comes from the other messages, from memory, or from the homeserver. A reply to a message that can't be
  /// found is returned as a message that is no reply.
  func resolveReplies(_ messages: [UnquotedMessage], in room: ConversationRef) async throws
    -> [IncomingMessage]
  {
    memory.learn(messages.map(\.message))
    let missing = Set(messages.compactMap(\.reply)).filter { memory.references[$0] == nil }
    let sorted = missing.sorted { $0.rawValue < $1.rawValue }
    _ = try await sorted.mapConcurrently(limit: options.concurrentCalls) { id in
      func learn(from room: ConversationRef) async throws -> Bool {
        guard let message = try await event(id, in: room).flatMap({ IncomingMessage($0) }) else {
          return false
        }
        memory.learn([message])
        return true
      }
      if try await learn(from: room) { return }
      for old in try await replaced(by: room) where try await learn(from: old) { return }
    }
    return messages.map { found in
      var message = found.message
      if let reply = found.reply {
        message.quote = memory.references[reply].map { IncomingQuote(message: $0) }
      }
      return message
    }
  }

  /// Fetches an event of a room; nil if the homeserver refuses it.
  func event(_ id: ServerMessageID, in room: ConversationRef) async throws -> RoomEvent? {
    let path = ["rooms", room.rawValue, "event", id.rawValue]
    let event = try await optional(\.isPermanent) { RoomEvent(try await calls.get(path).json) }
    guard let event, event.id == id, event.isIn(room) else { return nil }
    memory.learn([event], in: room)
    return event
  }

  /// Fetches a message as it is now; nil if the homeserver does not have it.
  ///
  /// - Parameters:
  ///   - changed: the time of a change that is known from elsewhere, such as the removal of a reaction.
  ///   - edits: the edits that are known from elsewhere.
  func current(
    _ id: ServerMessageID, in room: ConversationRef, _ flags: RoomFlags, changed: Timestamp,
    edits: [RoomEvent] = []
  ) async throws -> UnquotedMessage? {
    let event = try await event(id, in: room)
    guard var found = event.flatMap({ UnquotedMessage($0, edits: edits) }) else { return nil }
    try await complete(&found, in: room, flags)
    found.message.revision = max(found.message.revision, changed.rawValue)
    return found
  }

  /// Adds reactions and flags to a message. If the homeserver refuses the reactions, they stay unknown.
  func complete(_ found: inout UnquotedMessage, in room: ConversationRef, _ flags: RoomFlags) async throws {
    if found.message.kind != RecalledContent.kind, let id = found.message.serverID {
      let reactions = try await optional(\.isPermanent) { try await self.reactions(to: id, in: room) }
      if let reactions { found.message.set(reactions: reactions) }
    }
    flags.apply(to: &found.message)
  }

  /// Fetches the reactions to a message, oldest first, at most 5,000.
  func reactions(to id: ServerMessageID, in room: ConversationRef) async throws -> [RoomEvent] {
    var (found, from): ([RoomEvent], String?) = ([], nil)
    for _ in 0..<50 {
      let page = try await calls.get(
        ["rooms", room.rawValue, "relations", id.rawValue, "m.annotation", RoomEvent.Kind.reaction],
        [("dir", "f"), ("limit", "100")] + (from.map { [("from", $0)] } ?? []), version: "v1")
      found += try page.events("chunk")
      let next = try page.token("next_batch")
      if next == nil || next == from { break }
      from = next
    }
    memory.learn(found, in: room)
    return found
  }

  /// Fetches the flags of a room's messages, as far as they are not known.
  func flags(of room: ConversationRef, pins: Pins? = nil, stars: Stars? = nil) async throws -> RoomFlags {
    async let fetchedPins = pins == nil ? self.pins(of: room) : nil
    async let fetchedStars = stars == nil ? self.stars(of: room) : nil
    return RoomFlags(
      pins: try await fetchedPins ?? pins ?? Pins(), stars: try await fetchedStars ?? stars ?? Stars())
  }

  /// Fetches the pins of a room; nil if there have never been any.
  func pins(of room: ConversationRef) async throws -> Pins? {
    try await state(RoomEvent.Kind.pins, of: room, isWhole: true, unless: \.isMissing).map(Pins.init(state:))
  }

  /// Fetches the stars of a room; nil if there have never been any.
  func stars(of room: ConversationRef) async throws -> Stars? {
    try await optional(\.isMissing) { Stars(try await calls.get(accountData(Stars.type, of: room)).json) }
  }

  /// The path of the account's data of a type about a room.
  func accountData(_ type: String, of room: ConversationRef) -> [String] {
    ["user", user.rawValue, "rooms", room.rawValue, "account_data", type]
  }

  /// Fetches the content of a state event, or the whole event; nil if the call fails with an error of a kind.
  func state(
    _ type: String, of room: ConversationRef, key: String = "", isWhole: Bool = false,
    unless isExpected: (BackendError) -> Bool = \.isPermanent
  ) async throws -> JSONValue? {
    let path = ["rooms", room.rawValue, "state", type, key]
    return try await optional(isExpected) {
      try await calls.get(path, isWhole ? [("format", "event")] : []).json
    }
  }
}
