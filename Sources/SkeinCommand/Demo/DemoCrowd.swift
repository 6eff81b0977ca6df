import Foundation
import Skein
import SkeinHTTP

/// A chat that fills up while Bob is away.
struct DemoChat: Sendable, Equatable {
  /// The group's title or the other user's name.
  let name: String
  let isGroup: Bool
  /// The total number of the others' messages, spread equally over the days.
  let count: Int
}

/// The people who write 5,000 messages in 30 chats while Bob is away. Each person has one socket.
actor DemoCrowd {
  static let people = ["carol", "dave", "erin"]
  /// The days on which the people write, counted back from today.
  static let daysAgo = [10, 8, 6, 4, 2]
  /// The chats. The first chat is by far the longest, and no two chats have the same length.
  static let chats =
    [DemoChat(name: "Choir", isGroup: true, count: 650)]
    + (people + groups).enumerated().map { index, name in
      DemoChat(name: name, isGroup: index >= people.count, count: (index + 1) * 10)
    }
  /// The number of messages that catching up fetches for each chat.
  static let newest = 20
  /// The unread counts once everything is written, including Bob's chat with Alice.
  static let unread = Dictionary(
    [("alice", 0)] + chats.map { ($0.name, $0.count) }, uniquingKeysWith: { first, _ in first })
  private static let groups = """
    Chess Garden Kitchen Rowing Cinema Bakery Football Orchestra Theatre Hiking Sailing Pottery Neighbours \
    Allotment Parents School Cycling Swimming Library Market Museum Painting Tennis Yoga Travel Festival
    """.split(separator: " ").map(String.init)

  private let server: URL
  private let password: String
  private var sessions: [Session] = []
  private var posted = 0

  /// - Parameter server: The address of the server.
  ///
  /// - Throws: ``DemoFailure`` if the address is invalid.
  init(server: String, password: String) throws {
    guard let url = URL(string: server) else { throw DemoFailure("no address: \(server)") }
    self.server = url
    self.password = password
  }

  /// Registers the people and signs them in.
  func register() async throws {
    let accounts = HTTPAccounts(server: server)
    for person in Self.people {
      try await accounts.register(UserID(rawValue: person), password: password)
      sessions.append(try await accounts.signIn(UserID(rawValue: person), password: password))
    }
  }

  /// Posts the messages of a day. All chats are filled at the same time, each in order.
  ///
  /// - Parameters:
  ///   - day: The number of the day, from 0.
  ///   - ids: The server's id of each chat, by name.
  ///   - progress: Called after each chat, with the total number of messages posted since the first day.
  func write(day: Int, in ids: [String: String], _ progress: @Sendable (Int) async -> Void) async throws {
    var options = HTTPOptions()
    options.sending = .socket
    let people = sessions.map { HTTPBackend($0, options: options) }
    // A token is valid for one day, and days pass between two calls.
    for person in people { try await person.renewSession() }
    let sockets = try await Self.connect(people)
    defer { for socket in sockets { socket.cancel() } }
    try await withThrowingTaskGroup(of: Int.self) { group in
      for chat in Self.chats {
        guard let id = ids[chat.name] else { throw DemoFailure("the server has no chat \(chat.name)") }
        group.addTask {
          let posts = Self.posts(of: chat, day: day, in: ConversationRef(rawValue: id))
          for (sender, message) in posts { _ = try await people[sender].send(message) }
          return posts.count
        }
      }
      for try await count in group {
        posted += count
        await progress(posted)
      }
    }
  }

  /// Opens everybody's socket. Each socket stays open until its task is cancelled.
  private static func connect(_ people: [HTTPBackend]) async throws -> [Task<Void, Never>] {
    let (opened, opening) = AsyncStream<Void>.makeStream()
    let sockets = people.map { person in
      Task {
        try? await person.run(since: nil) { if $0 == .connected { opening.yield() } }
        opening.finish()
      }
    }
    var count = 0
    for await _ in opened {
      count += 1
      if count == people.count { return sockets }
    }
    for socket in sockets { socket.cancel() }
    throw DemoFailure("the server accepts no socket")
  }

  /// The messages of a chat on a day, with their senders. In a group, the people write in turn.
  private static func posts(of chat: DemoChat, day: Int, in ref: ConversationRef) -> [(
    sender: Int, message: OutgoingMessage
  )] {
    let each = chat.count / daysAgo.count
    return (day * each + 1...(day + 1) * each).map { number in
      let text = #"{"text":"\#(chat.name), message \#(number) of \#(chat.count)"}"#
      return (
        chat.isGroup ? number % people.count : people.firstIndex(of: chat.name) ?? 0,
        OutgoingMessage(
          id: MessageID(rawValue: "\(chat.name)-\(number)"), conversation: ref, kind: "text",
          payload: Data(text.utf8))
      )
    }
  }
}
