import Foundation
import SkeinSimulation
import Testing

@testable import Skein

@Suite("The message window")
struct MessageWindowTests {
  /// The contents of the database, and the window that shows them.
  struct Stage {
    var rows: [Int64: MessageRow] = [:]
    var spans = SpanMap(isDense: true)
    var version: Int64 = 1
    var window: MessageWindow
    /// The list of an observer that receives only the changes.
    var copy: [MessageListItem] = []

    init(_ ranks: [Int64], size: Int) {
      window = MessageWindow(size: size, isDense: true)
      for rank in ranks { put(rank) }
    }

    /// Stores a whole conversation.
    init(known ranks: ClosedRange<Int64>, size: Int) {
      self.init(Array(ranks), size: size)
      know(ranks)
    }

    /// Makes a stretch known to be complete.
    mutating func know(_ ranks: ClosedRange<Int64>, reachesStart: Bool = true) {
      spans.paged(
        first: Rank(rawValue: ranks.lowerBound), last: Rank(rawValue: ranks.upperBound),
        reachesStart: reachesStart, token: nil, unread: 0)
    }

    mutating func put(_ rank: Int64, id: Int64? = nil) {
      let id = LocalMessageID(rawValue: id ?? rank)
      rows[id.rawValue] = MessageRow(
        id: id, conversation: ConversationID(rawValue: 1), rank: Rank(rawValue: rank), serverID: nil,
        messageID: MessageID(rawValue: "\(id.rawValue)"), sender: "bob", position: Position(rawValue: rank),
        epoch: nil, time: Timestamp(milliseconds: rank), status: .sent, kind: "text",
        payload: Data(#"{"text":"\#(rank)"}"#.utf8), revision: 0, version: version, isCounted: true,
        failureCode: nil, failureMessage: nil)
    }

    var stored: [MessageRow] { rows.values.sorted { $0.order < $1.order } }
    var facts: HistoryFacts {
      let ends = stored.first.flatMap { first in stored.last.map { first.order...$0.order } }
      return HistoryFacts(spans: spans, stored: ends, isBound: true, version: version)
    }

    /// The page that the local loader would return: `limit` rows from a place.
    func page(_ direction: PagingDirection, from anchor: MessageOrder, limit: Int) -> MessagePage {
      let gap =
        direction == .older
        ? spans.openGap(below: anchor.rank, passing: window.passed)
        : spans.openGap(above: anchor.rank, passing: window.passed)
      switch direction {
      case .older:
        let bottom = gap.map { MessageOrder(above: $0.upper) } ?? .lowest
        let found = stored.filter { $0.order < anchor && $0.order >= bottom }.suffix(limit)
        let lower = found.count == limit ? found.first?.order ?? bottom : min(bottom, anchor)
        return MessagePage(rows: Array(found), bounds: lower...anchor, stop: gap, facts: facts)
      case .newer:
        let top =
          gap.map { MessageOrder(rank: $0.lower ?? .lowest, id: .init(rawValue: .max)) } ?? .highest
        let found = stored.filter { $0.order > anchor && $0.order <= top }.prefix(limit)
        let upper = found.count == limit ? found.last?.order ?? top : max(top, anchor)
        return MessagePage(rows: Array(found), bounds: anchor...upper, stop: gap, facts: facts)
      }
    }

    mutating func open(limit: Int) { show(page(.older, from: .highest, limit: limit)) }

    mutating func show(_ page: MessagePage) { take(window.show(page, Self.messages(page.rows))) }

    @discardableResult
    mutating func grow(_ direction: PagingDirection, limit: Int) -> Bool {
      guard let end = window.end(direction) else { return false }
      return grow(direction, by: page(direction, from: end, limit: limit))
    }

    mutating func grow(_ direction: PagingDirection, by page: MessagePage) -> Bool {
      guard let change = window.grow(direction, by: page, Self.messages(page.rows)) else { return false }
      take(change)
      return true
    }

    /// One transaction that puts and deletes rows.
    mutating func change(_ ranks: [Int64], deleting deleted: [Int64] = []) {
      version += 1
      for rank in ranks { put(rank) }
      for id in deleted { rows[id] = nil }
      feed(ranks.compactMap { rows[$0] }, deleting: deleted)
    }

    mutating func feed(_ rows: [MessageRow], deleting deleted: [Int64] = [], hasNewSpans: Bool = true) {
      var part = StoreChanges.Part(conversation: ConversationID(rawValue: 1))
      part.deleted = deleted.map { LocalMessageID(rawValue: $0) }
      part.spans = hasNewSpans ? spans : nil
      part.stored = facts.stored
      take(window.apply(part, Self.messages(rows), version: version))
    }

    mutating func take(_ change: ListChange) {
      change.apply(to: &copy, from: window.items.snapshot)
      #expect(copy == Array(window.items.snapshot), "a change does not lead to its list")
    }

    static func messages(_ rows: [MessageRow]) -> [ChatMessage] {
      rows.map { $0.message(for: "alice", kinds: .standard) }
    }

    /// `<3 4 … 9>`: messages, gaps by their state, and `<` or `>` where there is more.
    var drawn: String {
      let items = copy.map { item in
        switch item {
        case .message(let message): message.content.displayedText
        case .gap(let gap): gap.state == .open ? "…" : gap.state == .stalled ? "?" : "×"
        }
      }
      let (less, more) = (window.canLoadOldMessages ? "<" : "", window.canLoadNextMessages ? ">" : "")
      return less + items.joined(separator: " ") + more
    }
  }

  @Test("The window opens at the newest message and shows new messages")
  func opening() {
    var stage = Stage(known: 1...10, size: 6)
    stage.open(limit: 3)
    #expect(stage.drawn == "<8 9 10")
    stage.change([11])
    #expect(stage.drawn == "<8 9 10 11")
    stage.change([12, 13, 14])
    #expect(stage.drawn == "<9 10 11 12 13 14")
  }

  @Test("Changes before the first page has loaded do not hide a gap of that page")
  func openingLate() {
    var stage = Stage(known: 1...3, size: 9)
    for rank in 6...8 { stage.put(Int64(rank)) }
    stage.know(6...8)
    let page = stage.page(.older, from: .highest, limit: 9)
    stage.version += 1
    stage.feed([], hasNewSpans: false)
    stage.show(page)
    #expect(stage.drawn == "1 2 3 × 6 7 8")
  }

  @Test(
    "Paging back removes the newest messages from the window; new ones stay outside until they are reached")
  func shrinking() {
    var stage = Stage(known: 1...10, size: 6)
    stage.open(limit: 3)
    stage.grow(.older, limit: 3)
    #expect(stage.drawn == "<5 6 7 8 9 10")
    stage.grow(.older, limit: 3)
    #expect(stage.drawn == "<2 3 4 5 6 7>")
    stage.change([11])
    #expect(stage.drawn == "<2 3 4 5 6 7>")
    stage.grow(.older, limit: 3)
    #expect(stage.drawn == "1 2 3 4 5 6>")
    stage.grow(.newer, limit: 3)
    #expect(stage.drawn == "<4 5 6 7 8 9>")
    stage.grow(.newer, limit: 3)
    #expect(stage.drawn == "<6 7 8 9 10 11")
    stage.change([12])
    #expect(stage.drawn == "<7 8 9 10 11 12")
  }

  @Test("A page that no longer begins at the window's end is ignored")
  func late() {
    var stage = Stage(known: 1...20, size: 6)
    stage.open(limit: 3)
    let page = stage.page(.older, from: stage.window.end(.older)!, limit: 3)
    stage.grow(.older, limit: 3)
    #expect(stage.drawn == "<15 16 17 18 19 20")
    let isTaken = stage.grow(.older, by: page)
    #expect(!isTaken)
    #expect(stage.drawn == "<15 16 17 18 19 20")
  }

  @Test("A gap inside the window is shown; a gap at the window's end means that the server has more to load")
  func gaps() {
    var stage = Stage([1, 2, 3, 11, 12], size: 20)
    stage.know(1...3)
    stage.know(11...12, reachesStart: false)
    stage.open(limit: 5)
    #expect(stage.drawn == "<11 12")
    #expect(stage.window.canLoadOldLocalMessages && stage.window.canLoadOldRemoteMessages)
    // Another window of the chat or a late answer adds a span above, and with it a gap in the middle.
    stage.know(21...22, reachesStart: false)
    stage.change([21, 22])
    #expect(stage.drawn == "<11 12 … 21 22")
    stage.know(13...21, reachesStart: false)
    stage.change([13])
    #expect(stage.drawn == "<11 12 13 21 22")
  }

  @Test("A gap that can't be filled is shown, and paging continues beyond it")
  func passing() {
    var stage = Stage([1, 2, 11, 12], size: 20)
    stage.know(1...2, reachesStart: false)
    stage.know(11...12, reachesStart: false)
    stage.open(limit: 5)
    let gap = stage.spans.openGap(below: Rank(rawValue: 12), passing: [])!
    for _ in 1...2 {
      let change = stage.window.foundNothing(in: gap)
      #expect(change == nil)
    }
    stage.take(stage.window.foundNothing(in: gap)!)
    stage.grow(.older, limit: 5)
    #expect(stage.drawn == "<1 2 ? 11 12")
    // A gap below all messages is shown at the start of the list.
    let rest = stage.spans.openGap(below: .lowest, passing: [])!
    for _ in 1...2 { _ = stage.window.foundNothing(in: rest) }
    stage.take(stage.window.foundNothing(in: rest)!)
    #expect(stage.drawn == "? 1 2 ? 11 12")
    // The gap has changed, and is tried again.
    stage.know(9...11, reachesStart: false)
    stage.change([9, 10])
    #expect(stage.drawn == "? 1 2 … 9 10 11 12")
    stage.know(9...9)
    stage.change([])
    #expect(stage.drawn == "? 1 2 × 9 10 11 12")
  }

  @Test("The window must be opened again once all its messages are gone")
  func emptied() {
    var stage = Stage(known: 1...10, size: 4)
    stage.open(limit: 2)
    for _ in 1...3 { stage.grow(.older, limit: 2) }
    #expect(stage.drawn == "<3 4 5 6>")
    stage.change([], deleting: [3, 4, 5, 6])
    #expect(stage.window.bounds == nil)
    stage.open(limit: 2)
    #expect(stage.drawn == "<9 10")
  }

  @Test("An older value of a row never replaces a newer one, whatever its source")
  func versions() {
    var stage = Stage([1, 2], size: 4)
    stage.open(limit: 4)
    let old = stage.page(.older, from: .highest, limit: 4)
    stage.change([2])
    let version = stage.window.items.item(.message(LocalMessageID(rawValue: 2)))?.message?.version
    stage.show(old)
    stage.feed(old.rows)
    #expect(stage.window.items.item(.message(LocalMessageID(rawValue: 2)))?.message?.version == version)
  }

  @Test(
    "After any events, the window shows the stored messages between its ends, at most as many as its size",
    arguments: 1...16
  )
  func anything(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    var stage = Stage((1...40).map { $0 * 10 }, size: 12)
    stage.open(limit: 5)
    var late: MessagePage?
    for _ in 1...300 {
      switch generator.next() % 8 {
      case 0: stage.grow(.older, limit: 5)
      case 1: stage.grow(.newer, limit: 5)
      case 2: stage.change([Int64(generator.next() % 600)])
      case 3: stage.change([], deleting: stage.rows.keys.sorted().suffix(Int(generator.next() % 3)))
      case 4:
        let rows = stage.stored
        guard !rows.isEmpty else { continue }
        let place = rows[Int(generator.next() % UInt64(rows.count))].order
        let older = stage.page(.older, from: place, limit: 4),
          newer = stage.page(.newer, from: place, limit: 4)
        let middle = rows.filter { $0.order == place }
        stage.show(
          MessagePage(
            rows: older.rows + middle + newer.rows,
            bounds: older.bounds.lowerBound...newer.bounds.upperBound, stop: nil, facts: stage.facts))
      case 5: late = stage.window.end(.older).map { stage.page(.older, from: $0, limit: 5) }
      case 6: if let page = late, page.facts.version == stage.version { _ = stage.grow(.older, by: page) }
      default: stage.change([Int64(600 + stage.version)])
      }
      guard let bounds = stage.window.bounds else {
        stage.open(limit: 5)
        continue
      }
      let shown = stage.copy.compactMap(\.message?.id)
      let expected = stage.stored.filter { bounds.contains($0.order) }.map(\.id)
      #expect(shown == expected)
      #expect(shown.count <= 12)
      let stored = stage.stored
      let hasOlder = stored.first.map { $0.order < bounds.lowerBound } ?? false
      let hasNewer = stored.last.map { $0.order > bounds.upperBound } ?? false
      #expect(stage.window.canLoadOldLocalMessages == hasOlder)
      #expect(stage.window.canLoadNextLocalMessages == hasNewer)
    }
  }
}
