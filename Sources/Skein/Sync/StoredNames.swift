/// The ids of the messages that one answer of the server has added to a chat without stored messages.
struct StoredNames {
  private var messages: Set<MessageID> = []
  private var servers: Set<ServerMessageID> = []

  func contains(_ message: IncomingMessage) -> Bool {
    message.messageID.map(messages.contains) == true || message.serverID.map(servers.contains) == true
  }

  mutating func insert(_ message: IncomingMessage) {
    if let id = message.messageID { messages.insert(id) }
    if let id = message.serverID { servers.insert(id) }
  }
}
