import Foundation
import SkeinModel
import SkeinTransport

// The backend of HANDBOOK.md and the article on backends, whole: BoardTests runs the contract's checks on it.

/// A backend for a server that keeps numbered texts in chats, by REST and long polling.
struct BoardBackend: ChatBackend {
  let user: UserID
  let server: URL
  let transport: any HTTPTransport = .system()

  // The board recognizes no message ids, but the envelope returns them: a message whose answer was lost is
  // found again.
  var capabilities: BackendCapabilities {
    BackendCapabilities(idempotency: .none, ordering: .dense, sendDeadline: .seconds(30))
  }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    var last: BoardPoll = try await get("poll")
    await receive(.connected)
    while true {
      let next: BoardPoll = try await get("poll", ["after": "\(last.number)"])
      if next.number > last.number { await receive(.poke) }
      last = next
    }
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    let news: BoardNews = try await get("news", ["after": cursor?.rawValue, "limit": "\(limit)"])
    let deltas = try news.chats.map { entry in
      ConversationDelta(
        info: info(entry.chat), count: entry.count, messages: try entry.posts.map(message))
    }
    return SyncBatch(
      from: cursor, next: SyncCursor(rawValue: news.cursor), hasMore: news.hasMore, conversations: deltas)
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    let before: String?
    switch anchor {
    case .newest: before = nil
    case .before(let position): before = "\(position.rawValue)"
    default: throw BackendError(.unsupported, "The board pages back only.")
    }
    let path = "chats/\(conversation.rawValue)/posts"
    let posts: [BoardPost] = try await get(path, ["before": before, "limit": "\(limit)"])
    return HistoryPage(
      messages: try posts.map(message), reachesStart: posts.first?.number ?? 1 == 1,
      reachesEnd: anchor == .newest)
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    let text = try MessageEnvelope(message).text
    let post: BoardPost = try await post("chats/\(message.conversation.rawValue)/posts", text)
    return SendReceipt(serverID: post.serverID, position: post.position, time: post.timestamp)
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    let chat: BoardChat =
      switch request {
      case .direct(let peer): try await post("chats", BoardChat.Request(members: [peer.rawValue]))
      case .group(let key, let title, let members):
        try await post(
          "chats", BoardChat.Request(key: key, title: title, members: members.map(\.rawValue)))
      case .invitation: throw BackendError(.unsupported, "The board has no invitations.")
      }
    return info(chat)
  }

  private func info(_ chat: BoardChat) -> ConversationInfo {
    let members = chat.members.map { UserID($0) }
    return ConversationInfo(
      ref: ConversationRef(rawValue: chat.id), type: chat.isGroup ? .group : .direct,
      peer: chat.isGroup ? nil : members.first { $0 != user }, title: chat.title, members: members)
  }

  private func message(_ post: BoardPost) throws -> IncomingMessage {
    let envelope = MessageEnvelope(text: post.text)
    return IncomingMessage(
      serverID: post.serverID, messageID: envelope.id, sender: UserID(post.author), position: post.position,
      time: post.timestamp, kind: envelope.kind, payload: envelope.payload, parameters: envelope.parameters)
  }

  // MARK: Requests

  private func get<Answer: Decodable>(_ path: String, _ query: [String: String?] = [:]) async throws -> Answer
  {
    let items = query.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
    return try await answer(
      to: TransportRequest("GET", server.appending(path: path).appending(queryItems: items)))
  }

  func post<Answer: Decodable>(_ path: String, _ body: some Encodable) async throws -> Answer {
    let json = Array(try JSONEncoder().encode(body))
    return try await answer(to: TransportRequest("POST", server.appending(path: path), body: .bytes(json)))
  }

  private func answer<Answer: Decodable>(to request: TransportRequest) async throws -> Answer {
    var request = request
    request.deadline = .seconds(30)  // longer than the server keeps a poll
    request.headers = [("Authorization", "Bearer \(user)")]
    let answer = try await transport.perform(request)
    switch answer.status {
    case 200: return try JSONDecoder().decode(Answer.self, from: Data(answer.body))
    case 401: throw BackendError(.unauthorized, "The session is over.")
    case 410: throw BackendError(.cursorRejected, "The board does not know the cursor.")
    case 400, 404, 413: throw BackendError(.permanent, "The board refuses this.")
    default: throw BackendError(.transient, "The board failed.", outcomeIsUnknown: true)
    }
  }
}

extension BoardPost {
  var serverID: ServerMessageID { ServerMessageID(rawValue: "\(chat).\(number)") }
  var position: Position { Position(rawValue: number) }
  var timestamp: Timestamp { Timestamp(milliseconds: time) }
}
