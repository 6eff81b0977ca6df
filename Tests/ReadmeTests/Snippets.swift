import Foundation
import Skein
import SkeinHTTP

// The code of README.md, compiled and run: ReadmeTests compares the two line by line.

struct Poll: MessageContent {
  static let kind: MessageKind = "com.example.poll"
  var question: String
  var answers: [String]
}

enum Snippets {
  static func kinds() -> KindRegistry {
    var kinds = KindRegistry.standard
    kinds.register(Poll.self)
    return kinds
  }

  static func signIn(_ server: URL) async throws -> Session {
    let accounts = HTTPAccounts(server: server)
    try await accounts.register("alice", password: "correct horse")
    let session = try await accounts.signIn("alice", password: "correct horse", device: "phone")
    return session
  }

  static func open(_ session: Session, _ kinds: KindRegistry, in folder: URL) async throws -> ChatClient {
    let client = try await ChatClient.open(
      account: session.user, backend: HTTPBackend(session), kinds: kinds,
      runtime: .system(directory: folder))
    client.start()
    return client
  }

  static func send(_ client: ChatClient) async throws -> ChatContext {
    let chat = client.context(for: try await client.open(.direct("bob")))
    try await chat.messenger.send(TextContent("Hello"))
    try await chat.messenger.send(Poll(question: "Lunch?", answers: ["Noodles", "Rice"]))
    return chat
  }

  static func follow(_ chat: ChatContext, show: (MessageList, ListChange) -> Void) async {
    for await update in chat.changes {
      show(update.snapshot, update.change)
    }
  }
}
