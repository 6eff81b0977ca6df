public import SkeinModel

extension MatrixBackend {
  /// Edits, recalls, reacts to or flags a message. The homeserver recognizes a repeated edit of this device.
  ///
  /// - Returns: the message after the action.
  /// - Throws: `BackendError`, with `permanent` if this account may not do it, or if the message is recalled or missing.
  public func perform(_ action: OutgoingAction) async throws -> IncomingMessage? {
    let room = action.conversation
    guard let id = action.message.serverID else {
      throw BackendError(.permanent, "The message has no id on the homeserver.")
    }
    return try await asMember(of: room) {
      guard let event = try await event(id, in: room), event.isMessage else {
        throw BackendError(.permanent, "The conversation does not have the message.")
      }
      let now = try await apply(action, to: event)
      let flags = try await flags(of: room)
      guard let found = try await current(id, in: room, flags, changed: now) else { return nil }
      return try await resolveReplies([found], in: room).first
    }
  }

  /// Applies an action. Returns the time of the change if the message itself does not show it.
  private func apply(_ action: OutgoingAction, to event: RoomEvent) async throws -> Timestamp {
    let room = action.conversation
    let transaction = "io.skein.action.\(action.id.rawValue)"
    if event.isRedacted {
      if action.action == .recall, event.sender == user { return event.time }
      throw BackendError(.permanent, "The message is recalled.")
    }
    switch action.action {
    case .edit(let kind, let payload):
      try checkSender(of: event)
      try await checkEncryption(of: room)
      let content = OutgoingContent.edit(of: event, to: kind, payload)
      try await send(RoomEvent.Kind.message, content, to: room, transaction: transaction)
    case .recall:
      try checkSender(of: event)
      try await redact(event.id, in: room, transaction)
    case .reaction(let key, true):
      let relation: JSONValue = [
        "rel_type": "m.annotation", "event_id": .string(event.id.rawValue), "key": .string(key.rawValue),
      ]
      // The account may have added this reaction before.
      _ = try await optional({ $0.refusal?.code == "M_DUPLICATE_ANNOTATION" }) {
        try await send(
          RoomEvent.Kind.reaction, ["m.relates_to": relation], to: room, transaction: transaction)
      }
    case .reaction(let key, false):
      let own = try await reactions(to: event.id, in: room).filter {
        $0.sender == user && $0.reaction?.key == key
      }
      var last: ServerMessageID?
      for (number, reaction) in own.enumerated() {
        last = try await redact(reaction.id, in: room, "\(transaction).\(number)", reactionTo: event.id)
      }
      return try await time(of: last, in: room) ?? event.time
    case .flag(.star, let isSet):
      let revision = IncomingMessage(event)?.revision ?? 0
      // Another device may overwrite the change, which is then made again.
      for _ in 1...2 {
        var stars = try await stars(of: room) ?? Stars()
        // The clock of another device may be ahead.
        let before = max(revision, stars.times[event.id]?.rawValue ?? 0)
        let time = max(.now, Timestamp(milliseconds: before + 1))
        guard stars.set(event.id, to: isSet, at: time) else { break }
        try await calls.put(accountData(Stars.type, of: room), stars.json)
      }
    case .flag(.pin, let isSet):
      var last: ServerMessageID?
      for _ in 1...2 {
        var pins = try await pins(of: room) ?? Pins()
        guard pins.set(event.id, to: isSet, at: .now) else { break }
        let path = ["rooms", room.rawValue, "state", RoomEvent.Kind.pins, ""]
        last = try await calls.put(path, pins.json)["event_id"]?.eventID
      }
      return try await time(of: last, in: room) ?? event.time
    case .flag:
      throw BackendError(.unsupported, "This flag has no place on a Matrix homeserver.")
    }
    return event.time
  }

  /// The time of an event that this account has sent. The homeserver's clock counts, since the times of later changes are
  /// compared with this one.
  private func time(of event: ServerMessageID?, in room: ConversationRef) async throws -> Timestamp? {
    guard let event else { return nil }
    return try await self.event(event, in: room)?.time
  }

  private func checkSender(of event: RoomEvent) throws {
    if event.sender != user {
      throw BackendError(.permanent, "Only its sender can edit or recall a message.")
    }
  }

  /// Returns the id of the redaction.
  @discardableResult
  private func redact(
    _ event: ServerMessageID, in room: ConversationRef, _ transaction: String,
    reactionTo message: ServerMessageID? = nil
  ) async throws -> ServerMessageID? {
    var content: JSONValue = [:]
    content[RoomEvent.redactedReactionKey] = message.map { .string($0.rawValue) }
    let answer = try await calls.put(
      ["rooms", room.rawValue, "redact", event.rawValue, transaction], content, isRepeatable: true)
    return answer.json["event_id"]?.eventID
  }
}
