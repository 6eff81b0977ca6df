import Foundation
import SkeinSimulation
import Synchronization
import Testing

@testable import Skein

@Suite("Gaps that are filled, and gaps that can't be")
struct GapTests {
  /// Bob has 1 to 10, was away, and came back to 61 to 70 of 70.
  private func withGap(
    seeds: ClosedRange<UInt64> = 1...5,
    altering alter: @escaping @Sendable (inout AlteredBackend) -> Void = { _ in },
    meanwhile: @escaping @Sendable (MemoryServer, ConversationRef) -> Void = { _, _ in },
    _ body: @escaping @Sendable (SimulatedStage, ChatContext) async throws -> Void
  ) async -> [String] {
    await SimulatedRun.play(seeds: seeds) { stage in
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
      try await body(stage, context)
      await bob.close()
    }
  }

  private func numbers(_ range: ClosedRange<Int>) -> [String] { range.map(String.init) }

  @Test("A reader who comes to a gap from its older side has it filled from there")
  func fromBelow() async {
    for history in [BackendCapabilities.HistoryAnchors.all, []] {
      let failures = await withGap { backend in
        backend.inner.capabilities.history = history
      } _: { _, context in
        try await context.jump(to: Timestamp(milliseconds: 0))
        try expect(context.messages.texts == self.numbers(1...10), "\(context.messages.texts)")
        try expect(context.hasMoreNextMessages, "what lies above is forgotten")
        try await context.fetchMoreNextMessages()
        if history == .all {
          try expect(context.messages.texts == self.numbers(1...20), "\(context.messages.texts)")
        }
        for _ in 1...20 where context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
        try expect(context.messages.texts == self.numbers(1...70), "\(context.messages.texts)")
      }
      #expect(failures == [])
    }
  }

  @Test("Where the server has trimmed its history, the gap says so, and paging goes on below it")
  func trimmed() async {
    let asked = Mutex(0)
    let failures = await withGap { backend in
      backend.onHistory = { _ in asked.withLock { $0 += 1 } }
    } meanwhile: { server, ref in
      server.trim(ref, keeping: 25)
    } _: { _, context in
      for _ in 1...20 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
      try expect(!context.hasMorePreviousMessages, "paging does not end")
      let expected = self.numbers(1...10) + ["…"] + self.numbers(46...70)
      try expect(context.messages.texts == expected, "\(context.messages.texts)")
      let gap = try #require(context.messages.compactMap(\.gap).first)
      try expect(gap.state == .unavailable, "\(gap)")
      let before = asked.withLock { $0 }
      await #expect(throws: ChatError.self) { try await context.fill(gap) }
      try await context.jump(to: Timestamp(milliseconds: 5))
      for _ in 1...20 where context.hasMoreNextMessages { try await context.fetchMoreNextMessages() }
      try expect(context.messages.texts == expected, "\(context.messages.texts)")
      try expect(asked.withLock { $0 } == before, "the server is asked again for what it does not have")
    }
    #expect(failures == [])
  }

  @Test("A reader who comes to a gap from its older side learns that nothing is left of it")
  func trimmedAbove() async {
    let failures = await withGap { stage, context in
      try await context.jump(to: Timestamp(milliseconds: 0))
      stage.server.trim(try #require(stage.server.rooms().first), keeping: 0)
      try await context.fetchMoreNextMessages()
      let expected = self.numbers(1...10) + ["…"] + self.numbers(61...70)
      try expect(context.messages.texts == expected, "\(context.messages.texts)")
      try expect(context.messages.compactMap(\.gap).first?.state == .unavailable, "the gap stays open")
    }
    #expect(failures == [])
  }

  @Test("A sync of a server that has lost some of what came is not taken for complete")
  func trimmedSync() async {
    let failures = await withGap(meanwhile: { server, ref in server.trim(ref, keeping: 5) }) { _, context in
      try expect(context.messages.texts == self.numbers(66...70), "\(context.messages.texts)")
      for _ in 1...5 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
      let expected = self.numbers(1...10) + ["…"] + self.numbers(66...70)
      try expect(context.messages.texts == expected, "\(context.messages.texts)")
    }
    #expect(failures == [])
  }

  @Test("A gap that two ask for at once is fetched once")
  func shared() async {
    let isStuck = Mutex(true)
    let asked = Mutex(0)
    let failures = await withGap { backend in
      let runtime = backend.inner.runtime
      backend.onPage = { _, page in
        if isStuck.withLock({ $0 }) {
          return HistoryPage(messages: [], reachesStart: false, reachesEnd: false)
        }
        asked.withLock { $0 += 1 }
        try await runtime.sleep(for: .seconds(1))
        return page
      }
    } _: { _, context in
      isStuck.withLock { $0 = true }
      for _ in 1...3 { try? await context.fetchMorePreviousMessages() }
      let gap = try #require(context.messages.compactMap(\.gap).first)
      isStuck.withLock { $0 = false }
      asked.withLock { $0 = 0 }
      async let first: Void = context.fill(gap)
      async let second: Void = context.fill(gap)
      _ = try await (first, second)
      try expect(asked.withLock { $0 } == 1, "asked \(asked.withLock { $0 }) times")
      try expect(context.messages.texts.contains("60"), "\(context.messages.texts)")
    }
    #expect(failures == [])
  }

  @Test(
    "A server that tells nothing new three times is not asked for ever: the gap is marked and can be tried again"
  )
  func stalled() async {
    let isStuck = Mutex(true)
    let failures = await withGap(seeds: 1...1) { backend in
      backend.onPage = { anchor, page in
        guard isStuck.withLock({ $0 }) else { return page }
        return HistoryPage(messages: [], reachesStart: false, reachesEnd: false)
      }
    } _: { _, context in
      for _ in 1...2 {
        await #expect(throws: BackendError.self) { try await context.fetchMorePreviousMessages() }
      }
      try expect(context.messages.texts == self.numbers(61...70), "\(context.messages.texts)")
      try await context.fetchMorePreviousMessages()
      try expect(
        context.messages.texts == self.numbers(1...10) + ["…"] + self.numbers(61...70),
        "\(context.messages.texts)")
      var gap = try #require(context.messages.compactMap(\.gap).first)
      try expect(gap.state == .stalled && !context.hasMorePreviousMessages, "\(gap)")
      await #expect(throws: BackendError.self) { try await context.fill(gap) }
      isStuck.withLock { $0 = false }
      try await context.fill(gap)
      gap = try #require(context.messages.compactMap(\.gap).first)
      try expect(gap.state == .open, "\(gap)")
      for _ in 1...10 {
        guard let gap = context.messages.compactMap(\.gap).first else { break }
        try await context.fill(gap)
      }
      try expect(context.messages.texts == self.numbers(1...70), "\(context.messages.texts)")
    }
    #expect(failures == [])
  }

  @Test("A page of a server that is behind leaves the gap that it shows, and no hole without one")
  func staleReplica() async {
    let isBehind = Mutex(true)
    let failures = await withGap(seeds: 1...1) { backend in
      backend.onPage = { anchor, page in
        guard isBehind.withLock({ $0 }) else { return page }
        var page = page
        page.messages = page.messages.filter { ($0.position?.rawValue ?? 0) <= 55 }
        return page
      }
    } _: { _, context in
      // What it hands over stands beyond a gap; asked again, it tells nothing new.
      for _ in 1...4 { try? await context.fetchMorePreviousMessages() }
      isBehind.withLock { $0 = false }
      let texts = context.messages.texts
      try expect(texts.suffix(10) == self.numbers(61...70)[...] && !texts.contains("60"), "\(texts)")
      try expect(texts.count == 10 || texts.dropLast(10).last == "…", "\(texts)")
      for _ in 1...30 where context.hasMorePreviousMessages { try await context.fetchMorePreviousMessages() }
      for _ in 1...10 {
        guard let gap = context.messages.compactMap(\.gap).first else { break }
        try await context.fill(gap)
      }
      try expect(context.messages.texts == self.numbers(1...70), "\(context.messages.texts)")
    }
    #expect(failures == [])
  }
}
