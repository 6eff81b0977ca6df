import Foundation
import Testing

@testable import Skein

@Suite("Keeping a window in step with the database")
struct TimelineSyncTests {
  private var sync = TimelineSync(
    conversation: ConversationID(rawValue: 1), account: "alice", kinds: .standard,
    window: MessageWindow(size: 10, isDense: true))
  /// The list of a listener that applies the steps.
  private var list: [MessageListItem] = []

  @Test("Changes that come while a page is loading are applied to the page if it is older than the changes")
  mutating func olderPage() {
    sync.beganLoading()
    apply(sync.receive([change(2, messages: [3])]))
    #expect(list.isEmpty)
    apply(sync.open(page([1, 2], version: 1), movesAtStart: 0))
    #expect(shown == [1, 2, 3])
  }

  @Test("A message that is deleted while a page is loading is not shown when the page arrives")
  mutating func deletedMeanwhile() {
    sync.beganLoading()
    apply(sync.receive([change(2, deleted: [2])]))
    apply(sync.show(page([1, 2, 3], version: 1)))
    #expect(shown == [1, 3])
  }

  @Test("After a change that requires a reload, nothing is applied until the window has been read again")
  mutating func stale() throws {
    open([1, 2], version: 1)
    apply(sync.receive([change(2, needsReload: true), change(3, messages: [3]), change(4, messages: [4])]))
    #expect(sync.isStale)
    #expect(shown == [1, 2])
    let bounds = try #require(sync.window.bounds)
    apply(sync.reread(page([1, 2, 3], version: 3), replacing: bounds, hasMoved: false))
    #expect(!sync.isStale)
    apply(sync.receive([]))
    #expect(shown == [1, 2, 3, 4])
  }

  @Test("If an earlier reload of the window ends after a later one, the earlier one removes no message")
  mutating func lateReload() throws {
    open([1, 2], version: 1)
    apply(sync.receive([change(2, needsReload: true), change(3, messages: [3])]))
    let bounds = try #require(sync.window.bounds)
    apply(sync.reread(page([1, 2, 3], version: 3), replacing: bounds, hasMoved: false))
    apply(sync.receive([change(4, messages: [4])]))
    #expect(shown == [1, 2, 3, 4])
    for version: Int64 in [2, 3] {
      let late = page(version == 2 ? [1, 2] : [1, 2, 3], version: version)
      apply(sync.reread(late, replacing: bounds, hasMoved: false))
      #expect(shown == [1, 2, 3, 4])
    }
    apply(sync.receive([change(5, messages: [5])]))
    #expect(shown == [1, 2, 3, 4, 5])
  }

  @Test("A page that was loading while the window was read again makes the window stale")
  mutating func pageOfBefore() throws {
    open([1, 2], version: 1)
    sync.beganLoading()
    apply(sync.receive([change(2, needsReload: true)]))
    let bounds = try #require(sync.window.bounds)
    apply(sync.reread(page([1, 2], version: 2), replacing: bounds, hasMoved: false))
    apply(sync.show(page([1], version: 1)))
    #expect(sync.isStale)
  }

  @Test("A page that no longer continues the window is not shown")
  mutating func lateGrowth() throws {
    open([5, 6], version: 1, from: 5)
    let end = try #require(sync.window.end(.older))
    var older = page([3, 4], version: 1)
    older.bounds = .lowest...end
    sync.beganLoading()
    sync.beganLoading()
    let first = sync.grow(.older, by: older)
    apply(first.steps)
    #expect(first.growth == .extended)
    #expect(shown == [3, 4, 5, 6])
    let second = sync.grow(.older, by: older)
    #expect(second.growth == .isNotNext)
    #expect(second.steps.isEmpty)
  }

  @Test("A page of another epoch is not shown, and the window is read again")
  mutating func otherEpoch() throws {
    open([5, 6], version: 1, from: 5)
    var older = page([3, 4], version: 2)
    older.facts.epoch = Epoch(rawValue: "two")
    older.bounds = .lowest...(try #require(sync.window.end(.older)))
    sync.beganLoading()
    #expect(sync.grow(.older, by: older).growth == .isOfOtherEpoch)
    #expect(sync.isStale)
  }

  @Test(
    "Only the latest jump counts, and a first page that arrives after the jump does not move the window")
  mutating func jumps() {
    let first = sync.beganJump(), second = sync.beganJump()
    #expect(!sync.isLatest(first))
    #expect(sync.isLatest(second))
    sync.beganLoading()
    sync.beganLoading()
    apply(sync.show(page([1, 2], version: 1)))
    #expect(sync.open(page([8, 9], version: 1), movesAtStart: 0).isEmpty)
    #expect(shown == [1, 2])
  }

  @Test("Receipts and pins are read at the beginning, after they change, and again after a failed read")
  mutating func aspects() {
    #expect(sync.hasNewAspects)
    sync.beganReadingAspects()
    apply(sync.receive([change(2, messages: [1])]))
    #expect(!sync.hasNewAspects)
    apply(sync.receive([change(3, aspects: [.flags])]))
    #expect(sync.hasNewAspects)
    sync.beganReadingAspects()
    sync.failedReadingAspects()
    #expect(sync.hasNewAspects)
  }

  @Test("After a merge into another conversation, nothing of the window is left")
  mutating func merged() throws {
    sync.beganLoading()
    var page = page([1, 2, 5, 6], version: 1)
    page.facts.spans = SpanMap(
      spans: [span(1...2, reachesStart: true), span(5...6, reachesStart: false)], isDense: true)
    apply(sync.open(page, movesAtStart: 0))
    #expect(list.count == 5)
    sync.beganReadingAspects()
    var changes = change(2, deleted: [1, 2, 5, 6])
    changes.parts[0].mergedInto = ConversationID(rawValue: 2)
    apply(sync.receive([changes]))
    #expect(shown.isEmpty)
    #expect(sync.hasNewAspects && sync.isStale)
    let bounds = try #require(sync.window.bounds)
    apply(sync.reread(self.page([], version: 2), replacing: bounds, hasMoved: false))
    #expect(list.isEmpty)
  }

  // MARK: The database

  private var shown: [Int64] { list.compactMap { $0.message?.id.rawValue } }

  private mutating func apply(_ steps: [TimelineSync.Step]) {
    for step in steps {
      step.change.apply(to: &list, from: step.snapshot)
      #expect(list == Array(step.snapshot))
    }
  }

  /// Shows a first page; the messages below `lowest` are stored and not shown.
  private mutating func open(_ ids: [Int64], version: Int64, from lowest: Int64? = nil) {
    sync.beganLoading()
    var page = page(ids, version: version)
    if let lowest {
      page.bounds = row(lowest, version: version).order...MessageOrder.highest
      page.facts.stored = row(1, version: version).order...row(9, version: version).order
    }
    apply(sync.open(page, movesAtStart: 0))
  }

  private func page(_ ids: [Int64], version: Int64) -> MessagePage {
    let rows = ids.map { row($0, version: version) }
    let stored = rows.first.flatMap { first in rows.last.map { first.order...$0.order } }
    return MessagePage(
      rows: rows, bounds: .lowest ... .highest,
      facts: HistoryFacts(spans: SpanMap(isDense: true), stored: stored, isBound: true, version: version))
  }

  private func span(_ ids: ClosedRange<Int64>, reachesStart: Bool) -> Span {
    Span(
      lower: Rank(rawValue: ids.lowerBound), upper: Rank(rawValue: ids.upperBound),
      reachesStart: reachesStart, lowerToken: nil, unreadBelow: nil)
  }

  private func change(
    _ version: Int64, messages: [Int64] = [], deleted: [Int64] = [], aspects: Set<ConversationAspect> = [],
    needsReload: Bool = false
  ) -> StoreChanges {
    var part = StoreChanges.Part(conversation: ConversationID(rawValue: 1))
    part.messages = messages.map { row($0, version: version) }
    part.deleted = deleted.map { LocalMessageID(rawValue: $0) }
    part.stored = row(1, version: version).order...row(9, version: version).order
    part.aspects = aspects
    part.needsReload = needsReload
    var changes = StoreChanges()
    changes.parts = [part]
    changes.version = version
    return changes
  }

  private func row(_ id: Int64, version: Int64) -> MessageRow {
    MessageRow(
      id: LocalMessageID(rawValue: id), conversation: ConversationID(rawValue: 1), rank: Rank(rawValue: id),
      serverID: nil, messageID: MessageID(rawValue: "\(id)"), sender: "bob", position: Position(rawValue: id),
      epoch: nil, time: Timestamp(milliseconds: id), status: .sent, kind: "text",
      payload: Data(#"{"text":"\#(id)"}"#.utf8), revision: 0, version: version, isCounted: true,
      failureCode: nil, failureMessage: nil)
  }
}
