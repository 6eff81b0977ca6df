import Foundation
import Skein
import SkeinHTTP
import SkeinServer
import SkeinTesting
import Synchronization
import Testing

@Suite("The README")
struct ReadmeTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test(
    "Each line of Swift in the documents is compiled, in the same order",
    arguments: ["README.md", "HANDBOOK.md", "Documentation/backends.md", "Documentation/surfaces.md"])
  func compiled(_ file: String) throws {
    let readme = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    let snippets = try [
      "ReadmeTests/Snippets.swift", "ReadmeTests/CardSnippets.swift", "ReadmeTests/BackendSnippets.swift",
      "SkeinTestingTests/ReferenceServerTests.swift",
    ].map {
      try String(contentsOf: Self.root.appending(path: "Tests/\($0)"), encoding: .utf8)
    }.joined()
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks.count >= 2)
    let compiled = lines(snippets).joined(separator: "\n")
    for block in blocks {
      for part in block.components(separatedBy: "\n\n") {
        let code = lines(part).joined(separator: "\n")
        #expect(compiled.contains(code), "not compiled:\n\(part)")
      }
    }
  }

  /// A server that knows bob.
  private func startServer(in folder: URL) async throws -> (ChatServer, URL) {
    var options = ServerOptions(folder: folder.appending(path: "server"))
    options.passwordCost = .minimum
    let server = try await ChatServer.start(options)
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    try await HTTPAccounts(server: url).register("bob", password: "battery staple")
    return (server, url)
  }

  @Test("The README's code works: messages arrive, including the custom kind")
  func works() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (server, url) = try await startServer(in: folder)

    let session = try await Snippets.signIn(url)
    let kinds = Snippets.kinds()
    let client = try await Snippets.open(session, kinds, in: folder.appending(path: "alice"))
    let chat = try await Snippets.send(client)
    var last: MessageList?
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await update in chat.changes
        where update.snapshot.count == 2 && update.snapshot.allSatisfy({ $0.message?.status == .sent }) {
          break
        }
        await client.close()
      }
      await Snippets.follow(chat) { messages, _ in last = messages }
    }
    let messages = try #require(last)
    #expect(messages.count == 2)
    #expect(messages.last?.message?.content.as(Poll.self)?.question == "Lunch?")
    await server.stop()
  }

  @Test("The handbook's participants reject, accept, check and change messages")
  func participants() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (server, url) = try await startServer(in: folder)
    let session = try await Snippets.signIn(url)
    let isVerified = Mutex(false)
    let client = try await ChatClient.open(
      account: session.user, backend: HTTPBackend(session),
      runtime: .system(directory: folder.appending(path: "alice")),
      options: Snippets.participants(isVerified: { isVerified.withLock { $0 } }, service: CheckService()))
    client.start()
    let messenger = client.context(for: try await client.open(.direct("bob"))).messenger

    let sent = try await messenger.send(TextContent("hello"))
    #expect(try await sent.state == .failed(SendFailure(.rejected, "Verify your account first.")))
    isVerified.withLock { $0 = true }
    try await messenger.retry(sent.id)
    let message = try await sent.result
    #expect(message.content.displayedText == "Hello")
    #expect(message.parameters == ["client": "example/1.0", "check": "checked"])
    await #expect(throws: SendFailure(.rejected, "This can't be said here.")) {
      _ = try await messenger.send(TextContent("spam")).result
    }
    await client.close()
    await server.stop()
  }

  @Test("The documentation's test server runs several checks at once")
  func checks() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (server, url) = try await startServer(in: folder)
    let staging = StagingServer(accounts: HTTPAccounts(server: url))
    let outcomes = try await withThrowingTaskGroup(of: CheckOutcome.self) { group in
      for check in BackendCheck.all where check.part == .conversations {
        group.addTask { try await check.run(on: staging) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count > 3 && outcomes.allSatisfy { $0 == .passed })
    outcomes.forEach(Snippets.warn)
    await server.stop()
  }

  /// Lines without their indentation and without comments; what matters is the code.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      let code = line.components(separatedBy: "  //")[0]
      return code.trimmingCharacters(in: .whitespaces)
    }
    .filter { !$0.isEmpty }
  }
}
