package import SkeinModel

/// How a ``MemoryServer`` delivers replies.
extension MemoryServer.Room {
  /// The full reference of a message; throws if the message does not exist.
  func reference(_ name: MessageReference) throws -> MessageReference {
    guard let place = name.place(in: messages.map(\.message)) else {
      throw BackendError(.permanent, "There is no such message.")
    }
    return messages[place].message.reference
  }

  /// A message with the current state of the message that it replies to.
  func withQuote(_ message: IncomingMessage) -> IncomingMessage {
    guard let name = message.quote?.message, let place = name.place(in: messages.map(\.message)) else {
      return message
    }
    var message = message
    message.quote = IncomingQuote(messages[place].message)
    return message
  }
}

extension IncomingQuote {
  /// Creates the quote of a message, as replies to it carry it.
  package init(_ message: IncomingMessage) {
    self.init(
      message: message.reference, kind: message.kind, payload: message.payload, revision: message.revision)
  }
}
