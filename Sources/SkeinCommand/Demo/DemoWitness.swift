/// Reads the server's state with plain HTTP requests, to compare the clients with it.
actor DemoWitness {
  /// A message of the server.
  struct Message: Decodable, Sendable {
    let id: String
    let position: Int
    let sender: String
    let time: Int64
    let kind: String
    let content: String
  }
  /// A conversation of the server, from the user's view.
  struct Conversation: Decodable, Sendable {
    let id: String
    let peer: String?
    let title: String?
    let readPosition: Int

    /// The other user's name or the title.
    var name: String { peer ?? title ?? "" }
  }
  private struct Page: Decodable {
    let messages: [Message]
    let reachesEnd: Bool
  }
  private struct Sync: Decodable {
    struct Change: Decodable { let conversation: Conversation }
    let conversations: [Change]
    let hasMore: Bool
  }

  private let requests: DemoRequests

  /// Reads the server as this user.
  init(server: String, user: String, password: String) {
    requests = DemoRequests(server: server, user: user, password: password)
  }

  /// The user's conversations.
  ///
  /// - Throws: ``DemoFailure`` if the server refuses a request, or if one response can't hold all
  ///   conversations.
  func conversations() async throws -> [Conversation] {
    let sync = try await requests.get("sync?limit=1", as: Sync.self)
    guard !sync.hasMore else { throw DemoFailure("the server has more conversations than a demo needs") }
    return sync.conversations.map(\.conversation)
  }

  /// Every message of the user's chat with another user, by position; empty if there is no chat.
  func history(with peer: String) async throws -> [Message] {
    guard let conversation = try await conversations().first(where: { $0.peer == peer }) else { return [] }
    return try await history(of: conversation)
  }

  /// Every message of a conversation, by position.
  ///
  /// - Throws: ``DemoFailure`` if the server refuses a request, or if positions are missing or duplicate.
  func history(of conversation: Conversation) async throws -> [Message] {
    var messages: [Message] = []
    while true {
      let after = messages.last?.position ?? 0
      let page = try await requests.get(
        "conversations/\(conversation.id)/messages?after=\(after)&limit=200", as: Page.self)
      messages += page.messages
      if page.reachesEnd || page.messages.isEmpty { break }
    }
    guard messages.map(\.position).elementsEqual((0..<messages.count).map { $0 + 1 }) else {
      throw DemoFailure("the server's positions are not 1 to \(messages.count)")
    }
    return messages
  }
}
