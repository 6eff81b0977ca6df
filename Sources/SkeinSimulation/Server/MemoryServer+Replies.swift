package import SkeinModel

/// How a ``MemoryServer`` shows messages to a user.
extension MemoryServer.Room {
  /// The full reference of a message; throws if the message does not exist.
  func reference(_ name: MessageReference) throws -> MessageReference {
    guard let place = name.place(in: messages.lazy.map(\.message)) else {
      throw BackendError(.permanent, "There is no such message.")
    }
    return messages[place].message.reference
  }

  /// A message as a user sees it, with the current state of the message that it replies to.
  func shown(_ stored: MemoryServer.Stored, to user: UserID) -> IncomingMessage {
    var message = stored.message(for: user)
    guard let name = message.quote?.message, let place = name.place(in: messages.lazy.map(\.message)) else {
      return message
    }
    message.quote = IncomingQuote(messages[place].message(for: user))
    return message
  }
}

extension IncomingQuote {
  /// Creates a quote of a message, for the replies to that message.
  package init(_ message: IncomingMessage) {
    self.init(
      message: message.reference, kind: message.kind, payload: message.payload, revision: message.revision)
  }
}
