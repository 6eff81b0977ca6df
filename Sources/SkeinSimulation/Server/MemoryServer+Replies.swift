package import SkeinModel

/// What a ``MemoryServer`` hands over with replies.
extension MemoryServer.Room {
  /// A message by all its names; throws where it is not there.
  func reference(_ name: MessageReference) throws -> MessageReference {
    guard let place = name.place(in: messages.map(\.message)) else {
      throw BackendError(.permanent, "There is no such message.")
    }
    return messages[place].message.reference
  }

  /// A message with what it replies to, as that is now.
  func handedOver(_ message: IncomingMessage) -> IncomingMessage {
    guard let name = message.quote?.message, let place = name.place(in: messages.map(\.message)) else {
      return message
    }
    var message = message
    message.quote = IncomingQuote(messages[place].message)
    return message
  }
}

extension IncomingQuote {
  /// A message as another one hands it over that replies to it.
  package init(_ message: IncomingMessage) {
    self.init(
      message: message.reference, kind: message.kind, payload: message.payload, revision: message.revision)
  }
}
