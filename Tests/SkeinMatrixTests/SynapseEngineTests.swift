import Foundation
import Skein
import SkeinMatrix
import Testing

/// The engine with a real Synapse.
@Suite("The engine on a Matrix homeserver", .timeLimit(.minutes(2)))
struct SynapseEngineTests {
  private func client(_ user: UserID, _ backend: any ChatBackend, in folder: URL) async throws -> ChatClient {
    let directory = folder.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    var options = ChatOptions()
    (options.pageSize, options.catchUpPageSize) = (7, 5)
    let client = try await ChatClient.open(
      account: user, backend: backend, runtime: .system(directory: directory), options: options)
    client.start()
    return client
  }

  /// Returns the messages once the list has `count` sent messages and no gap. Pages back and fills gaps, as a reader
  /// does.
  private func messages(of chat: ChatContext, count: Int) async throws -> [ChatMessage] {
    var last: [MessageListItem] = []
    for await update in chat.changes {
      last = Array(update.snapshot)
      for case .gap(let gap) in update.snapshot where chat.messages.contains(.gap(gap)) {
        try await chat.fill(gap)
      }
      do {
        if chat.hasMorePreviousMessages { try await chat.fetchMorePreviousMessages() }
      } catch let error as BackendError where error.code == .transient {
        // The first sync has made the page obsolete. Its messages come with the next change.
      }
      let messages = update.snapshot.compactMap(\.message)
      if messages.count == count, update.snapshot.count == count, messages.allSatisfy({ $0.status == .sent })
      {
        return messages
      }
    }
    let shown = last.map { item in
      item.message.map { "\($0.content.displayedText) \($0.status)" } ?? "\(item)"
    }
    throw Unfinished(description: "After the last change, the list has: \(shown.joined(separator: "; "))")
  }

  /// The list never had the expected messages.
  private struct Unfinished: Error, CustomStringConvertible {
    let description: String
  }

  @Test(
    "Paging back after an absence reaches the first message without gaps",
    arguments: SynapseClientTests.addresses)
  func absence(_ address: URL) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-matrix-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let pair = try await SynapseClientTests.Pair(address)
    for number in 1...40 { _ = try await pair.send(#"{"msgtype":"m.text","body":"\#(number)"}"#) }
    let server = try SynapseServer(address)
    let client = try await client(pair.user, try await server.makeBackend(for: pair.user), in: folder)
    let context = client.context(for: try await client.open(.direct(pair.bob.user)))
    try await context.open()
    let texts = try await messages(of: context, count: 40).map(\.content.displayedText)
    #expect(texts == (1...40).map { "\($0)" })
    await client.close()
  }

  @Test(
    "If two users write at the same time, both have the same messages in the same order",
    arguments: SynapseClientTests.addresses)
  func exchange(_ address: URL) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-matrix-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try SynapseServer(address)
    let users = [try await server.makeUser(), try await server.makeUser()]
    var chats: [ChatContext] = []
    var clients: [ChatClient] = []
    for (user, peer) in zip(users, users.reversed()) {
      let client = try await client(user, try await server.makeBackend(for: user), in: folder)
      clients.append(client)
      chats.append(client.context(for: try await client.open(.direct(peer))))
    }
    for chat in chats { try await chat.open() }
    for number in 1...12 {
      for (index, chat) in chats.enumerated() {
        _ = try await chat.messenger.send(TextContent("\(index) \(number)"))
      }
      if number % 4 == 0 { for user in users { try await server.cutConnections(of: user) } }
    }
    var lists: [[String]] = []
    for chat in chats {
      lists.append(try await messages(of: chat, count: 24).map(\.content.displayedText))
    }
    #expect(lists[0] == lists[1])
    for index in chats.indices {
      #expect(lists[0].filter { $0.hasPrefix("\(index) ") } == (1...12).map { "\(index) \($0)" })
    }
    for client in clients { await client.close() }
  }
}
