import Foundation
import SkeinSockets
import Synchronization

struct BoardChat: Codable, Sendable {
  struct Request: Codable {
    var key: String?
    var title: String?
    var members: [String]
  }
  let id: String
  let isGroup: Bool
  let title: String?
  let members: [String]
}

struct BoardPost: Codable, Sendable {
  let chat: String
  let number: Int64
  let author: String
  let text: String
  let time: Int64
}

struct BoardNews: Codable {
  struct Entry: Codable {
    let chat: BoardChat
    let count: Int
    let posts: [BoardPost]
  }
  let cursor: String
  let hasMore: Bool
  let chats: [Entry]
}

struct BoardPoll: Codable {
  /// The number of posts on the whole board.
  let number: Int
}

/// The server of ``BoardBackend``: chats with numbered texts, in memory. The token is the user's name.
final class BoardServer: SocketServerHandler {
  private struct State {
    var chats: [String: BoardChat] = [:]
    var log: [BoardPost] = []
    var polls: [AsyncStream<Int>.Continuation] = []
  }
  private struct Refusal: Error {
    let status: Int
  }
  /// How long a poll is kept without news.
  private static let patience = Duration.seconds(20)
  private let state = Mutex(State())

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    do {
      let body = try await answer(request)
      return HTTPResponse(status: 200, content: .bytes(Array(try JSONEncoder().encode(body))))
    } catch {
      return HTTPResponse(status: (error as? Refusal)?.status ?? 400)
    }
  }

  func serve(_ socket: any WebSocketConnection, opening request: HTTPRequest) async {}

  private func answer(_ request: HTTPRequest) async throws -> any Encodable {
    guard let session = request.headers["Authorization"], session.hasPrefix("Bearer ") else {
      throw Refusal(status: 401)
    }
    let user = String(session.dropFirst(7))
    let path = request.path.split(separator: "/").map(String.init)
    let limit = min(request.parameter("limit").flatMap(Int.init) ?? 100, 100)
    switch (request.method, path.first, path.count) {
    case ("GET", "poll", 1):
      return BoardPoll(number: await poll(after: request.parameter("after").flatMap(Int.init)))
    case ("GET", "news", 1):
      return try news(after: request.parameter("after"), limit, for: user)
    case ("POST", "chats", 1):
      return open(try await decode(BoardChat.Request.self, request), by: user)
    case ("POST", "chats", 3):
      return try add(try await decode(String.self, request), to: path[1], by: user)
    case ("GET", "chats", 3):
      let end = request.parameter("before").flatMap(Int64.init) ?? .max
      return try posts(of: path[1], for: user).filter { $0.number < end }.suffix(limit)
    default: throw Refusal(status: 404)
    }
  }

  private func decode<Body: Decodable>(_ type: Body.Type, _ request: HTTPRequest) async throws -> Body {
    try JSONDecoder().decode(type, from: Data(try await request.body.collect(upTo: 16 << 20)))
  }

  /// Returns the number of posts: at once if this number exceeds `number` or `number` is nil, otherwise after
  /// the next post or after ``patience``.
  private func poll(after number: Int?) async -> Int {
    let (counts, poll) = AsyncStream.makeStream(of: Int.self)
    let count = state.withLock { state in
      state.polls.append(poll)
      return state.log.count
    }
    defer { poll.finish() }
    guard count <= number ?? -1 else { return count }
    return await withTaskGroup(of: Int?.self) { group in
      group.addTask { await counts.first { _ in true } }
      group.addTask {
        let clock = ContinuousClock()
        try? await clock.sleep(for: Self.patience)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next().flatMap(\.self) ?? count
    }
  }

  private func open(_ request: BoardChat.Request, by user: String) -> BoardChat {
    let members = Set(request.members + [user]).sorted()
    let name = request.key.map { "\(user) \($0)" } ?? members.joined(separator: " ")
    return state.withLock { state in
      if let chat = state.chats[name] { return chat }
      let chat = BoardChat(
        id: "\(state.chats.count + 1)", isGroup: request.key != nil, title: request.title, members: members)
      state.chats[name] = chat
      return chat
    }
  }

  private func chat(_ id: String, for user: String, in state: State) throws -> BoardChat {
    guard let chat = state.chats.values.first(where: { $0.id == id && $0.members.contains(user) }) else {
      throw Refusal(status: 404)
    }
    return chat
  }

  private func posts(of id: String, for user: String) throws -> [BoardPost] {
    try state.withLock { state in
      _ = try chat(id, for: user, in: state)
      return state.log.filter { $0.chat == id }
    }
  }

  private func add(_ text: String, to id: String, by user: String) throws -> BoardPost {
    let time = Int64(Date().timeIntervalSince1970 * 1000)
    return try state.withLock { state in
      _ = try chat(id, for: user, in: state)
      let number = Int64(state.log.count { $0.chat == id }) + 1
      let post = BoardPost(chat: id, number: number, author: user, text: text, time: time)
      state.log.append(post)
      for poll in state.polls { poll.yield(state.log.count) }
      state.polls = []
      return post
    }
  }

  private func news(after cursor: String?, _ limit: Int, for user: String) throws -> BoardNews {
    try state.withLock { state in
      let start = try cursor.map { cursor in
        guard cursor.hasPrefix("\(user) "), let number = Int(cursor.dropFirst(user.count + 1)),
          (0...state.log.count).contains(number)
        else { throw Refusal(status: 410) }
        return number
      }
      let news = Dictionary(grouping: state.log.dropFirst(start ?? 0), by: \.chat)
      let chats = news.keys.sorted().compactMap { id in try? chat(id, for: user, in: state) }
      return BoardNews(
        cursor: "\(user) \(state.log.count)", hasMore: false,
        chats: chats.map { chat in
          let posts = news[chat.id] ?? []
          return BoardNews.Entry(chat: chat, count: posts.count, posts: posts.suffix(limit))
        })
    }
  }
}
