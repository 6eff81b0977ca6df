import SkeinModel

extension IncomingMessage {
  /// A mark of this message.
  var mark: MessageMark { MessageMark(position: position, serverID: serverID) }
}

extension MessageMark {
  /// Whether the mark is that of a message: by the positions if both have one, otherwise by the server ids.
  func names(_ message: IncomingMessage) -> Bool {
    if let position, let other = message.position { return position == other }
    return serverID != nil && serverID == message.serverID
  }
}

extension CaughtUp {
  /// The last message of a conversation. The check fails if there is none.
  func last(in conversation: ConversationRef) throws -> IncomingMessage {
    guard let last = messages(in: conversation).last else {
      throw CheckEnd.failed("The sync returned no message of the conversation.")
    }
    return last
  }
}

/// Fails the check unless a mark is that of a message.
func expect(_ mark: MessageMark?, names message: IncomingMessage, _ what: String) throws {
  try expect(
    mark?.names(message) == true, "\(what) is \(mark.map { "\($0)" } ?? "missing"), not \(message.mark).")
}
