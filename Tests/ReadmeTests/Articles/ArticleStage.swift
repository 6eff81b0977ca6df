import Foundation
import Skein
import SkeinHTTP
import SkeinServer
import Testing

/// A server of the reference protocol with two signed-in clients, used by the snippets of the articles.
struct ArticleStage {
  let folder: URL
  let url: URL
  let session: Session
  let alice: ChatClient
  let bob: ChatClient

  static func run(_ body: (ArticleStage) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-article-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = ServerOptions(folder: folder.appending(path: "server"))
    options.passwordCost = .minimum
    let server = try await ChatServer.start(options)
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    let alice = try await GettingStarted.signIn(url, "alice")
    let bob = try await GettingStarted.signIn(url, "bob")
    let stage = ArticleStage(
      folder: folder, url: url, session: alice,
      alice: try await GettingStarted.open(alice, in: folder.appending(path: "alice")),
      bob: try await GettingStarted.open(bob, in: folder.appending(path: "bob")))
    try await body(stage)
    await stage.alice.close()
    await stage.bob.close()
    await server.stop()
  }

  /// Waits until Bob's chat with Alice has a message, and opens the chat.
  func bobsChat() async throws -> ChatContext {
    for await update in bob.conversations.changes {
      guard let chat = update.snapshot.first, chat.lastMessage != nil else { continue }
      let context = bob.context(for: chat.id)
      try await context.open()
      return context
    }
    throw CancellationError()
  }
}
