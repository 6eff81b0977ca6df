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
    "Each paragraph of the Swift code in the documents is in a compiled file",
    arguments: ["README.md", "HANDBOOK.md", "Documentation/backends.md", "Documentation/surfaces.md"])
  func compiled(_ file: String) throws {
    let snippets = [
      "ReadmeTests/Snippets.swift", "ReadmeTests/CardSnippets.swift", "ReadmeTests/Board/BoardBackend.swift",
      "SkeinTestingTests/ReferenceServerTests.swift",
    ]
    #expect(try blocks(in: file, comparedWith: snippets.map { "Tests/\($0)" }) >= 2)
  }

  @Test(
    "The articles have at least 40 blocks of Swift code, and each paragraph of them is in a compiled file")
  func articles() throws {
    let snippets =
      try files(in: "Tests/ReadmeTests/Articles") + files(in: "Tests/ReadmeTests/Board")
      + ["Tests/ReadmeTests/Snippets.swift"]
    let articles = try files(in: "Sources/Skein/Skein.docc") + files(in: "Sources/SkeinModel/SkeinModel.docc")
    let counts = try articles.map { try blocks(in: $0, comparedWith: snippets) }
    #expect(counts.allSatisfy { $0 >= 1 })
    #expect(counts.reduce(0, +) >= 40)
  }

  private func files(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: folder).path).sorted().map {
      "\(folder)/\($0)"
    }
  }

  /// Expects each paragraph of a document's Swift code to be in the snippets. Empty lines end paragraphs.
  ///
  /// - Returns: the number of blocks of code.
  private func blocks(in document: String, comparedWith snippets: [String]) throws -> Int {
    func text(_ file: String) throws -> String {
      try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    }
    let blocks = try text(document).components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    let compiled = try snippets.flatMap { lines(try text($0)) }.joined(separator: "\n")
    for part in blocks.flatMap({ $0.components(separatedBy: "\n\n") }) {
      let code = lines(part).joined(separator: "\n")
      let isCompiled = compiled.contains(code)
      #expect(isCompiled, "not compiled, in \(document):\n\(part)")
    }
    return blocks.count
  }

  /// Starts a server on which bob has an account.
  private func startServer(in folder: URL) async throws -> (ChatServer, URL) {
    var options = ServerOptions(folder: folder.appending(path: "server"))
    options.passwordCost = .minimum
    let server = try await ChatServer.start(options)
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    try await HTTPAccounts(server: url).register("bob", password: "battery staple")
    return (server, url)
  }

  @Test("The README's code works: messages are sent, including one of the custom kind")
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

  @Test("Several checks pass at the same time on the documentation's test server")
  func checks() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (server, url) = try await startServer(in: folder)
    let staging = StagingServer(accounts: HTTPAccounts(server: url))
    let outcomes = try await withThrowingTaskGroup(of: CheckOutcome.self) { group in
      for check in BackendCheck.all where check.part == .conversations && check.needs.isEmpty {
        group.addTask { try await check.run(on: staging) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.count > 3 && outcomes.allSatisfy { $0 == .passed })
    outcomes.forEach(Snippets.warn)
    await server.stop()
  }

  /// The lines that are not empty, without indentation and without comments that follow two spaces.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      let code = line.components(separatedBy: "  //")[0]
      return code.trimmingCharacters(in: .whitespaces)
    }
    .filter { !$0.isEmpty }
  }
}
