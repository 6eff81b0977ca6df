import Foundation
import Skein
import Synchronization
import Testing

@testable import SkeinCommand

@Suite("Settings of a chat are changed in a terminal", .timeLimit(.minutes(1)))
struct ChatSettingsTests {
  @Test("The open chat is muted, pinned and marked as unread; each change is reported, and the list has all")
  func openChat() async throws {
    try await withDesk { desk, output in
      for line in ["/open carol", "/open bob", "/mute", "/pin-chat", "/unread"] { await handle(line, desk) }
      try await output.wait(for: "-- bob: muted\n", "-- bob: pinned\n", "-- bob: marked as unread\n")
      await handle("/list", desk)
      try await output.wait(
        for: "  bob    marked as unread  pinned, muted  \n  carol                                   \n")

      for line in ["/unmute", "/unpin-chat"] { await handle(line, desk) }
      try await output.wait(for: "-- bob: no longer muted\n", "-- bob: no longer pinned\n")
      await handle("/list", desk)
      try await output.wait { $0.contains { $0.contains("  bob    marked as unread  \n") } }
    }
  }

  @Test("A chat that is not open is named by its user or title; /read removes its mark as unread")
  func named() async throws {
    try await withDesk { desk, output in
      for line in ["/group \"Book club\" carol", "/open bob", "/mute \"Book club\"", "/unread \"Book club\""]
      {
        await handle(line, desk)
      }
      try await output.wait(for: "-- Book club: muted\n", "-- Book club: marked as unread\n")
      await handle("/read \"Book club\"", desk)
      try await output.wait(for: "-- Book club: no longer marked as unread\n")
      let conversations = await desk.client.conversations.conversations
      #expect(conversations.filter(\.isMuted).map(\.name) == ["Book club"])
    }
  }

  @Test("Without an open chat, or with a name that no chat has, the reason is reported")
  func refusals() async throws {
    try await withDesk { desk, output in
      for line in ["/mute", "/mute nobody"] { await handle(line, desk) }
      try await output.wait(
        for: "-- No chat is open: type /open USER first.\n", "-- There is no such chat; see /list.\n")
    }
  }

  @Test("A group that has the name of a user is not muted in place of the chat with this user")
  func namesake() async throws {
    try await withDesk { desk, output in
      for line in ["/open bob", "/group bob carol", "/mute bob"] { await handle(line, desk) }
      try await output.wait(for: "-- bob: muted\n")
      let conversations = await desk.client.conversations.conversations
      #expect(conversations.filter(\.isMuted).map(\.type) == [.direct])
    }
  }

  private func handle(_ line: String, _ desk: ChatDesk) async { _ = await desk.handle(line) }

  private func withDesk(_ body: (ChatDesk, Texts) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The client is never started: settings are shown at once, also without a connection.
    let client = try await ChatClient.open(
      account: "alice", backend: RefusingBackend(), runtime: .system(directory: folder))
    let output = Texts()
    let desk = ChatDesk(client, output: output)
    await desk.start()
    try await body(desk, output)
    await desk.stop()
    await client.close()
  }

  /// Records the texts of a plain surface.
  private final class Texts: ChatOutput {
    let isRead = false
    private let surface = Mutex(PlainSurface(account: "alice"))
    private let (shown, shows) = AsyncStream.makeStream(of: String.self)
    private let all = Mutex<[String]>([])

    func show(_ events: [ChatEvent]) async {
      for event in events { shows.yield(surface.withLock { $0.text(for: event) }) }
    }

    /// Returns once all these texts have been shown.
    func wait(for wanted: String...) async throws { try await wait { Set(wanted).isSubset(of: $0) } }

    /// Returns once the texts satisfy the condition.
    func wait(until condition: ([String]) -> Bool) async throws {
      if condition(all.withLock { $0 }) { return }
      for await text in shown {
        let texts = all.withLock { texts in
          texts.append(text)
          return texts
        }
        if condition(texts) { return }
      }
      throw CancellationError()
    }
  }
}
