import Foundation

/// One of the chats that fill up while Bob is away.
struct DemoChat: Sendable, Equatable {
  /// A group's title, or who it is with.
  let name: String
  let isGroup: Bool
  /// How many messages are written in it, as many on each of the days.
  let count: Int
}

/// The people who write to Bob while he is away, 5,000 messages in 30 chats, with bare requests.
actor DemoCrowd {
  static let people = ["carol", "dave", "erin"]
  /// On which days they write, counted back from today.
  static let daysAgo = [10, 8, 6, 4, 2]
  /// The first one is by far the longest; no two are alike.
  static let chats =
    [DemoChat(name: "Choir", isGroup: true, count: 650)]
    + (people + groups).enumerated().map { index, name in
      DemoChat(name: name, isGroup: index >= people.count, count: (index + 1) * 10)
    }
  /// How many messages of each chat catching up brings.
  static let newest = 20
  /// What is unread once everything is written, in Bob's chat with Alice as well.
  static let unread = Dictionary(
    [("alice", 0)] + chats.map { ($0.name, $0.count) }, uniquingKeysWith: { first, _ in first })
  private static let groups = """
    Chess Garden Kitchen Rowing Cinema Bakery Football Orchestra Theatre Hiking Sailing Pottery Neighbours \
    Allotment Parents School Cycling Swimming Library Market Museum Painting Tennis Yoga Travel Festival
    """.split(separator: " ").map(String.init)

  private let server: String
  private let requests: [DemoRequests]
  private var posted = 0

  /// Will write to a server.
  init(server: String, password: String) {
    self.server = server
    requests = Self.people.map { DemoRequests(server: server, user: $0, password: password) }
  }

  /// Makes everybody's account.
  func register() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for requests in requests { group.addTask { try await requests.register() } }
      try await group.waitForAll()
    }
  }

  /// Has a day's messages written, in all chats at the same time, in each of them one after the other.
  ///
  /// - Parameters:
  ///   - day: counted from 0.
  ///   - ids: the server's name for each chat, by the chat's.
  ///   - progress: hears after each chat how many messages the server has taken since the first day.
  func write(day: Int, in ids: [String: String], _ progress: @Sendable (Int) async -> Void) async throws {
    var tokens: [String] = []
    for requests in requests { tokens.append(try await requests.accessToken()) }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for chat in Self.chats {
        guard let id = ids[chat.name] else { throw DemoFailure("the server has no chat \(chat.name)") }
        let posts = try Self.posts(of: chat, day: day, tokens)
        group.addTask { [server] in
          try await DemoPosts.send(posts, to: "conversations/\(id)/messages", at: server)
          return posts.count
        }
      }
      for try await count in group {
        posted += count
        await progress(posted)
      }
    }
  }

  /// What is written in a chat on a day: in a group by everybody in turn.
  private static func posts(of chat: DemoChat, day: Int, _ tokens: [String]) throws -> [(
    token: String, body: Data
  )] {
    let each = chat.count / daysAgo.count
    return try (day * each + 1...(day + 1) * each).map { number in
      let sender = chat.isGroup ? number % tokens.count : people.firstIndex(of: chat.name) ?? 0
      let body = [
        "id": "\(chat.name)-\(number)", "kind": "text",
        "content": #"{"text":"\#(chat.name), message \#(number) of \#(chat.count)"}"#,
      ]
      return (tokens[sender], try JSONEncoder().encode(body))
    }
  }
}
