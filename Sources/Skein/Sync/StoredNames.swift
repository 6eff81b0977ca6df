/// The ids of the messages that were stored in a chat that had none before.
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
