import Foundation
import Skein
import SkeinSockets
import SkeinTesting
import Testing

/// A board for the checks, on a port of its own.
struct BoardTestServer: TestServer {
  let server: SocketServer
  let url: URL

  init() async throws {
    server = try await SocketServer.start(handler: BoardServer())
    url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
  }

  func makeUser() async throws -> UserID { UserID("user-\(UUID().uuidString)") }

  func makeBackend(for user: UserID) async throws -> any ChatBackend { BoardBackend(user: user, server: url) }

  // One answer to a sync has all conversations with new posts.
  var batchSize: Int? { nil }

  func finish() async { await server.stop() }
}

@Suite("The handbook's backend, by REST and long polling", .serialized)
struct BoardTests {
  @Test("The backend fulfills the contract", arguments: BackendCheck.all)
  func contract(_ check: BackendCheck) async throws {
    try await check.run(on: try await BoardTestServer())
  }

  @Test("The backend has fewer than 150 lines")
  func size() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "BoardBackend.swift")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 150)
  }

  @Test("A message of a custom kind reaches another client unchanged")
  func runs() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-board-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let board = try await BoardTestServer()
    func open(_ user: UserID) async throws -> ChatClient {
      let client = try await ChatClient.open(
        account: user, backend: try await board.makeBackend(for: user), kinds: Snippets.kinds(),
        runtime: .system(directory: folder.appending(path: user.rawValue)))
      client.start()
      return client
    }
    let (alice, bob) = (try await open("alice"), try await open("bob"))
    let poll = Poll(question: "Lunch?", answers: ["Noodles", "Rice"])
    let chat = try await alice.open(.group(id: "lunch", title: "Lunch", members: ["bob"]))
    let sent = try await alice.send(poll, to: chat).result
    #expect(sent.status == .sent)
    for await update in bob.conversations.changes {
      guard let message = update.snapshot.first?.lastMessage else { continue }
      #expect(message.content.as(Poll.self) == poll)
      #expect(message.sender == "alice" && message.messageID == sent.messageID)
      break
    }
    await alice.close()
    await bob.close()
    await board.finish()
  }
}
