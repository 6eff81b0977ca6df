public import SkeinModel
import SkeinTransport

extension MatrixBackend {
  /// Sends a message. The message's id is the transaction id, and part of the content.
  ///
  /// - Throws: `BackendError`, with `permanent` if the room is encrypted, or if the message is larger than an event may
  ///   be: about 60,000 bytes in all.
  public func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    let content = try OutgoingContent.content(of: message)
    return try await joining(message.conversation) {
      try await checkEncryption(of: message.conversation)
      let id = try await send(
        RoomEvent.Kind.message, content, to: message.conversation, transaction: message.id.rawValue)
      return SendReceipt(serverID: id)
    }
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
    try await learnEncryption(of: room)
    if memory.isEncrypted(room) == true {
      throw BackendError(.permanent, "The conversation is encrypted, and this app can't encrypt.")
    }
  }

  /// Finds out whether a room is encrypted, unless it is known: some homeservers encrypt every new room.
  func learnEncryption(of room: ConversationRef) async throws {
    if memory.isEncrypted(room) == nil {
      memory.learn(room, isEncrypted: try await fetchEncryption(of: room))
    }
  }

  private func fetchEncryption(of room: ConversationRef) async throws -> Bool {
    do {
      _ = try await calls.get(["rooms", room.rawValue, "state", RoomEvent.Kind.encryption, ""])
      return true
    } catch let error as BackendError where error.refusal?.code == "M_NOT_FOUND" {
      return false
    }
  }
}
