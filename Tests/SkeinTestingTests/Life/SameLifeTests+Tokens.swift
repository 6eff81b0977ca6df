import Skein
import SkeinTesting
import Synchronization
import Testing

/// Failures of pages that continue from tokens.
extension SameLifeTests {
  static let tokenStyles = [ServerStyle.tokens, .cutArchive]

  /// Fills the first gap. Returns the error with which this failed, or nil.
  private func fill(_ context: ChatContext) async throws -> BackendError? {
    let gap = try #require(context.messages.compactMap(\.gap).first)
    do {
      try await context.fill(gap)
      return nil
    } catch let error as BackendError {
      return error
    }
  }

  private func state(_ context: ChatContext) -> MessageGap.State? {
    context.messages.compactMap(\.gap).first?.state
  }

  @Test(
    "A page joins the span of older messages only at the last message of that span", arguments: tokenStyles)
  func strayMessage(_ style: ServerStyle) async throws {
    let stray = Mutex<IncomingMessage?>(nil)
    let fault = Fault(
      description: "A page begins with a message of another place", caughtBy: [],
      page: { page, _ in
        if !page.reachesEnd, let stray = stray.withLock({ $0 }) { page.messages.insert(stray, at: 0) }
      })
    try await withAbsence(style, fault: fault) { household, _, context in
      let known = try #require(try await household.message(2))
      stray.withLock { $0 = known }
      try await context.fill(try #require(context.messages.compactMap(\.gap).first))
      let texts = context.texts
      // If the server reorders its history, messages of the gap may be beyond such a message, so paging continues.
      let isOpen = texts.prefix(5) == self.numbers(1...4) + ["…"] && texts.count == 4 + 1 + 7 + 5
      #expect(style.abilities.reordersHistory ? household.isWhole(texts, 70) : isOpen, "\(texts)")
      try await context.fillGaps()
      let filled = context.texts
      #expect(household.isWhole(filled, 70), "\(filled)")
    }
  }

  @Test(
    "A page that returns the token of its own request stalls the gap, and the gap can be filled later",
    arguments: tokenStyles)
  func repeatedToken(_ style: ServerStyle) async throws {
    let asked = Mutex<HistoryAnchor?>(nil)
    let isStuck = Mutex(true)
    let fault = Fault(
      description: "Pages go on where they began", caughtBy: [],
      page: { page, _ in
        guard isStuck.withLock({ $0 }), case .token(let token) = asked.withLock({ $0 }) else { return }
        page = HistoryPage(messages: [], reachesStart: false, reachesEnd: false, previous: token)
      },
      pageRequest: { request, _ in asked.withLock { [anchor = request.anchor] in $0 = anchor } })
    try await withAbsence(style, fault: fault) { household, _, context in
      let error = try await self.fill(context)
      let state = self.state(context)
      #expect(error?.code == .transient && state == .stalled)
      isStuck.withLock { $0 = false }
      let again = try await self.fill(context)
      #expect(again == nil)
      try await context.fillGaps()
      let texts = context.texts
      #expect(household.isWhole(texts, 70), "\(texts)")
    }
  }

  @Test(
    "Three pages without new messages stall a gap, even if each page returns a new token",
    arguments: tokenStyles)
  func circle(_ style: ServerStyle) async throws {
    let asked = Mutex<HistoryAnchor?>(nil)
    let isStuck = Mutex(true)
    let fault = Fault(
      description: "Pages go on where they began, by another name", caughtBy: [],
      page: { page, _ in
        guard isStuck.withLock({ $0 }), case .token(let token) = asked.withLock({ $0 }) else { return }
        let other = HistoryToken(rawValue: "back/0" + token.rawValue.dropFirst(5))
        page = HistoryPage(messages: [], reachesStart: false, reachesEnd: false, previous: other)
      },
      pageRequest: { request, _ in asked.withLock { [anchor = request.anchor] in $0 = anchor } })
    try await withAbsence(style, fault: fault) { household, _, context in
      var states: [MessageGap.State?] = []
      for _ in 1...3 {
        let error = try await self.fill(context)
        #expect(error?.code == .transient)
        states.append(self.state(context))
      }
      #expect(states == [.open, .open, .stalled])
      isStuck.withLock { $0 = false }
      try await context.fillGaps()
      let texts = context.texts
      #expect(household.isWhole(texts, 70), "\(texts)")
    }
  }
}
