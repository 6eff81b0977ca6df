public import SkeinModel

extension MatrixBackend {
  /// Moves the account's read mark forward, for all its clients. The other members learn it only if
  /// ``MatrixOptions/sendsReadReceipts`` is true.
  public func markRead(_ conversation: ConversationRef, upTo mark: MessageMark, in epoch: Epoch?) async throws
  {
    guard let id = mark.serverID else {
      throw BackendError(.permanent, "Read marks of this homeserver are ids of messages.")
    }
    // The marker tells other clients where the new messages begin. It is not read here, since it may be behind the receipt.
    let receipt = options.sendsReadReceipts ? "m.read" : "m.read.private"
    let marks: JSONValue = ["m.fully_read": .string(id.rawValue), receipt: .string(id.rawValue)]
    _ = try await asMember(of: conversation) {
      do {
        try await calls.post(["rooms", conversation.rawValue, "read_markers"], marks)
      } catch let error as BackendError where error.code == .permanent {
        // The message is in the room that this room replaces, and everything there is older than this room.
        guard try await predecessor(of: conversation) != nil,
          try await event(id, in: conversation) == nil
        else { throw error }
      }
    }
  }

  /// Reports that the account is typing; the homeserver forgets it after ten seconds.
  public func noteTyping(in conversation: ConversationRef) async throws {
    try await calls.put(
      ["rooms", conversation.rawValue, "typing", user.rawValue], ["typing": true, "timeout": 10_000])
  }
}
