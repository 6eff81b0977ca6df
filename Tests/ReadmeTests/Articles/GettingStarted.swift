import Foundation
import Skein
import SkeinHTTP
import Testing

enum GettingStarted {
  static func signIn(_ server: URL, _ user: UserID) async throws -> Session {
    let accounts = HTTPAccounts(server: server)
    do {
      try await accounts.register(user, password: "correct horse")
    } catch let error as BackendError where error.code == .userExists {}
    let session = try await accounts.signIn(user, password: "correct horse", device: "phone")
    return session
  }

  static func open(_ session: Session, in folder: URL) async throws -> ChatClient {
    let kinds = Self.kinds()
    let client = try await ChatClient.open(
      account: session.user, backend: HTTPBackend(session), kinds: kinds,
      runtime: .system(directory: folder))
    client.start()
    return client
  }

  static func kinds() -> KindRegistry {
    var kinds = KindRegistry.standard
    kinds.register(Invitation.self)
    return kinds
  }

  static func openChat(_ client: ChatClient) async throws -> ChatContext {
    let conversation = try await client.open(.direct("bob"))
    let chat = client.context(for: conversation)
    return chat
  }

  static func send(_ chat: ChatContext) async throws {
    try await chat.messenger.send(TextContent("Hello"))
    try await chat.messenger.send(Invitation(place: "Café Central", hour: 20))
  }

  static func follow(_ chat: ChatContext, show: (MessageList, ListChange) -> Void) async {
    for await update in chat.changes {
      show(update.snapshot, update.change)
    }
  }

  static func followChats(_ client: ChatClient, show: (String, Int, String?) -> Void) async {
    for await update in client.conversations.changes {
      for entry in update.snapshot {
        show(entry.name, entry.unreadCount, entry.lastMessage?.content.displayedText)
      }
    }
  }

  static func end(_ client: ChatClient) async {
    await client.close()
  }
}

struct Invitation: MessageContent {
  static let kind: MessageKind = "com.example.invitation"
  var place: String
  var hour: Int
  var displayedText: String { "Meet at \(place) at \(hour)" }
}

@Suite("Getting started")
struct GettingStartedTests {
  @Test("The article's steps lead from a new account to two messages that another user receives")
  func works() async throws {
    try await ArticleStage.run { stage in
      #expect(try await GettingStarted.signIn(stage.url, "alice").user == "alice")
      try await GettingStarted.send(try await GettingStarted.openChat(stage.alice))
      let chat = try await stage.bobsChat()
      for await update in chat.changes where update.snapshot.count == 2 {
        #expect(update.snapshot.last?.message?.content.displayedText == "Meet at Café Central at 20")
        break
      }
      await GettingStarted.end(stage.alice)
    }
  }
}
