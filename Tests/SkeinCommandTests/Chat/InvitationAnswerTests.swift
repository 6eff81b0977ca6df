import Foundation
import Skein
import Synchronization
import Testing

@testable import SkeinCommand

@Suite("Invitations are answered in a terminal", .timeLimit(.minutes(1)))
struct InvitationAnswerTests {
  @Test("Invitations are reported, listed with a hint, accepted by the inviter's name and declined by title")
  func answers() async throws {
    try await withDesk { desk, client, output in
      try await client.conversations.open()
      for await update in client.conversations.changes where update.snapshot.count == 2 { break }
      _ = await desk.handle("/list")
      _ = try await output.texts { texts in
        texts.contains("-- Holiday: bob invites you to this group; /accept or /decline\n")
          && texts.contains("-- carol: carol invites you to a chat; /accept or /decline\n")
          && texts.contains { $0.contains("  Holiday  bob invites you to this group; /accept or /decline\n") }
      }

      for line in ["/open Holiday", "/accept", "/accept dave", "/accept carol"] {
        _ = await desk.handle(line)
      }
      let problems = try await output.texts { $0.contains { $0.contains("chat with carol") } }
      #expect(problems.contains { $0.contains("You are invited to Holiday: /accept or /decline.") })
      #expect(problems.contains { $0.contains("2 invitations; type the title or the user as well") })
      #expect(problems.contains { $0.contains("There is no such invitation") })
      for await update in client.conversations.changes
      where update.snapshot.contains(where: { $0.peer == "carol" && $0.invitation == nil }) { break }

      _ = await desk.handle("/decline Holiday")
      _ = try await output.texts { $0.contains("-- Holiday: the invitation has ended\n") }
      for await update in client.conversations.changes where update.snapshot.count == 1 { break }
      _ = await desk.handle("/decline")
      _ = try await output.texts { $0.contains { $0.contains("Nobody invites you.") } }
    }
  }

  @Test("After an answer that the server refuses, the list has the reason and the hint")
  func refused() async throws {
    try await withDesk(InvitingBackend(refuses: true)) { desk, client, output in
      try await client.conversations.open()
      for await update in client.conversations.changes where update.snapshot.count == 2 { break }
      _ = await desk.handle("/accept carol")
      for await update in client.conversations.changes
      where update.snapshot.contains(where: { $0.failure != nil }) { break }
      _ = await desk.handle("/list")
      _ = try await output.texts { texts in
        texts.contains {
          $0.contains("  carol: Nobody joins. carol invites you to a chat; /accept or /decline\n")
        }
      }
    }
  }

  @Test("The record of a conversation for scripts names the inviter")
  func record() async throws {
    try await withDesk { _, client, _ in
      try await client.conversations.open()
      for await update in client.conversations.changes where update.snapshot.count == 2 { break }
      let records = client.conversations.conversations.map(ConversationRecord.init)
      #expect(
        Set(records.compactMap(\.invitation?.inviter)) == ["bob", "carol"]
          && records.allSatisfy { $0.invitation?.isAccepted == false })
    }
  }

  private func withDesk(
    _ backend: InvitingBackend = InvitingBackend(),
    _ body: (ChatDesk, ChatClient, Output) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let client = try await ChatClient.open(
      account: "alice", backend: backend, runtime: .system(directory: folder))
    let output = Output()
    let desk = ChatDesk(client, output: output)
    await desk.start()
    client.start()
    try await body(desk, client, output)
    await desk.stop()
    await client.close()
  }

  /// Records the texts of a plain surface.
  private final class Output: ChatOutput {
    let isRead = false
    private let surface = Mutex(PlainSurface(account: "alice"))
    private let (shown, shows) = AsyncStream.makeStream(of: String.self)
    private let all = Mutex<[String]>([])

    func show(_ events: [ChatEvent]) async {
      for event in events {
        let text = surface.withLock { $0.text(for: event) }
        shows.yield(text)
      }
    }

    /// All texts, once they satisfy the condition.
    func texts(where condition: ([String]) -> Bool) async throws -> [String] {
      for await text in shown {
        let texts = all.withLock { texts in
          texts.append(text)
          return texts
        }
        if condition(texts) { return texts }
      }
      throw CancellationError()
    }
  }
}

/// A server on which Bob and Carol invite the account.
private struct InvitingBackend: ChatBackend, GroupLeavingBackend {
  /// Whether every acceptance is refused.
  var refuses = false

  private static let invitations = [
    ConversationInvitation(
      info: ConversationInfo(ref: ConversationRef(rawValue: "g"), type: .group, title: "Holiday"),
      inviter: "bob"),
    ConversationInvitation(
      info: ConversationInfo(ref: ConversationRef(rawValue: "d"), type: .direct, peer: "carol"),
      inviter: "carol"),
  ]

  var capabilities: BackendCapabilities {
    BackendCapabilities(idempotency: .forever, ordering: .dense, leaving: self)
  }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    await receive(.connected)
    // The channel stays open until the client cancels it.
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    SyncBatch(
      from: cursor, next: SyncCursor(rawValue: "1"), conversations: [],
      invitations: cursor == nil ? Self.invitations : [])
  }

  func history(of: ConversationRef, at: HistoryAnchor, limit: Int) async throws -> HistoryPage {
    HistoryPage(messages: [], reachesStart: true, reachesEnd: true)
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    throw BackendError(.permanent, "There is nowhere to send it.")
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo {
    if refuses { throw BackendError(.permanent, "Nobody joins.") }
    guard let invitation = Self.invitations.first(where: { request == .invitation($0.info.ref) }) else {
      throw BackendError(.permanent, "There is no such invitation.")
    }
    return invitation.info
  }

  func leave(_ group: ConversationRef) async throws {}
}
