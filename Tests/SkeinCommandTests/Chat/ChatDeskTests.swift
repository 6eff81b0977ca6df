import Foundation
import Skein
import SkeinCards
import SkeinTerminal
import Synchronization
import Testing

@testable import SkeinCommand

@Suite("Typed lines are carried out")
struct ChatDeskTests {
  @Test("Unsent messages of all chats are listed with chat and state, and cancelled by number")
  func waiting() async throws {
    try await withDesk { desk, output in
      _ = await desk.handle("/waiting")
      #expect(output.lists().map(\.count) == [0])
      for line in ["/open bob", "for bob", "/open carol", "for carol", "/waiting"] {
        _ = await desk.handle(line)
      }
      let list = try #require(output.lists().last)
      #expect(list.map(\.chat) == ["bob", "carol"])
      #expect(list.map(\.message.content.displayedText) == ["for bob", "for carol"])
      #expect(list.allSatisfy { $0.standing.name == .queued })

      _ = await desk.handle("/cancel 1")
      _ = await desk.handle("/waiting")
      #expect(output.lists().last?.map(\.chat) == ["carol"])
      #expect(output.problems() == [])
    }
  }

  @Test(
    "/cancel without a number cancels the open chat's last unsent message, and fails if there is none")
  func last() async throws {
    try await withDesk { desk, output in
      for line in ["/open bob", "first", "second"] { _ = await desk.handle(line) }
      try await output.list(of: 2, on: desk)
      for line in ["/cancel", "/waiting"] { _ = await desk.handle(line) }
      #expect(output.lists().last?.map(\.message.content.displayedText) == ["first"])
      for line in ["/cancel", "/cancel", "/cancel 1", "/cancel 7"] { _ = await desk.handle(line) }
      #expect(output.problems().count >= 2)
    }
  }

  @Test(
    "Actions of cards are listed and performed by number, and the card shows the result",
    .timeLimit(.minutes(1)))
  func offers() async throws {
    try await withDesk { desk, output in
      for line in ["/do", "/open bob", "/do", "/do 1"] { _ = await desk.handle(line) }
      #expect(output.problems().count == 2 && output.offers() == [[]])
      _ = await desk.handle("/poll What? Tea Coffee")
      try await output.list(of: 1, on: desk)
      for line in ["/do", "/do 2"] { _ = await desk.handle(line) }
      #expect(output.offers().last == ["Vote for Tea", "Vote for Coffee"])
      try await output.list(of: 2, on: desk)
      // The vote may come with the poll's first line, if the desk has not shown the poll yet.
      let line = await output.texts().first { $0.contains("Coffee 1") }
      #expect(line?.contains("📊 What? · Tea 0 · Coffee 1") == true)
    }
  }

  private func withDesk(_ body: (ChatDesk, Recorder) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The client is never started, so every message waits.
    let client = try await ChatClient.open(
      account: "alice", backend: RefusingBackend(), kinds: .command, runtime: .system(directory: folder))
    let output = Recorder()
    let desk = ChatDesk(client, output: output)
    await desk.start()
    try await body(desk, output)
    await desk.stop()
    await client.close()
  }

  @Test("A group that has the name of a user does not take the place of the chat with this user")
  func namesake() async throws {
    try await withDesk { desk, output in
      for line in ["/open bob", "/group bob carol", "/open bob", "for bob alone", "/waiting"] {
        _ = await desk.handle(line)
      }
      let conversations = await desk.client.conversations.conversations
      let direct = try #require(conversations.first { $0.type == .direct }?.id)
      #expect(conversations.contains { $0.type == .group && $0.title == "bob" })
      #expect(output.lists().last?.map(\.message.conversation) == [direct])
      for line in ["/open #bob", "for both", "/waiting"] { _ = await desk.handle(line) }
      #expect(output.lists().last?.count == 2)
      #expect(output.lists().last?.last?.message.conversation != direct)
      #expect(output.problems() == [])
    }
  }

  @Test("The line after the action of a contact card is sent to the contact's chat")
  func contact() async throws {
    try await withDesk { desk, output in
      _ = await desk.handle("/open bob")
      let chat = try await desk.openChat()
      _ = try await desk.client.send(ContactContent("carol", name: "Carol"), to: chat.conversation)
      try await output.list(of: 1, on: desk)
      for line in ["/do 1", "for carol alone", "/waiting"] { _ = await desk.handle(line) }
      #expect(output.lists().last?.map(\.chat) == ["bob", "carol"])
      #expect(output.lists().last?.last?.message.content.displayedText == "for carol alone")
    }
  }
}

/// Records the events of a desk.
private final class Recorder: ChatOutput {
  let isRead = false
  private let events = Mutex<[ChatEvent]>([])
  private let surface = Mutex(PlainSurface(account: "alice"))
  private let (shown, show) = AsyncStream.makeStream(of: String.self)

  func show(_ new: [ChatEvent]) async {
    events.withLock { $0 += new }
    for event in new { show.yield(surface.withLock { $0.text(for: event) }) }
  }

  /// The text of the events on a pipe.
  func texts() -> AsyncStream<String> { shown }

  func offers() -> [[String]] {
    events.withLock {
      $0.compactMap { if case .offers(let offers) = $0 { offers.map(\.action.title) } else { nil } }
    }
  }

  func lists() -> [[WaitingMessage]] {
    events.withLock { $0.compactMap { if case .waiting(let list, _) = $0 { list } else { nil } } }
  }

  func problems() -> [String] {
    events.withLock { $0.compactMap { if case .problem(let text) = $0 { text } else { nil } } }
  }

  /// Returns once the open chat's list has this many messages.
  func list(of count: Int, on desk: ChatDesk) async throws {
    let chat = try await desk.openChat()
    for await update in chat.changes where update.snapshot.count == count { return }
  }
}
