import Foundation
import Skein
import SkeinHTTP
import SkeinTesting
import Testing

// Code of README.md, HANDBOOK.md, Documentation/backends.md and the articles. ReadmeTests compares this file
// with the documents. Tests of this target run some of the code.

struct Poll: MessageContent {
  static let kind: MessageKind = "com.example.poll"
  var question: String
  var answers: [String]
  var displayedText: String { question }
}

struct Verification: SendParticipant {
  let isVerified: @Sendable () -> Bool

  // Sent with every message, to the server and the receivers, byte for byte in every attempt.
  func contribute(to draft: inout MessageDraft) {
    draft.parameters["client"] = "example/1.0"
  }

  // Stopped and kept: the message is in the list as failed, and a retry passes here again.
  func intercept(_ draft: inout MessageDraft) -> SendDecision {
    isVerified() ? .proceed : .reject(SendFailure(.rejected, "Verify your account first."))
  }
}

struct TextCheck: SendParticipant {
  let service: CheckService

  func needsPreparation(_ draft: MessageDraft) -> Bool { draft.kind == TextContent.kind }

  func prepare(_ draft: inout MessageDraft) async throws {
    guard var content = draft.content.as(TextContent.self) else { return }
    let verdict = try await service.check(content.text)
    if verdict.isRefused { throw SendFailure(.rejected, "This can't be said here.") }
    content.text = verdict.text
    draft.content = .known(content)
    draft.parameters["check"] = verdict.token
  }
}

/// Stands for an app's own server, which checks texts.
struct CheckService: Sendable {
  struct Verdict: Sendable {
    let isRefused: Bool
    let text: String
    let token: String
  }

  func check(_ text: String) async throws -> Verdict {
    Verdict(isRefused: text == "spam", text: text.capitalized, token: "checked")
  }
}

/// Stands for an app's own code, which fetches web pages.
struct Pages: Sendable {
  func preview(of url: URL) async throws -> LinkPreview? { LinkPreview(url: url, title: "A page") }
}

/// Stands for the user of an app, who answers questions.
struct Person: Sendable {
  func confirms(_ question: String) async -> Bool { !question.isEmpty }
}

struct StagingServer: TestServer {
  let accounts: HTTPAccounts

  func makeUser() async throws -> UserID {
    let user = UserID("check-\(UUID().uuidString.lowercased())")
    try await accounts.register(user, password: "open sesame")
    return user
  }

  func makeBackend(for user: UserID) async throws -> any ChatBackend {
    HTTPBackend(try await accounts.signIn(user, password: "open sesame"))
  }

  // The number of conversations in one answer of this server.
  var batchSize: Int? { 100 }
}

actor ProcessServer: CuttableServer, LossyServer {
  private let server: ServerProcess
  private var relays: [UserID: [Relay]] = [:]

  init(_ program: URL, data folder: URL) async throws {
    let command = ServerCommand(
      program, arguments: ["serve", "--port", "0", "--data", folder.path], port: /listening on http:.*:(\d+)/)
    server = try await command.start()
  }

  private func accounts(port: Int) throws -> HTTPAccounts {
    guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
    return HTTPAccounts(server: url)
  }

  func makeUser() async throws -> UserID {
    let user = UserID("check-\(UUID().uuidString.lowercased())")
    try await accounts(port: server.port).register(user, password: "open sesame")
    return user
  }

  func makeBackend(for user: UserID) async throws -> any ChatBackend {
    let relay = try Relay(toPort: server.port)
    relays[user, default: []].append(relay)
    return HTTPBackend(try await accounts(port: relay.port).signIn(user, password: "open sesame"))
  }

  func cutConnections(of user: UserID) async throws {
    for relay in relays[user] ?? [] { relay.cutWebSockets() }
  }

  func loseNextAnswer(to user: UserID, by loss: AnswerLoss) async throws {
    for relay in relays[user] ?? [] { relay.loseNextAnswer(by: loss) }
  }

  func finish() async {
    for relay in relays.values.joined() { relay.close() }
    await server.stop()
  }

  nonisolated var batchSize: Int? { 100 }
}

enum KitSnippets {
  static func relay(to server: ServerProcess) throws {
    let relay = try Relay(toPort: server.port)
    relay.cut()
    relay.loseNextAnswer(by: .silence)
    relay.close()
  }

  static func status(of program: URL, askStatus: (_ port: Int) async throws -> String) async throws -> String
  {
    let command = ServerCommand(
      program, arguments: ["serve", "--port", "0"], port: /listening on http:.*:(\d+)/)
    let status = try await command.run { server in try await askStatus(server.port) }
    return status
  }

  static func check(_ accounts: HTTPAccounts) async throws -> CheckSummary {
    let summary = try await CheckRun().runAll { StagingServer(accounts: accounts) }
    for failure in summary.failures { print(failure) }
    return summary
  }
}

enum Snippets {
  static func warn(_ outcome: CheckOutcome) {
    if case .skipped(let reason) = outcome { Issue.record("Skipped: \(reason)", severity: .warning) }
  }

  static func kinds() -> KindRegistry {
    var kinds = KindRegistry.standard
    kinds.register(Poll.self)
    return kinds
  }

  static func signIn(_ server: URL) async throws -> Session {
    let accounts = HTTPAccounts(server: server)
    do {
      try await accounts.register("alice", password: "correct horse")
    } catch let error as BackendError where error.code == .userExists {}
    let session = try await accounts.signIn("alice", password: "correct horse", device: "phone")
    return session
  }

  static func participants(isVerified: @escaping @Sendable () -> Bool, service: CheckService) -> ChatOptions {
    var options = ChatOptions()
    options.sendParticipants = [Verification(isVerified: isVerified), TextCheck(service: service)]
    return options
  }

  static func previews(_ pages: Pages) -> ChatOptions {
    var options = ChatOptions()
    options.sendParticipants = [LinkPreviews { url in try await pages.preview(of: url) }]
    return options
  }

  static func open(_ session: Session, _ kinds: KindRegistry, in folder: URL) async throws -> ChatClient {
    let client = try await ChatClient.open(
      account: session.user, backend: HTTPBackend(session), kinds: kinds,
      runtime: .system(directory: folder))
    client.start()
    return client
  }

  static func erase(
    _ client: ChatClient, of session: Session, asking user: Person, forget: (Session) throws -> Void
  ) async throws {
    do {
      try await client.erase()
    } catch let error as ChatError where error.code == .unsentMessages {
      guard await user.confirms(error.message) else { return }
      try await client.erase(evenUnsent: true)
    }
    try await HTTPAccounts(server: session.server).signOut(session)
    try forget(session)
  }

  static func suspend(_ client: ChatClient) async {
    await client.stop()
    client.start()
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

  static func drawAll(_ chat: ChatContext, draw: (UserID?, String) -> Void) async {
    for await update in chat.changes {
      for item in update.snapshot {
        switch item {
        case .message(let message): draw(message.sender, message.content.displayedText)
        case .gap(let gap): draw(nil, gap.unreadCount.map { "\($0) more" } ?? "more")
        }
      }
    }
  }
}
