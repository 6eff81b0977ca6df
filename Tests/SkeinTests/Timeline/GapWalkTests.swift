import Foundation
import SkeinStorage
import Synchronization
import Testing

@testable import Skein

@Suite("Gaps of a server that reorders its history")
struct GapWalkTests {
  @Test("A gap is closed once a page beyond it contains nothing new", .simulated(seeds: 1...1))
  func beyond() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3, 4, 5, 6)
    try await server.sync(20, isCut: true)
    // The server received 11 to 13 after 6, but lists them before messages that this device has.
    let history = Reordered(
      pages: [[18, 19], [6, 17], [5, 13], [4, 12], [11, 3], [1, 2]], reorders: true)
    try await history.fill(server)
    #expect(try await server.order() == "1 2 3 4 5 6 11 12 13 17 18 19 20")
    #expect(history.requests == 5 + 1)
    await server.store.database.close()
  }

  @Test("A page that another gap has listed does not stop paging", .simulated(seeds: 1...1))
  func listedBefore() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2, 3)
    try await server.sync(5, isCut: true)
    try await Reordered(pages: [[12, 13]], reorders: true).fill(server)
    try await server.shows("* 1 2 3 | 12 13 5")
    try await server.sync(20, isCut: true)
    let history = Reordered(pages: [[19], [13], [12], [5], [4], [3], [2], [1]], reorders: true)
    try await history.fill(server)
    try await server.shows("* 1 2 3 4 12 13 5 19 20")
    #expect(history.requests == 7)
    await server.store.database.close()
  }

  @Test(
    "Pages below the oldest message that contain nothing new do not stop paging", .simulated(seeds: 1...1))
  func belowTheOldest() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3, 9, isCut: true)
    let history = Reordered(pages: [[1], [3], [2], [9], [8], [0]], reorders: true)
    let row = try await server.row()
    let spans = try await server.store.read { try $0.spans(of: row, isDense: false) }
    let gap = try #require(spans.openGap(below: .highest, passing: []))
    #expect(gap.lower == nil)
    #expect(try await history.loader(for: server).loadMessages(in: gap, .older, limit: 10))
    try await server.shows("8 1 2 3 9")
    #expect(history.requests == 4)
    await server.store.database.close()
  }

  @Test("Nothing is requested beyond the messages that were cleared", .simulated(seeds: 1...1))
  func cleared() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3, 4)
    try await server.clear()
    try await server.sync(9, isCut: true)
    let history = Reordered(pages: [[7, 8], [4, 6], [2, 3], [1], [0]], reorders: true)
    try await history.fill(server)
    #expect(try await server.order() == "6 7 8 9")
    #expect(history.requests == 2)
    await server.store.database.close()
  }

  @Test(
    "After a reset, messages that are listed pages before the last cleared one are shown",
    .simulated(seeds: 1...1))
  func clearedInEarlierEpoch() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2, 4, epoch: "one")
    try await server.clear()
    try await server.sync(9, isCut: true, epoch: "two")
    let history = Reordered(pages: [[4], [6, 7], [2], [1], [0], [-1]], reorders: true)
    try await history.fill(server)
    try await server.shows("* 6 7 9")
    #expect(history.requests == 5)
    await server.store.database.close()
  }

  @Test(
    "The newest page is stored with the pages that complete the stretch it reaches", .simulated(seeds: 1...1))
  func newest() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3, 4, 5, 6)
    let history = Reordered(pages: [[4, 12, 5, 6, 13], [3, 11], [1, 2], [0]], reorders: true)
    let loader = try await history.loader(for: server)
    #expect(try await loader.loadNewMessages(limit: 10))
    try await server.shows("* 1 2 3 4 5 6 11 12 13")
    #expect(history.requests == 3)
    let row = try await server.row()
    let spans = try await server.store.read { try $0.spans(of: row, isDense: false) }
    #expect(spans.newest?.upperToken == nil, "A gap above the newest messages is filled from above.")
    await server.store.database.close()
  }

  @Test(
    "A page without anything new that joins two stretches is stored with the pages beyond their edges",
    .simulated(seeds: 1...1))
  func joinsStretches() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2, 3)
    try await server.sync(5, 6, 7, isCut: true)
    // The server lists 4 after 5.
    let history = Reordered(
      pages: [[3, 5], [2], [1]], reorders: true, newer: [[4, 6], [7]], around: [3, 5])
    let loader = try await history.loader(for: server)
    _ = try await loader.loadMessages(around: .message(ServerMessageID(rawValue: "s5")), limit: 10)
    #expect(try await server.order().split(separator: " ").contains("4"))
    await server.store.database.close()
  }

  @Test("A newest page without anything new is the only one that is requested", .simulated(seeds: 1...1))
  func nothingNew() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3)
    let history = Reordered(pages: [[2, 3], [1]], reorders: true)
    _ = try await history.loader(for: server).loadNewMessages(limit: 10)
    #expect(history.requests == 1)
    await server.store.database.close()
  }

  @Test(
    "A page around a message is stored with the pages that complete the stretches it reaches on both sides",
    .simulated(seeds: 1...1))
  func around() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(15, 16, 17, isCut: true)
    let history = Reordered(
      pages: [[5, 2], [11, 1]], reorders: true, newer: [[13, 17], [18]], around: [5, 2, 9, 16, 15, 14])
    let loader = try await history.loader(for: server)
    _ = try await loader.loadMessages(around: .message(ServerMessageID(rawValue: "s9")), limit: 10)
    #expect(
      try await server.order().split(separator: " ").sorted { Int($0) ?? 0 < Int($1) ?? 0 }
        == ["1", "2", "5", "9", "11", "13", "14", "15", "16", "17", "18"])
    #expect(history.requests == 4)
    await server.store.database.close()
  }

  @Test(
    "Own messages that no answer has listed yet count as new: the stretch that their page reaches is completed",
    .simulated(seeds: 1...1))
  func ownMessages() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.send(5)
    try await server.send(8)
    try await server.sync(9, 10, isCut: true)
    let history = Reordered(
      pages: [[4], [3]], reorders: true, newer: [[7, 6, 10], [11]], around: [5, 9, 8])
    let loader = try await history.loader(for: server)
    _ = try await loader.loadMessages(around: .message(ServerMessageID(rawValue: "s5")), limit: 10)
    #expect(try await server.order().split(separator: " ").contains("7"))
    await server.store.database.close()
  }

  @Test("Paging stops once it has left a short stretch again", .simulated(seeds: 1...1))
  func short() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(10, 11, isCut: true)
    try await server.sync(20, isCut: true)
    let history = Reordered(
      pages: [[19], [10, 11], [8, 9], [6, 7], [4, 5], [2, 3], [1]], reorders: true)
    try await history.fill(server, pages: 3)
    try await server.shows("* 1 2 | 8 9 10 11 19 20")
    #expect(history.requests == 3)
    await server.store.database.close()
  }

  @Test("If a page beyond the first one fails, the first one is stored", .simulated(seeds: 1...1))
  func failing() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(5, isCut: true)
    try await Reordered(pages: [[12, 13]], reorders: true).fill(server)
    try await server.shows("* 1 2 | 12 13 5")
    let history = Reordered(pages: [[13], [11], [10]], reorders: true, failsAfter: 1)
    try await history.fill(server, pages: 1)
    try await server.shows("* 1 2 | 12 13 5")
    await server.store.database.close()
  }

  @Test("If the page beyond the edge of a gap fails, the gap stays open", .simulated(seeds: 1...1))
  func failingAtEdge() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3)
    try await server.sync(9, isCut: true)
    for reorders in [false, true] {
      let history = Reordered(pages: [[3, 8], [2]], reorders: reorders, failsAfter: 1)
      await #expect(throws: BackendError.self) { try await history.fill(server, pages: 1) }
      try await server.shows("* 1 2 3 | 9")
    }
    await server.store.database.close()
  }

  @Test("After paging to the newest message, the next gap is filled from above", .simulated(seeds: 1...1))
  func newer() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2)
    try await server.sync(20, isCut: true, canPage: false)
    try await server.page(9, 10, next: HistoryToken(rawValue: "after 10"))
    try await server.shows("* 1 2 | 9 10 | 20")
    let history = Reordered(pages: [], reorders: true, newer: [[11, 20], [21]])
    let row = try await server.row()
    let spans = try await server.store.read { try $0.spans(of: row, isDense: false) }
    let gap = try #require(spans.openGap(above: spans.spans[1].upper, passing: []))
    #expect(try await history.loader(for: server).loadMessages(in: gap, .newer, limit: 10))
    try await server.shows("* 1 2 | 9 10 11 20 21")
    let after = try await server.store.read { try $0.spans(of: row, isDense: false) }
    #expect(after.newest?.upperToken == nil)
    await server.store.database.close()
  }

  @Test(
    "Before a gap is filled from below, the end of the stretch below it is read again",
    .simulated(seeds: 1...1))
  func rereadEnd() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2)
    try await server.page(8, 9, 10, next: HistoryToken(rawValue: "after 10"))
    try await server.sync(20, isCut: true)
    try await server.shows("* 1 2 | 8 9 10 | 20")
    // The server received 13 later, and lists it before 10.
    let history = Reordered(
      pages: [[9, 13], [8], [7]], reorders: true, newer: [[11, 12], [14, 20], [21]], around: [9, 13, 10])
    let loader = try await history.loader(for: server)
    let row = try await server.row()
    for _ in 1...3 {
      let spans = try await server.store.read { try $0.spans(of: row, isDense: false) }
      let gap = try #require(spans.openGap(above: spans.spans[1].lower, passing: []))
      #expect(try await loader.loadMessages(in: gap, .newer, limit: 10))
    }
    try await server.shows("* 1 2 | 8 9 10 13 11 12 14 20 21")
    await server.store.database.close()
  }

  @Test(
    "A gap whose first page begins below its far edge is closed, after three pages without anything new",
    .simulated(seeds: 1...1))
  func startsBelow() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2, 3, 4, 5, 6, 7, 8, 9)
    try await server.sync(8, 9, 20, isCut: true)
    try await server.shows("* 1 2 3 4 5 6 7 8 9 | 20")
    // The server lists 8 and 9 after 20.
    let history = Reordered(pages: [[7], [6, 12], [5], [4], [3], [2], [1]], reorders: true)
    try await history.fill(server)
    try await server.shows("* 1 2 3 4 5 6 7 8 9 12 20")
    #expect(history.requests == 5)
    await server.store.database.close()
  }

  @Test(
    "Older messages at the start of a gap that begins below its far edge are placed below the stretch",
    .simulated(seeds: 1...1))
  func passesStretch() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(5, 6, 7, 8, isCut: true)
    try await server.sync(8, 20, isCut: true)
    try await server.shows("5 6 7 8 | 20")
    // The server lists 7 and 8 after 20, and 4 after 6.
    let history = Reordered(pages: [[4], [6], [5], [3], [2], [1]], reorders: true)
    try await history.fill(server, pages: 4)
    try await server.shows("3 5 6 7 8 4 20")
    #expect(history.requests == 4)
    await server.store.database.close()
  }

  @Test("A late message far below a gap is found, although the gap begins with it", .simulated(seeds: 1...1))
  func lateEdge() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13)
    try await server.sync(20, isCut: true)
    // The server received 13 and 14 after 10, and lists them after 5.
    let history = Reordered(
      pages: [[9, 10], [7, 8], [6, 14], [5, 13], [3, 4], [1, 2]], reorders: true)
    try await history.fill(server)
    try await server.shows("* 1 2 3 4 5 6 7 8 9 10 13 14 20")
    await server.store.database.close()
  }

  @Test(
    "Paging to newer messages passes the last cleared message, which a page may list among them",
    .simulated(seeds: 1...1))
  func clearedAmongNewer() async throws {
    let server = try await ArrivalServer(reordersHistory: true)
    try await server.sync(1, 2)
    try await server.clear()
    try await server.sync(20, 21, isCut: true, canPage: false)
    try await server.page(8, 9, next: HistoryToken(rawValue: "after 9"))
    let history = Reordered(pages: [], reorders: true, newer: [[2, 10, 20], [19, 21], [22]])
    let row = try await server.row()
    let spans = try await server.store.read { try $0.spans(of: row, isDense: false) }
    let end = try #require(spans.spans.dropLast().last).upper
    let gap = try #require(spans.openGap(above: end, passing: []))
    #expect(try await history.loader(for: server).loadMessages(in: gap, .newer, limit: 10))
    #expect(try await server.order().split(separator: " ").contains("19"))
    await server.store.database.close()
  }

  @Test("On a server with one order, the last message before a gap ends it", .simulated(seeds: 1...1))
  func oneOrder() async throws {
    let server = try await ArrivalServer()
    try await server.sync(1, 2, 3)
    try await server.sync(9, isCut: true)
    let history = Reordered(pages: [[7, 8], [2, 3, 6], [1]], reorders: false)
    try await history.fill(server)
    #expect(try await server.order() == "1 2 3 6 7 8 9")
    #expect(history.requests == 2)
    await server.store.database.close()
  }
}

/// A server that has only history: pages from the newest to the oldest.
private final class Reordered: ChatBackend {
  let capabilities: BackendCapabilities
  private let pages: [[Int64]]
  private let count = Mutex(0)

  private let newer: [[Int64]]
  private let failsAfter: Int
  /// The page around any message. The first of `pages` is part of it.
  private let around: [Int64]

  init(
    pages: [[Int64]], reorders: Bool, newer: [[Int64]] = [], around: [Int64] = [], failsAfter: Int = .max
  ) {
    (self.pages, self.newer, self.around, self.failsAfter) = (pages, newer, around, failsAfter)
    capabilities = BackendCapabilities(
      idempotency: .none, ordering: .arrival, reordersHistory: reorders,
      history: around.isEmpty ? [] : [.message])
  }

  var requests: Int { count.withLock { $0 } }

  func loader(for server: ArrivalServer) async throws -> RemoteMessageLoader {
    RemoteMessageLoader(conversation: try await server.chat(), store: server.store, backend: self)
  }

  /// Fetches pages of the newest gap until it is closed, or until a number of pages was requested.
  func fill(_ server: ArrivalServer, pages limit: Int? = nil) async throws {
    let loader = try await loader(for: server)
    while requests < limit ?? pages.count {
      let row = try await server.row()
      let spans = try await server.store.read { try $0.spans(of: row, isDense: false) }
      guard let gap = spans.openGap(below: .highest, passing: []), gap.upper == spans.spans.last?.lower else {
        return
      }
      _ = try await loader.loadMessages(in: gap, .older, limit: 10)
    }
  }

  func history(of conversation: ConversationRef, at anchor: HistoryAnchor, limit: Int) async throws
    -> HistoryPage
  {
    count.withLock { $0 += 1 }
    if requests > failsAfter { throw BackendError(.unreachable, "The network is down.") }
    if case .token(let token) = anchor, token.rawValue.hasPrefix("after ") {
      let number = newer.firstIndex { token == Self.after($0) }.map { $0 + 1 } ?? 0
      return HistoryPage(
        messages: newer[number].map { .number($0) }, reachesStart: false,
        reachesEnd: number == newer.count - 1, next: Self.after(newer[number]))
    }
    if case .message = anchor {
      return HistoryPage(
        messages: around.map { .number($0) }, reachesStart: false, reachesEnd: false,
        previous: Self.token(pages[0]), next: HistoryToken(rawValue: "after around"))
    }
    let before = pages.firstIndex { anchor == .token(Self.token($0)) }
    let page = pages[(before ?? -1) + 1]
    return HistoryPage(
      messages: page.map { .number($0) }, reachesStart: false, reachesEnd: anchor == .newest,
      previous: before == pages.count - 2 ? nil : Self.token(page), next: HistoryToken(rawValue: "after"))
  }

  private static func after(_ page: [Int64]) -> HistoryToken {
    HistoryToken(rawValue: "after \(page[page.count - 1])")
  }

  private static func token(_ page: [Int64]) -> HistoryToken {
    HistoryToken(rawValue: "before \(page[0])")
  }

  func run(since cursor: SyncCursor?, _ receive: @escaping BackendReceiver) async throws {}
  func sync(since cursor: SyncCursor?, limit: Int) async throws -> SyncBatch { throw Self.unsupported }
  func send(_ message: OutgoingMessage) async throws -> SendReceipt { throw Self.unsupported }
  func open(_ request: ConversationRequest) async throws -> ConversationInfo { throw Self.unsupported }

  private static let unsupported = BackendError(.unsupported, "It has history alone.")
}
