public import SkeinModel
import SkeinTransport

extension MatrixBackend {
  /// Sends a message, to the room that replaces its room if there is one. The message's id is the transaction id, and part of
  /// the content. A reply to a message of a thread is sent to this thread.
  ///
  /// - Throws: `BackendError`, with `permanent` if the room is encrypted, or if the event is larger than a homeserver allows;
  ///   with `transient` if the room was replaced since an earlier attempt whose outcome is unknown.
  public func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    let content = try OutgoingContent.content(of: message)
    do {
      return try await asMember(of: message.conversation) { try await send(content, of: message) }
    } catch let error as BackendError where memory.room(ofSent: message.id) == nil {
      // The message itself was not sent, or was refused.
      throw error.withoutEffect
    }
  }

  private func send(_ content: JSONValue, of message: OutgoingMessage) async throws -> SendReceipt {
    let room = try await newestRoom(of: message.conversation)
    if let earlier = memory.room(ofSent: message.id), earlier != room, room != message.conversation {
      // Only the earlier room recognizes the message. Once a sync has reported the new room, the message is looked up.
      throw BackendError(.transient, "The conversation goes on in another room.", outcomeIsUnknown: true)
    }
    do {
      return try await send(content, of: message, to: room)
    } catch let error as BackendError where error.isForbidden {
      // The room may have been replaced this moment.
      memory.forgetContinuation(of: room)
      let new = try await newestRoom(of: room)
      guard new != room else { throw error }
      return try await send(content, of: message, to: new)
    }
  }

  private func send(
    _ content: JSONValue, of message: OutgoingMessage, to room: ConversationRef
  ) async throws -> SendReceipt {
    try await checkEncryption(of: room)
    var content = content
    content[SkeinFields.key]?["sender"] = .string(user.rawValue)
    if let reply = message.replyTo?.serverID, let root = try await thread(of: reply, in: room) {
      content["m.relates_to"]?["rel_type"] = "m.thread"
      content["m.relates_to"]?["event_id"] = .string(root.rawValue)
      content["m.relates_to"]?["is_falling_back"] = false
    }
    let earlier = memory.room(ofSent: message.id)
    memory.sends(message.id, to: room)
    do {
      let id = try await send(RoomEvent.Kind.message, content, to: room, transaction: message.id.rawValue)
      memory.hasSent(message.id, to: room)
      return SendReceipt(serverID: id)
    } catch let error as BackendError where !error.outcomeIsUnknown {
      memory.sends(message.id, to: earlier)
      throw error
    }
  }

  /// The first message of the thread that a message is in; nil if it is in none, or in another room.
  private func thread(of message: ServerMessageID, in room: ConversationRef) async throws -> ServerMessageID?
  {
    if let known = memory.threads[message] { return known.room == room ? known.root : nil }
    return try await event(message, in: room)?.threadRoot
  }

  /// Sends an event. An event that the homeserver knows by its transaction id is not sent again.
  @discardableResult
  func send(
    _ type: String, _ content: JSONValue, to room: ConversationRef, transaction: String
  ) async throws -> ServerMessageID {
    let answer = try await calls.put(
      ["rooms", room.rawValue, "send", type, transaction], content, isRepeatable: true)
    return ServerMessageID(rawValue: try answer.id("$", "event_id"))
  }

  /// Throws `permanent` if a room is encrypted: its members would see that a message was sent unprotected.
  func checkEncryption(of room: ConversationRef) async throws {
    if try await learnEncryption(of: room) {
      throw BackendError(.permanent, "The conversation is encrypted, and this app can't encrypt.")
    }
  }

  /// Finds out whether a room is encrypted, unless it is known: some homeservers encrypt every new room.
  @discardableResult
  func learnEncryption(of room: ConversationRef) async throws -> Bool {
    if let known = memory.encryption[room] { return known }
    let event = try await state(RoomEvent.Kind.encryption, of: room, unless: \.isNotFound)
    // A sync may have shown meanwhile that the room is encrypted.
    let isEncrypted = event != nil || memory.encryption[room] == true
    memory.encryption[room] = isEncrypted
    return isEncrypted
  }
}
