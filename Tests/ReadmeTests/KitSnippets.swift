import Foundation
import SkeinHTTP
import Skein
import SkeinTesting
import Testing

// The code of Documentation/backends.md on relays and servers' processes, compiled and run: ReadmeTests compares it line
// by line.

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

@Suite("The test server of the documentation")
struct KitSnippetTests {
  /// The command line of this package, which is built beside its tests.
  private static let skein = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    .appending(path: "skein")

  @Test("A server's process behind relays passes checks with cuts and lost answers")
  func process() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var passed = 0
    for text in ["lost answer", "connection and can be opened"] {
      let summary = try await CheckRun(matching: text, report: { _ in }).runAll {
        try await ProcessServer(Self.skein, data: folder.appending(path: UUID().uuidString))
      }
      #expect(summary.failures.map(\.description) == [] && summary.skipped.isEmpty)
      passed += summary.passed.count
    }
    #expect(passed == 2)
  }
}
