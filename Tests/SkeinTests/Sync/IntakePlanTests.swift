import SkeinStorage
import Testing

@testable import Skein

@Suite("Plans for answers of the server")
struct IntakePlanTests {
  private static func rank(_ value: Int64) -> Rank { Rank(rawValue: value) }

  /// A plan for a page of new messages with a known one among them, requested below rank 100. A span that begins with the
  /// last cleared message ends at rank 3.
  private static func plan(_ places: [SpanMap.PriorPlace]) -> IntakePlan {
    let spans = SpanMap(
      spans: [
        Span(lower: rank(3), upper: rank(3), reachesStart: true, lowerToken: nil, unreadBelow: nil),
        Span(lower: rank(100), upper: rank(101), reachesStart: false, lowerToken: nil, unreadBelow: nil),
      ], isDense: false)
    let page = HistoryPage(
      messages: (1...Int64(places.count)).map { .number($0) }, reachesStart: true, reachesEnd: false)
    return IntakePlan(
      page: page, at: .below(rank(100)),
      known: IntakePlan.Known(priorPlaces: places, spans: spans, clearedUpTo: rank(3)))
  }

  @Test("Messages before the last cleared one need no room, and get no place")
  func clearedNeedNoRoom() {
    let plan = Self.plan(Array(repeating: .new, count: 8) + [.known(Self.rank(3)), .new, .new])
    #expect(plan.ranks == Array(repeating: nil, count: 9) + [Self.rank(98), Self.rank(99)])
    #expect(
      plan.step
        == .paged(Self.rank(3)...Self.rank(101), reachesStart: false, previous: nil, next: nil))
  }
}
