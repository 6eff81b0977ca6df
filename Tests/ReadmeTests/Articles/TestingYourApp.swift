import Foundation
import Skein
import SkeinHTTP
import SkeinServer
import SkeinSimulation
import SkeinTesting
import Synchronization
import Testing

/// A backend whose `send` fails while a test has switched it off; all other calls reach the server.
final class SwitchedBackend: ChatBackend {
  private let inner: any ChatBackend
  private let isOnline = Mutex(true)

  init(_ inner: any ChatBackend) { self.inner = inner }

  var capabilities: BackendCapabilities { inner.capabilities }

  func setOnline(_ isOnline: Bool) { self.isOnline.withLock { $0 = isOnline } }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    guard isOnline.withLock(\.self) else { throw BackendError(.unreachable, "The test has no network.") }
    return try await inner.send(message)
  }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    try await inner.run(since: cursor, receive)
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    try await inner.sync(since: cursor, limit: limit)
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    try await inner.history(of: conversation, at: anchor, limit: limit)
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo { try await inner.open(request) }
}

enum TestingYourApp {
  static func startServer(in folder: URL) async throws -> ChatServer {
    var options = ServerOptions(folder: folder)
    options.passwordCost = .minimum
    let server = try await ChatServer.start(options)
    return server
  }

  static func temporaryFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }

  static func failure(_ chat: ChatContext, _ backend: SwitchedBackend) async throws {
    backend.setOnline(false)
    let sent = try await chat.messenger.send(TextContent("Hello"))
    for await state in sent.progress where state == .waitingForConnection { break }
    backend.setOnline(true)
  }

  static func participant() {
    var draft = MessageDraft(
      conversation: ConversationID(rawValue: 1), messageID: MessageID(rawValue: "1"),
      content: .known(TextContent("Hello")))
    Signature().contribute(to: &draft)
    #expect(draft.parameters["client"] == "example/1.0")
  }

  static func unknownKind() {
    let old = KindRegistry(TextContent.self)
    let content = old.decode("com.example.invitation", Data("{}".utf8))
    #expect(content.displayedText == "[com.example.invitation]")
  }

  static func runtime(in folder: URL) -> Runtime {
    var runtime = Runtime.system(directory: folder)
    runtime.now = { Timestamp(milliseconds: 1_700_000_000_000) }
    return runtime
  }

  static func contract(_ accounts: HTTPAccounts) async throws {
    let summary = try await CheckRun().runAll { StagingServer(accounts: accounts) }
    #expect(summary.failures.isEmpty, "\(summary)")
  }

  static func simulate() throws {
    let outcome = try Simulation.run(seed: 7, in: Simulation.folder)
    #expect(outcome.violations.isEmpty, "seed \(outcome.seed)")
  }
}

@Suite("Testing your app")
struct TestingYourAppArticleTests {
  @Test("The article's snippets test a participant, a kind, and an outage")
  func works() async throws {
    TestingYourApp.participant()
    TestingYourApp.unknownKind()
    try await TestingYourApp.temporaryFolder { folder in
      let server = try await TestingYourApp.startServer(in: folder)
      let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
      let session = try await GettingStarted.signIn(url, "alice")
      _ = try await GettingStarted.signIn(url, "bob")
      let backend = SwitchedBackend(HTTPBackend(session))
      let client = try await ChatClient.open(
        account: "alice", backend: backend,
        runtime: TestingYourApp.runtime(in: folder.appending(path: "alice")))
      client.start()
      let chat = try await GettingStarted.openChat(client)
      try await TestingYourApp.failure(chat, backend)
      await client.close()
      await server.stop()
    }
  }
}
