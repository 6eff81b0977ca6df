package import SkeinModel

extension MemoryServer {
  /// One push channel.
  package struct Connection: Sendable {
    let number: Int
    package let user: UserID
    package let device: String
    let continuation: AsyncStream<BackendEvent>.Continuation
  }
}

/// The presence that a ``MemoryServer`` reports.
extension MemoryServer.State {
  /// The users who have a push channel, sorted by id.
  var online: [UserID] { Self.users(of: connections) }

  /// Whether two users share a conversation.
  func shareConversation(_ one: UserID, _ other: UserID) -> Bool {
    one != other
      && rooms.contains { $0.info.members?.contains(one) == true && $0.info.members?.contains(other) == true }
  }

  /// Reports each user who came online or went offline. The report goes to the connected users who share a
  /// conversation with that user.
  func reportPresences(since before: [MemoryServer.Connection]) {
    let (old, new) = (Self.users(of: before), online)
    let changed = new.filter { !old.contains($0) } + old.filter { !new.contains($0) }
    for user in changed {
      for connection in connections where shareConversation(user, connection.user) {
        connection.continuation.yield(.presence(user, Presence(isOnline: new.contains(user))))
      }
    }
  }

  /// Reports the connected members of a conversation to each other as online. Called when members begin to
  /// share the conversation.
  func reportPresences(in info: ConversationInfo) {
    let members = info.members ?? []
    for connection in connections where members.contains(connection.user) {
      for peer in online where peer != connection.user && members.contains(peer) {
        connection.continuation.yield(.presence(peer, .online))
      }
    }
  }

  private static func users(of connections: [MemoryServer.Connection]) -> [UserID] {
    Set(connections.map(\.user)).sorted { $0.rawValue < $1.rawValue }
  }
}
