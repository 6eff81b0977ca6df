import Foundation
import Skein
import SkeinHTTP
import SkeinServer
import Testing

@Suite("The README")
struct ReadmeTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test("Its code is compiled: every line of Swift stands in the snippets, in the same order")
  func compiled() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let snippets = try String(
      contentsOf: Self.root.appending(path: "Tests/ReadmeTests/Snippets.swift"), encoding: .utf8)
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

  @Test("Its code works: the messages arrive, the kind of one's own among them")
  func works() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-readme-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = ServerOptions(folder: folder.appending(path: "server"))
    options.passwordCost = .minimum
    let server = try await ChatServer.start(options)
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
    try await HTTPAccounts(server: url).register("bob", password: "battery staple")

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

  /// Lines without their indentation and without comments; what matters is the code.
  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { line in
      let code = line.components(separatedBy: "  //")[0]
      return code.trimmingCharacters(in: .whitespaces)
    }
    .filter { !$0.isEmpty }
  }
}
