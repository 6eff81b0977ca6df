import Foundation
import Skein
import SkeinCards
import SkeinSimulation
import Synchronization

/// Alice's chat with Bob on a server in memory, in real time.
struct CardStage {
  let server: MemoryServer
  let alice: ChatClient
  let chat: ChatContext
  private let ref: ConversationRef

  static func run(
    kinds: [any MessageContent.Type] = [], _ body: (CardStage) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "skein-cards-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var registry = KindRegistry.withCards
    for kind in kinds { registry.register(kind) }
    var runtime = Runtime.system(directory: folder)
    runtime.random = { [draws = Mutex(UInt64(0))] in
      draws.withLock { draws in
        draws += 1
        return draws
      }
    }
    let server = MemoryServer()
    let backend = MemoryBackend(user: "alice", server: server, runtime: runtime)
    let info = try server.open(.direct("bob"), by: "alice")
    let alice = try await ChatClient.open(
      account: "alice", backend: backend, kinds: registry, runtime: runtime)
    alice.start()
    let chat = alice.context(for: try await alice.open(.direct("bob")))
    let stage = CardStage(server: server, alice: alice, chat: chat, ref: info.ref)
    do {
      try await body(stage)
    } catch {
      await alice.close()
      throw error
    }
    await alice.close()
  }

  /// Sends a message from Bob and waits until Alice has received it.
  @discardableResult
  func receive(_ content: some MessageContent) async throws -> ChatMessage {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let message = OutgoingMessage(
      id: MessageID(rawValue: UUID().uuidString), conversation: ref, kind: type(of: content).kind,
      payload: try encoder.encode(content))
    _ = try server.send(message, from: "bob")
    return try await self.message(named: message.id)
  }

  /// Sends a message from Alice and waits until it is in the list.
  @discardableResult
  func send(_ content: some MessageContent) async throws -> ChatMessage {
    try await message(named: try await chat.messenger.send(content).messageID)
  }

  private func message(named id: MessageID) async throws -> ChatMessage {
    for await update in chat.changes {
      if let found = update.snapshot.lazy.compactMap(\.message).first(where: { $0.messageID == id }) {
        return found
      }
    }
    throw CancellationError()
  }
}

extension MessageCardViewModelFactory {
  /// Waits until `isDone` is true, checking now and after each reload.
  func reload(until isDone: () -> Bool) async throws {
    let reloads = reloads
    if isDone() { return }
    for await _ in reloads where isDone() { return }
    throw CancellationError()
  }
}

/// A kind for tests.
struct Poll: MessageContent {
  static let kind: MessageKind = "com.example.poll"
  var question: String
  var displayedText: String { question }
}

/// A component for tests.
struct PollComponent: CardComponent {
  let id: ComponentID = "poll"
  let displayedText: String
  let actions: [CardAction]
}
