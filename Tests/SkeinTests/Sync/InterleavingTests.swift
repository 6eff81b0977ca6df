import Foundation
import Skein
import SkeinSimulation
import SkeinStorage
import Synchronization
import Testing

/// The same messages are received by push, poll, page and receipt, in any order.
@Suite("Interleavings")
struct InterleavingTests {
  private static let chats = 25
  /// The messages of each chat: `a` from a friend, `b` from bob, whose client is tested.
  private static let script = ["a1", "b1", "a2", "a3", "b2", "b3", "a4", "b4", "a5", "a6"]

  @Test("Three hundred interleavings of sending, receiving and paging end with the same stored rows")
  func sameEnd() async throws {
    var ends: [String: Int] = [:]
    for seed in 1...12 as ClosedRange<UInt64> {
      for end in try await SimulatedStage.run(seed: seed, Self.play) { ends[end, default: 0] += 1 }
    }
    #expect(ends.count == 1, "\(ends.keys.joined(separator: "\n"))")
    #expect(ends.values.reduce(0, +) == 300)
  }

  /// Plays the script in many chats at once and returns the stored rows of each.
  @Sendable private static func play() async throws -> [String] {
    let server = stage.server
    let pace = Pace(stage.runtime(named: "pace"))
    let refs = try (1...chats).map { try server.open(.direct("bob"), by: UserID("friend\($0)")).ref }
    let runtime = stage.runtime(named: "bob")
    var options = ChatOptions()
    options.pollInterval = .seconds(2)
    options.pageSize = 3
    let bob = try await ChatClient.open(
      account: "bob",
      backend: Restless(inner: MemoryBackend(user: "bob", server: server, runtime: runtime), pace: pace),
      runtime: runtime, options: options)
    bob.start()
    let list = try await bob.conversations.list { $0.count == chats }
    let stories = list.map { conversation in
      stage.runtime(named: "story").spawn { try await tell(in: conversation, of: bob, server, pace) }
    }
    for story in stories { try await story.value }
    pace.end()
    // Once everything has arrived, paging back to the start makes one span of each chat.
    for conversation in list {
      let context = bob.context(for: conversation.id)
      while context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    }
    try await bob.conversations.list { list in list.allSatisfy { $0.unreadCount == 6 } }
    await bob.close()
    return try refs.map { try stored(of: $0, in: stage) }
  }

  /// Plays the script in one chat, whose reader pages back all the while.
  private static func tell(
    in conversation: Conversation, of bob: ChatClient, _ server: MemoryServer, _ pace: Pace
  ) async throws {
    let ref = try #require(conversation.ref)
    let friend = try #require(conversation.peer)
    let context = bob.context(for: conversation.id)
    let reading = pace.runtime.spawn {
      while true {
        try await pace.dawdle()
        try? await context.fetchMorePreviousMessages()
      }
    }
    for (count, text) in script.enumerated() {
      if text.hasPrefix("a") {
        try server.post(text, from: friend, in: ref)
      } else {
        try await bob.send(TextContent(text), to: conversation.id)
        while server.messages(in: ref).count <= count { try await pace.runtime.sleep(for: .milliseconds(5)) }
      }
      if pace.draw() % 2 == 0 { try await pace.dawdle() }
    }
    try await context.list { $0.texts == script && $0.count(.sent) == script.count }
    reading.cancel()
    _ = await reading.result
  }

  /// The stored rows of a chat, without the ids that depend on the order of arrival.
  private static func stored(of ref: ConversationRef, in stage: SimulatedStage) throws -> String {
    let file = stage.folder.appending(path: "bob").appending(path: "chat.sqlite")
    return try Inspection.read(file) { rows in
      try [
        """
        SELECT json_group_array(json_array(rank, position, sender = 'bob', status, is_counted,
          CAST(payload AS TEXT), server_id IS NOT NULL)) FROM (SELECT m.* FROM message m
          JOIN conversation c ON m.conversation = c.id WHERE c.ref = ? ORDER BY rank)
        """,
        """
        SELECT json_group_array(json_array(lower, upper, reaches_start, unread_below)) FROM (SELECT s.* FROM span s
          JOIN conversation c ON s.conversation = c.id WHERE c.ref = ? ORDER BY lower)
        """,
        """
        SELECT json_array(unread_count, unread_is_at_least, read_mark, floor, (SELECT count(*) FROM operation))
        FROM conversation WHERE ref = ?
        """,
      ].map { try rows.scalar(String.self, $0, ref) ?? "" }.joined(separator: "\n")
    }
  }
}

/// Random numbers and delays for the backend, and for the scripts and readers of all chats. Once the last
/// script has ended, ``dawdle()`` returns at once.
private final class Pace: Sendable {
  let runtime: Runtime
  private let isOver = Mutex(false)

  init(_ runtime: Runtime) { self.runtime = runtime }

  func draw() -> UInt64 { runtime.random() }
  func end() { isOver.withLock { $0 = true } }
  func dawdle() async throws {
    if isOver.withLock({ $0 }) { return }
    try await runtime.sleep(for: .milliseconds(Int64(draw() % 800)))
  }
}

/// Pushes overlapping batches, delays the answers to sync, history and send, and loses one in five answers to
/// send.
private struct Restless: ChatBackend {
  let inner: MemoryBackend
  let pace: Pace
  private let cursors = CursorLog()
  var capabilities: BackendCapabilities { inner.capabilities }

  init(inner: MemoryBackend, pace: Pace) {
    self.inner = inner
    self.pace = pace
  }

  /// The cursors of all batches, applied or not. A pushed batch continues from one of the latest three.
  private final class CursorLog: Sendable {
    private let ends = Mutex<[SyncCursor?]>([nil])
    func note(_ batch: SyncBatch) { ends.withLock { $0.append(batch.next) } }
    func recent(_ draw: UInt64) -> SyncCursor? { ends.withLock { $0[max(0, $0.count - 1 - Int(draw % 3))] } }
  }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {
    await receive(.connected)
    var underWay: [SyncBatch] = []
    while !Task.isCancelled {
      try await pace.runtime.sleep(for: .milliseconds(Int64(pace.draw() % 300)))
      if pace.draw() % 3 == 0 { await receive(.poke) }
      let batch = try await inner.sync(since: cursors.recent(pace.draw()), limit: 50)
      cursors.note(batch)
      underWay.append(batch)
      // Batches under way may overtake each other.
      guard underWay.count > 2 else { continue }
      await receive(.batch(underWay.remove(at: Int(pace.draw() % 3))))
    }
  }

  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch {
    let batch = try await inner.sync(since: cursor, limit: limit)
    cursors.note(batch)
    try await pace.dawdle()
    return batch
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    let page = try await inner.history(of: conversation, at: anchor, limit: limit)
    try await pace.dawdle()
    return page
  }

  func send(_ message: OutgoingMessage) async throws -> SendReceipt {
    let receipt = try await inner.send(message)
    try await pace.dawdle()
    guard pace.draw() % 5 > 0 else {
      throw BackendError(.transient, "The answer was lost.", outcomeIsUnknown: true)
    }
    return receipt
  }

  func open(_ request: ConversationRequest) async throws -> ConversationInfo { try await inner.open(request) }
}
