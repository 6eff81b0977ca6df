import Foundation
import Skein
import SkeinSimulation
import Testing

@Suite("Messages that do not count as unread")
struct CountableTests {
  private struct Notice: MessageContent {
    static let kind: MessageKind = "test.notice"
    static let isCountable = false
    var text: String
  }

  /// Twenty messages from Alice to Bob; four are notices, three of them below the newest five.
  private static func fill(_ stage: SimulatedStage) throws {
    let ref = try stage.server.open(.direct("bob"), by: "alice").ref
    for number in 1...20 {
      let isNotice = [2, 4, 6, 18].contains(number)
      let kind: MessageKind = isNotice ? Notice.kind : "text"
      _ = try stage.server.send(
        OutgoingMessage(
          id: MessageID(rawValue: "\(number)"), conversation: ref, kind: kind,
          payload: Data(#"{"text":"\#(number)"}"#.utf8), isCountable: !isNotice), from: "alice")
    }
  }

  private static func bob(
    _ stage: SimulatedStage, kinds: KindRegistry, altering alter: (inout AlteredBackend) -> Void = { _ in }
  ) async throws -> ChatClient {
    let runtime = stage.runtime(named: "bob")
    var backend = AlteredBackend(inner: MemoryBackend(user: "bob", server: stage.server, runtime: runtime))
    alter(&backend)
    var options = ChatOptions()
    options.catchUpPageSize = 5
    return try await ChatClient.open(
      account: "bob", backend: backend, kinds: kinds, runtime: runtime, options: options)
  }

  private static var withNotices: KindRegistry {
    var kinds = KindRegistry.standard
    kinds.register(Notice.self)
    return kinds
  }

  /// Expects 16 unread messages before and after the gap is filled.
  private static func check(_ bob: ChatClient) async throws {
    bob.start()
    let conversation = try await bob.conversations.first { $0.lastMessage != nil }
    #expect(conversation.unreadCount == 16, "unread \(conversation.unreadCount), with a gap")
    #expect(!conversation.unreadIsAtLeast, "not exact")
    let context = bob.context(for: conversation.id)
    try await context.open()
    while context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    let unread = bob.conversations.conversations.first?.unreadCount
    #expect(unread == 16, "unread \(String(describing: unread)), without a gap")
    await bob.close()
  }

  @Test("The unread count of a gap includes only countable messages", .simulated(seeds: 1...3))
  func gap() async throws {
    try Self.fill(stage)
    try await Self.check(try await Self.bob(stage, kinds: Self.withNotices))
  }

  @Test(
    "A client that does not know a kind counts correctly if the server states isCountable",
    .simulated(seeds: 1...3))
  func unknownKind() async throws {
    try Self.fill(stage)
    try await Self.check(try await Self.bob(stage, kinds: .standard))
  }

  @Test("If the server does not state isCountable, the kind decides", .simulated(seeds: 1...3))
  func silentServer() async throws {
    try Self.fill(stage)
    let bob = try await Self.bob(stage, kinds: Self.withNotices) { backend in
      backend.onSync = { _, batch in
        var batch = batch
        for index in batch.conversations.indices { batch.conversations[index].messages.forgetCountable() }
        return batch
      }
      backend.onPage = { _, page in
        var page = page
        page.messages.forgetCountable()
        return page
      }
    }
    try await Self.check(bob)
  }

  @Test("A message is posted with the isCountable of its kind", .simulated(seeds: 1...2))
  func posted() async throws {
    let bob = try await Self.bob(stage, kinds: Self.withNotices)
    bob.start()
    let chat = try await bob.open(.direct("alice"))
    _ = try await bob.send(TextContent("counts"), to: chat).result
    _ = try await bob.send(Notice(text: "does not"), to: chat).result
    let ref = try #require(stage.server.rooms().first)
    let countable = stage.server.messages(in: ref).map(\.isCountable)
    #expect(countable == [true, false], "\(countable)")
    await bob.close()
  }
}

extension [IncomingMessage] {
  fileprivate mutating func forgetCountable() { for index in indices { self[index].isCountable = nil } }
}
