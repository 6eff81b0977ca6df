import Foundation
import SkeinSimulation
import Synchronization
import Testing

@testable import Skein

@Suite("Filling gaps")
struct GapTests {
  /// Bob has messages 1 to 10 and, after an absence, 61 to 70 of 70.
  private static func gap(
    altering alter: (inout AlteredBackend) -> Void = { _ in },
    meanwhile: (MemoryServer, ConversationRef) -> Void = { _, _ in }
  ) async throws -> (bob: ChatClient, context: ChatContext) {
    var options = WindowLoadingTests.small
    options.windowSize = 100
    try LoadingTests.fill(stage, 1...10)
    let bob = try await stage.client("bob", on: "bob", options: options, altering: alter)
    bob.start()
    let chat = try await bob.conversations.first { $0.lastMessage != nil }.id
    await bob.stop()
    try LoadingTests.fill(stage, 11...70)
    if let ref = stage.server.rooms().first { meanwhile(stage.server, ref) }
    bob.start()
    _ = try await bob.conversations.first { $0.lastMessage?.content.displayedText == "70" }
    let context = bob.context(for: chat)
    try await context.list { !$0.isEmpty }
    return (bob, context)
  }

  private func numbers(_ range: ClosedRange<Int>) -> [String] { range.map(String.init) }

  @Test(
    "A gap that the reader reaches from its older side is filled, whichever anchors the server supports",
    .simulated,
    arguments: [BackendCapabilities.HistoryAnchors.all, []])
  func fromBelow(history: BackendCapabilities.HistoryAnchors) async throws {
    let (bob, context) = try await Self.gap { $0.inner.abilities.history = history }
    try await context.jump(to: Timestamp(milliseconds: 0))
    #expect(context.messages.texts == numbers(1...10))
    #expect(context.hasMoreNextMessages)
    try await context.fetchMoreNextMessages()
    if history == .all {
      #expect(context.messages.texts == numbers(1...20))
    }
    for _ in 1...20 where context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
    #expect(context.messages.texts == numbers(1...70))
    await bob.close()
  }

  @Test("A gap in trimmed history is marked as unavailable, and paging continues below it", .simulated)
  func trimmed() async throws {
    let asked = Mutex(0)
    let (bob, context) = try await Self.gap { backend in
      backend.onHistory = { _ in asked.withLock { $0 += 1 } }
    } meanwhile: { server, ref in
      server.trim(ref, keeping: 25)
    }
    for _ in 1...20 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    #expect(!context.hasMorePreviousMessages)
    let expected = numbers(1...10) + ["…"] + numbers(46...70)
    #expect(context.messages.texts == expected)
    let gap = try #require(context.messages.compactMap(\.gap).first)
    #expect(gap.state == .unavailable)
    let before = asked.withLock { $0 }
    await #expect(throws: ChatError.self) { try await context.fill(gap) }
    try await context.jump(to: Timestamp(milliseconds: 5))
    for _ in 1...20 where context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
    #expect(context.messages.texts == expected)
    #expect(asked.withLock { $0 } == before)
    await bob.close()
  }

  @Test("Paging from the older side into a trimmed gap marks it unavailable", .simulated)
  func trimmedAbove() async throws {
    let (bob, context) = try await Self.gap()
    try await context.jump(to: Timestamp(milliseconds: 0))
    stage.server.trim(try #require(stage.server.rooms().first), keeping: 0)
    try await context.fetchMoreNextMessages()
    let expected = numbers(1...10) + ["…"] + numbers(61...70)
    #expect(context.messages.texts == expected)
    #expect(context.messages.compactMap(\.gap).first?.state == .unavailable)
    await bob.close()
  }

  @Test("A sync that omits messages because the server has trimmed them leaves a gap", .simulated)
  func trimmedSync() async throws {
    let (bob, context) = try await Self.gap(meanwhile: { server, ref in server.trim(ref, keeping: 5) })
    #expect(context.messages.texts == numbers(66...70))
    for _ in 1...5 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    let expected = numbers(1...10) + ["…"] + numbers(66...70)
    #expect(context.messages.texts == expected)
    await bob.close()
  }

  @Test("Two callers that fill a gap at the same time make one fetch", .simulated)
  func shared() async throws {
    let isStuck = Mutex(true)
    let asked = Mutex(0)
    let (bob, context) = try await Self.gap { backend in
      let runtime = backend.inner.runtime
      backend.onPage = { _, page in
        if isStuck.withLock({ $0 }) {
          return HistoryPage(messages: [], reachesStart: false, reachesEnd: false)
        }
        asked.withLock { $0 += 1 }
        try await runtime.sleep(for: .seconds(1))
        return page
      }
    }
    isStuck.withLock { $0 = true }
    for _ in 1...3 { try? await context.fetchMorePreviousMessages() }
    let gap = try #require(context.messages.compactMap(\.gap).first)
    isStuck.withLock { $0 = false }
    asked.withLock { $0 = 0 }
    async let first: Void = context.fill(gap)
    async let second: Void = context.fill(gap)
    _ = try await (first, second)
    #expect(asked.withLock { $0 } == 1)
    #expect(context.messages.texts.contains("60"))
    await bob.close()
  }

  @Test(
    "After three answers with nothing new for a gap, the gap is stalled and can still be filled",
    .simulated(seeds: 1...1))
  func stalled() async throws {
    let isStuck = Mutex(true)
    let (bob, context) = try await Self.gap { backend in
      backend.onPage = { anchor, page in
        guard isStuck.withLock({ $0 }) else { return page }
        return HistoryPage(messages: [], reachesStart: false, reachesEnd: false)
      }
    }
    for _ in 1...2 {
      await #expect(throws: BackendError.self) { try await context.fetchMorePreviousMessages() }
    }
    #expect(context.messages.texts == numbers(61...70))
    try await context.fetchMorePreviousMessages()
    #expect(context.messages.texts == numbers(1...10) + ["…"] + numbers(61...70))
    var gap = try #require(context.messages.compactMap(\.gap).first)
    #expect(gap.state == .stalled)
    #expect(!context.hasMorePreviousMessages)
    await #expect(throws: BackendError.self) { try await context.fill(gap) }
    isStuck.withLock { $0 = false }
    try await context.fill(gap)
    gap = try #require(context.messages.compactMap(\.gap).first)
    #expect(gap.state == .open)
    for _ in 1...10 {
      guard let gap = context.messages.compactMap(\.gap).first else { break }
      try await context.fill(gap)
    }
    #expect(context.messages.texts == numbers(1...70))
    await bob.close()
  }

  @Test("A page of a stale replica leaves a visible gap, never an invisible hole", .simulated(seeds: 1...1))
  func staleReplica() async throws {
    let isBehind = Mutex(true)
    let (bob, context) = try await Self.gap { backend in
      backend.onPage = { anchor, page in
        guard isBehind.withLock({ $0 }) else { return page }
        var page = page
        page.messages = page.messages.filter { ($0.position?.rawValue ?? 0) <= 55 }
        return page
      }
    }
    // The messages of the stale page are placed beyond a gap; the next answer has nothing new.
    for _ in 1...4 { try? await context.fetchMorePreviousMessages() }
    isBehind.withLock { $0 = false }
    let texts = context.messages.texts
    #expect(texts.suffix(10) == numbers(61...70)[...])
    #expect(!texts.contains("60"))
    #expect(texts.count == 10 || texts.dropLast(10).last == "…")
    for _ in 1...30 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
    for _ in 1...10 {
      guard let gap = context.messages.compactMap(\.gap).first else { break }
      try await context.fill(gap)
    }
    #expect(context.messages.texts == numbers(1...70))
    await bob.close()
  }
}
