import Foundation
import Skein
import SkeinTesting
import Testing

/// On a server that fulfills the contract, the engine keeps its own promises.
@Suite("The engine on servers that fulfill the contract", .timeLimit(.minutes(2)))
struct EngineTests {
  static let styles = [ServerStyle.dense, .sparse]

  private func client(
    _ user: UserID, on server: StyledServer, in folder: URL, _ options: ChatOptions = ChatOptions()
  ) async throws -> ChatClient {
    let directory = folder.appending(path: user.rawValue)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let client = try await ChatClient.open(
      account: user, backend: try await server.makeBackend(for: user), runtime: .system(directory: directory),
      options: options)
    client.start()
    return client
  }

  /// Returns the messages once the list has `count` sent messages and no gap. Fills gaps, as a reader does.
  private func messages(of chat: ChatContext, count: Int) async throws -> [ChatMessage] {
    for await update in chat.changes {
      for case .gap(let gap) in update.snapshot where chat.messages.contains(.gap(gap)) {
        try await chat.fill(gap)
      }
      let messages = update.snapshot.compactMap(\.message)
      if messages.count == count, update.snapshot.count == count, messages.allSatisfy({ $0.status == .sent })
      {
        return messages
      }
    }
    throw CancellationError()
  }

  @Test(
    "Messages sent while a user is away are counted, and paging back reaches the first one without gaps",
    arguments: styles)
  func absence(_ style: ServerStyle) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-testing-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = StyledServer(style)
    let (alice, bob) = (try await server.makeUser(), try await server.makeUser())
    let backend = try await server.makeBackend(for: alice)
    let chat = try await backend.open(.direct(bob)).ref
    for number in 1...60 {
      _ = try await backend.send(
        OutgoingMessage(
          id: MessageID(rawValue: "m\(number)"), conversation: chat, kind: "text",
          payload: Data(#"{"text":"\#(number)"}"#.utf8)))
    }
    var options = ChatOptions()
    (options.pageSize, options.catchUpPageSize) = (7, 5)
    let client = try await client(bob, on: server, in: folder, options)
    for await update in client.conversations.changes where update.snapshot.first?.unreadCount == 60 { break }
    let context = client.context(for: try await client.open(.direct(alice)))
    try await context.open()
    while context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    let texts = try await messages(of: context, count: 60).map(\.content.displayedText)
    #expect(texts == (1...60).map { "\($0)" })
    await client.close()
  }

  @Test(
    "If two users write at the same time, both have the same list despite lost answers and cut connections",
    arguments: styles)
  func exchange(_ style: ServerStyle) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-testing-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = StyledServer(style)
    let (alice, bob) = (try await server.makeUser(), try await server.makeUser())
    let clients = [
      try await client(alice, on: server, in: folder), try await client(bob, on: server, in: folder),
    ]
    var chats: [ChatContext] = []
    for (client, peer) in zip(clients, [bob, alice]) {
      chats.append(client.context(for: try await client.open(.direct(peer))))
    }
    for number in 1...20 {
      for chat in chats { try await chat.messenger.send(TextContent("\(number)")) }
      if number % 5 == 0 { try await server.loseNextAnswer(to: alice, by: .cut) }
      if number % 7 == 0 { try await server.cutConnections(of: bob) }
    }
    let lists = (
      try await messages(of: chats[0], count: 40).map(\.serverID),
      try await messages(of: chats[1], count: 40).map(\.serverID)
    )
    let witness = try await server.makeBackend(for: alice)
    let ref = try await witness.open(.direct(bob)).ref
    let stored = try await witness.history(of: ref, at: .newest, limit: 100).messages.map(\.serverID)
    #expect(lists.0 == stored && lists.1 == stored)
    for client in clients { await client.close() }
  }
}
