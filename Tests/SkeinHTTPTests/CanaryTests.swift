import Foundation
import Skein
import SkeinHTTP
import Testing

@Suite("Secrets in files and errors", .timeLimit(.minutes(2)))
struct CanaryTests {
  /// Every thrown error, as an app may log it.
  private struct Errors {
    var text = ""
    var count = 0

    mutating func collect(_ body: () async throws -> Void) async {
      do {
        try await body()
      } catch {
        count += 1
        text += "\(error) \(String(reflecting: error))\n"
        dump(error, to: &text)
      }
    }
  }

  @Test(
    "No log, error or file contains a password or a token, and only databases contain the text of messages"
  )
  func canaries() async throws {
    try await TestWorld.run { world in
      let session = try await world.user("alice")
      let secrets = [
        TestWorld.password, "wrong password of alice", session.token.rawValue,
        try #require(session.refreshToken).rawValue,
      ]
      let texts = ["canary one", "canary two", "canary three"]
      let alice = try await world.client(session)
      let bob = try await world.client(try await world.user("bob"))
      let context = alice.context(for: try await alice.open(.direct("bob")))
      let sent = try await context.messenger.send(TextContent(texts[0]))
      _ = try await sent.result
      try await context.messenger.edit(sent.id, to: TextContent(texts[1]))
      _ = try await bob.conversation { $0.lastMessage?.text == texts[1] }

      var errors = Errors()
      await errors.collect { _ = try await world.accounts.signIn("alice", password: secrets[1]) }
      await errors.collect { try await world.accounts.register("alice", password: secrets[0]) }
      await errors.collect { _ = try await alice.searchMessages("canary one\" OR ( * NEAR") }
      await errors.collect { try await context.jump(to: ServerMessageID(rawValue: "canary one")) }
      await errors.collect {
        try await alice.download(RemoteMedia(id: "none", size: 1, type: "x"), to: world.folder)
      }
      let other = HTTPBackend(server: world.address, token: session.token)
      let ref = try #require(bob.conversations.conversations.first?.ref)
      await errors.collect {
        _ = try await other.send(
          OutgoingMessage(
            id: MessageID(rawValue: "id"), conversation: ref, kind: "text",
            payload: Data([0xff] + texts[0].utf8), parameters: [:])
        )
      }
      await errors.collect {
        _ = try await other.send(
          OutgoingMessage(
            id: MessageID(rawValue: "id"), conversation: ConversationRef(rawValue: "nowhere"), kind: "text",
            payload: Data("{\"text\":\"canary one\"}".utf8), parameters: [:]))
      }
      await world.stopServer()
      await errors.collect { try await context.fetchNewMessages() }
      _ = try await context.messenger.send(TextContent(texts[2]))
      await errors.collect { try await alice.erase() }
      try await world.startServer()
      _ = try await bob.conversation { $0.lastMessage?.text == texts[2] }
      try await world.accounts.signOut(session)
      for await state in alice.connectionStates {
        if case .signedOut(let reason) = state {
          errors.text += reason.message
          break
        }
      }
      await errors.collect { try await context.fetchNewMessages() }
      await alice.close()
      await errors.collect { _ = try await alice.waitingMessageCount() }
      dump(session, to: &errors.text)
      dump(other, to: &errors.text)

      #expect(errors.count >= 8)
      let said = world.requests.all.joined(separator: "\n") + errors.text
      for canary in secrets + texts { #expect(!said.contains(canary), "\(canary)") }
      var files = 0
      let folder = try #require(
        FileManager.default.enumerator(at: world.folder, includingPropertiesForKeys: nil))
      for case let file as URL in folder {
        guard let bytes = try? Data(contentsOf: file) else { continue }
        files += 1
        let isDatabase = ["chat.sqlite", "server.sqlite"].contains { file.lastPathComponent.hasPrefix($0) }
        for canary in isDatabase ? secrets : secrets + texts {
          #expect(bytes.firstRange(of: Data(canary.utf8)) == nil, "\(canary) in \(file.lastPathComponent)")
        }
      }
      #expect(files > 4)
    }
  }
}
