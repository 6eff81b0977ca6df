import Foundation
import Skein
import SkeinHTTP
import Testing

enum SeveralProcesses {
  static func options() -> ChatOptions {
    var options = ChatOptions()
    options.sendParticipants = [Signature()]
    return options
  }

  static func openShared(_ session: Session, in shared: URL) async throws -> ChatClient {
    let (kinds, options) = (GettingStarted.kinds(), Self.options())
    let client = try await ChatClient.open(
      account: session.user, backend: HTTPBackend(session), kinds: kinds,
      runtime: .system(directory: shared.appending(path: session.user.rawValue)), options: options)
    client.start()
    return client
  }

  static func suspend(_ client: ChatClient) async {
    await client.stop()
  }

  static func resume(_ client: ChatClient) {
    client.start()
  }

  static func share(_ text: String, to conversation: ConversationID, _ client: ChatClient) async throws {
    try await client.send(TextContent(text), to: conversation)
    await client.close()
  }

  static func title(_ client: ChatClient) -> String {
    let title = client.connectionState == .elsewhere ? "Connected by the app" : "Connected"
    return title
  }
}

@Suite("Several processes")
struct SeveralProcessesArticleTests {
  @Test("If two clients share a folder, the client with the connection sends the other client's message")
  func works() async throws {
    try await ArticleStage.run { stage in
      let shared = stage.folder.appending(path: "shared")
      let app = try await SeveralProcesses.openShared(stage.session, in: shared)
      for await state in app.connectionStates where state == .online { break }
      let conversation = try await app.open(.direct("bob"))
      let sharing = try await SeveralProcesses.openShared(stage.session, in: shared)
      for await state in sharing.connectionStates where state == .elsewhere { break }
      #expect(SeveralProcesses.title(sharing) == "Connected by the app")
      try await SeveralProcesses.share("From the extension", to: conversation, sharing)
      for await update in app.conversations.changes
      where update.snapshot.first?.lastMessage?.status == .sent { break }
      await SeveralProcesses.suspend(app)
      SeveralProcesses.resume(app)
      await app.close()
    }
  }
}
